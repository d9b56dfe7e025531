"""Downloads the AskUbuntu files of Lei et al. and verifies them; an interrupted download is resumed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from askagain.errors import SourceError

ASKUBUNTU_URL = "https://raw.githubusercontent.com/taolei87/askubuntu/master"

# Path in the repository -> git blob id of the content.
ASKUBUNTU_FILES = {
    "text_tokenized.txt.gz": "64b7ce412dfe509ca1f2a52c950182246fccdc47",
    "train_random.txt": "0c051c71ee8cae9722303015c7b810018ecc1def",
    "vector/vectors_pruned.200.txt.gz": "6baaba97ed8033fdeac6163a958f26b6e0df9744",
    "dev.txt": "499852e09fdf194b85eb6d8741904b7960aa93de",
    "test.txt": "7196065ad0f968de386e7583bca8ec1f0133d2b9",
}

# Called with (file, bytes so far, bytes in all); the latter is 0 where the server does not say.
FileProgress = Callable[[str, int, int], None]

_TIMEOUT_SECONDS = 30
_CHUNK_BYTES = 2**16
_PARTIAL_CONTENT = 206
_RANGE_NOT_SATISFIABLE = 416


def no_file_progress(file: str, done: int, total: int) -> None:
    """Shows nothing."""


def get_askubuntu(
    folder: Path,
    base_url: str = ASKUBUNTU_URL,
    files: Mapping[str, str] = ASKUBUNTU_FILES,
    progress: FileProgress = no_file_progress,
) -> list[Path]:
    """The verified files in `folder`; those that are there already are not downloaded again."""
    return [_get(folder / file, f"{base_url}/{file}", file, blob, progress) for file, blob in files.items()]


def blob_id(path: Path) -> str:
    """The id under which git keeps this content."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _get(target: Path, url: str, file: str, expected: str, progress: FileProgress) -> Path:
    if target.exists():
        _verify(target, expected, "move it away and run this again")
        return target
    part = target.with_name(target.name + ".part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        _download(url, part, file, progress)
    except (HTTPError, ValueError) as error:
        raise SourceError(f"cannot download {url}: {error}; check the address") from error
    except (OSError, HTTPException) as error:
        raise SourceError(f"cannot download {url}: {error}; run this again to go on from here") from error
    try:
        _verify(part, expected, "it was removed; run this again, and if that does not help, check the source")
    except SourceError:
        part.unlink()
        raise
    return part.replace(target)


def _verify(path: Path, expected: str, remedy: str) -> None:
    found = blob_id(path)
    if found != expected:
        raise SourceError(
            f"{path} has the wrong content: expected git blob {expected}, found {found}; {remedy}"
        )


def _download(url: str, part: Path, file: str, progress: FileProgress) -> None:
    done = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={done}-"} if done else {})
    try:
        response = urlopen(Request(url, headers=headers), timeout=_TIMEOUT_SECONDS)
    except HTTPError as error:
        if error.code == _RANGE_NOT_SATISFIABLE:
            return  # All of it is here already; verification tells.
        raise
    with response:
        if response.status != _PARTIAL_CONTENT:
            done = 0
        _append(response, part, done, lambda done, total: progress(file, done, total))


def _append(response: HTTPResponse, part: Path, done: int, progress: Callable[[int, int], None]) -> None:
    length = response.headers.get("Content-Length", "")
    total = done + int(length) if length.isdecimal() else 0
    with part.open("ab" if done else "wb") as output:
        while chunk := response.read(_CHUNK_BYTES):
            output.write(chunk)
            done += len(chunk)
            progress(done, total)
    if done < total:
        raise ConnectionError(f"the connection ended after {done:,} of {total:,} bytes")
