"""Questions and ids as they go over the wire."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from askagain.archive.hygiene import clean_text
from askagain.client.errors import InvalidRequestError
from askagain.question import Question

MOST_LINES: Final = 200
MOST_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Deletion:
    """Among the changes for `put_many`: the question with that id goes."""

    id: str


def id_path(id: str) -> str:
    """The path of a question. Dots are encoded too, as some proxies take an id `..` for the way up."""
    if not id:
        raise InvalidRequestError("the id is empty: every question has one")
    return f"/v1/questions/{_encoded(id).replace('.', '%2E')}"


def with_query(path: str, parameters: Mapping[str, object]) -> str:
    """The path with those parameters that are not None."""
    given = [f"{name}={_encoded(str(value))}" for name, value in parameters.items() if value is not None]
    return f"{path}?{'&'.join(given)}" if given else path


def json_bytes(value: object) -> bytes:
    """As UTF-8; a lone surrogate, which UTF-8 has no bytes for, is left to the service as an escape."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="backslashreplace")


def question_text(question: Question) -> dict[str, Any]:
    """All but the id, with broken characters mended as the archive does it."""
    return {
        "title": clean_text(question.title),
        "body": clean_text(question.body),
        "tags": [clean_text(tag) for tag in question.tags],
        "created": clean_text(question.created),
        "url": clean_text(question.url),
        "answer": clean_text(question.answer),
    }


def question_json(question: Question) -> dict[str, Any]:
    """With the id, if it has one: the service makes one up otherwise."""
    return {"id": question.id, **question_text(question)} if question.id else question_text(question)


def line_batches(changes: Iterable[Question | Deletion]) -> Iterator[list[bytes]]:
    """JSON Lines in batches of bounded length, so that changes may come from a generator without end."""
    batch: list[bytes] = []
    size = 0
    for change in changes:
        line = _line(change)
        if batch and (len(batch) == MOST_LINES or size + len(line) > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line)
    if batch:
        yield batch


def _line(change: Question | Deletion) -> bytes:
    record = {"delete": change.id} if isinstance(change, Deletion) else question_json(change)
    return json_bytes(record) + b"\n"


def _encoded(text: str) -> str:
    try:
        return quote(text, safe="")
    except UnicodeEncodeError as error:
        raise InvalidRequestError(f"{text[:60]!r} has a broken character: correct it") from error
