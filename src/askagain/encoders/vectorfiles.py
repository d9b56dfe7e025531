"""Files of word vectors: text and binary of word2vec, text of GloVe and fastText, each plain or gzipped.

    word2vec text      a line with the number of words and of dimensions; then lines of a word and its numbers
    GloVe text         the same without the first line
    word2vec binary    the first line; then each word, a space, and its numbers as little-endian float32

The content decides which it is. Files are read as streams: memory holds the wanted words only.
"""

from __future__ import annotations

import gzip
import re
import secrets
import zlib
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, cast

import numpy as np

from askagain.encoders.vectors import Floats
from askagain.encoders.wordvectors import WordVectors
from askagain.errors import OutputError, SourceError
from askagain.sources.fields import shown
from askagain.sources.files import byte_lines, read_head
from askagain.sources.rows import RowError, all_or_error

MOST_DIMENSIONS: Final = 100_000

_HEADER: Final = re.compile(rb"([0-9]+)[ \t]+([0-9]+)[ \t]*")
_LONGEST_COUNT: Final = 15
_LONGEST_BINARY_WORD: Final = 2**16
_CHUNK: Final = 2**20
_FLOAT_BYTES: Final = 4
_TEXT_BYTES: Final = bytes([*b"\t\r\n", *range(0x20, 0x7F)])
_REMEDY: Final = "get a fresh copy of the file"


class _Header(NamedTuple):
    """What a file says about itself."""

    words: int
    dimension: int


def load_vectors(path: Path, only: Container[str] | None = None) -> WordVectors:
    """The vectors of all words of a file, or only of some, in the file's order.

    A word with a space in it, as some files have, is passed over: no text is ever split into such words.
    """
    first_line = _first_line(path)
    header = _parsed_header(first_line, path)
    dimension = header.dimension if header else len(first_line.rstrip().split(b" ")) - 1
    if not 1 <= dimension <= MOST_DIMENSIONS:
        raise SourceError(
            f"{path}, line 1: expected a word and 1 to {MOST_DIMENSIONS:,} numbers, or how many words and "
            f"dimensions follow, and found {shown(first_line.decode(errors='replace'))}"
        )
    kept = _Kept(only, dimension)
    if header and _is_binary(read_head(path), dimension):
        _read_binary(path, header, kept)
    else:
        _read_text(path, header, kept)
    return kept.vectors()


class _Kept:
    """The wanted words of a file and their numbers, as far as it has been read."""

    def __init__(self, only: Container[str] | None, dimension: int) -> None:
        self.dimension = dimension
        self.rows_seen = 0
        self._only = only
        self._words: dict[str, None] = {}
        self._numbers = bytearray()

    def see(self, raw_word: bytes, numbers: Callable[[], Floats]) -> None:
        """Take over a word that is wanted; the numbers of others are never asked for."""
        self.rows_seen += 1
        word = self._wanted(raw_word)
        if word is None:
            return
        if word in self._words:
            raise RowError(f"the word {shown(word)} is there a second time")
        row = numbers()
        if not np.isfinite(row).all():
            raise RowError(f"a number of the word {shown(word)} is not finite")
        self._words[word] = None
        self._numbers += row.tobytes()

    def _wanted(self, raw_word: bytes) -> str | None:
        if not raw_word:
            raise RowError("there is no word")
        try:
            word = raw_word.decode("utf-8")
        except UnicodeDecodeError:
            if self._only is None:
                raise RowError(f"the word {raw_word[:40]!r} is not UTF-8") from None
            return None
        is_wanted = " " not in word and (self._only is None or word in self._only)
        return word if is_wanted else None

    def vectors(self) -> WordVectors:
        numbers = np.frombuffer(self._numbers, dtype=np.float32)
        return WordVectors(tuple(self._words), numbers.reshape(len(self._words), self.dimension))


# The first line


def _first_line(path: Path) -> bytes:
    for _, line in all_or_error(byte_lines(path)):
        return line
    raise SourceError(f"{path} is empty: it holds no word vectors")


def _parsed_header(line: bytes, path: Path) -> _Header | None:
    match = _HEADER.fullmatch(line)
    if match is None:
        return None
    if max(map(len, match.groups())) > _LONGEST_COUNT:
        raise SourceError(f"{path}, line 1: no file has as many words as {shown(line.decode())}; {_REMEDY}")
    return _Header(int(match[1]), int(match[2]))


def _is_binary(head: bytes, dimension: int) -> bool:
    """Whether what follows the first word cannot be text: there, each number has two characters at least."""
    _, _, body = head.partition(b"\n")
    _, _, numbers = body.partition(b" ")
    return bool(numbers[: 2 * dimension].translate(None, delete=_TEXT_BYTES))


# Text


def _read_text(path: Path, header: _Header | None, kept: _Kept) -> None:
    number = 1
    try:
        for row in islice(all_or_error(byte_lines(path)), 1 if header else 0, None):
            number, line = row
            if line := line.rstrip(b" \t\r"):
                word, numbers = _split(line, kept.dimension)
                kept.see(word, partial(_parsed, numbers))
    except RowError as error:
        raise SourceError(f"{path}, line {number}: {error}; {_REMEDY}") from error
    if header and header.words != kept.rows_seen:
        promised = f"its first line promises {header.words:,}"
        raise SourceError(f"{path} has {kept.rows_seen:,} words, and {promised}; {_REMEDY}")


def _split(line: bytes, dimension: int) -> tuple[bytes, list[bytes]]:
    """The word, which may have spaces in it, and as many numbers as there are dimensions."""
    word, *numbers = line.rsplit(b" ", dimension)
    if len(numbers) < dimension:
        raise RowError(f"a word and {dimension} numbers are expected, and there are {len(numbers)}")
    word = word.rstrip(b" ")
    if b" " in word and _is_number(word.rsplit(b" ", 1)[1]):
        raise RowError(f"a word and {dimension} numbers are expected, and there are more")
    return word, numbers


def _parsed(columns: list[bytes]) -> Floats:
    try:
        with np.errstate(over="ignore"):
            return np.array(list(map(float, columns)), dtype=np.float32)
    except ValueError:
        wrong = next(column for column in columns if not _is_number(column))
        raise RowError(f"{shown(wrong.decode(errors='replace'))} is not a number") from None


def _is_number(column: bytes) -> bool:
    try:
        float(column)
    except ValueError:
        return False
    return True


# Binary


def _read_binary(path: Path, header: _Header, kept: _Kept) -> None:
    try:
        with _unpacked(path) as stream:
            stream.readline()
            for word, numbers in _binary_rows(stream, header):
                kept.see(word, partial(_little_endian, numbers))
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{path} is damaged or cut off: {error}; {_REMEDY}") from error
    except RowError as error:
        read = f"{kept.rows_seen:,} of {header.words:,} words read"
        raise SourceError(f"{path}, {read}: {error}; {_REMEDY}") from error


@contextmanager
def _unpacked(path: Path) -> Iterator[BinaryIO]:
    with path.open("rb") as file:
        is_packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        yield cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_packed else file


def _binary_rows(stream: BinaryIO, header: _Header) -> Iterator[tuple[bytes, bytes]]:
    size = _FLOAT_BYTES * header.dimension
    buffer, start = b"", 0
    for _ in range(header.words):
        while (space := buffer.find(b" ", start)) < 0 or space + 1 + size > len(buffer):
            if space < 0 and len(buffer) - start > _LONGEST_BINARY_WORD:
                raise RowError(f"the next word has more than {_LONGEST_BINARY_WORD:,} bytes")
            if not (more := stream.read(_CHUNK)):
                raise RowError("the file ends before the next word does")
            buffer, start = buffer[start:] + more, 0
        end = space + 1 + size
        # Some writers end each row with a line feed, some do not.
        yield buffer[start:space].lstrip(b"\n"), buffer[space + 1 : end]
        start = end
    if (buffer[start:] + stream.read(_CHUNK)).strip():
        raise RowError("more bytes follow")


def _little_endian(numbers: bytes) -> Floats:
    return np.frombuffer(numbers, dtype="<f4").astype(np.float32)


# Writing


def save_vectors(path: Path, vectors: WordVectors) -> None:
    """Write word2vec text, from which the same numbers come back; an old file is replaced at the end."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(f"{len(vectors)} {vectors.dimension}\n".encode())
            file.writelines(_text_rows(vectors))
        part.replace(path)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def _text_rows(vectors: WordVectors) -> Iterator[bytes]:
    # Nine significant digits tell any two float32 numbers apart.
    numbers = " %.9g" * vectors.dimension
    for word, row in zip(vectors.words, vectors.matrix, strict=True):
        yield _written_word(word) + (numbers % tuple(row.tolist())).encode() + b"\n"


def _written_word(word: str) -> bytes:
    if not word or " " in word or "\n" in word:
        raise OutputError(
            f"the word {shown(word)} cannot be written: the format has no place for white space"
        )
    try:
        return word.encode("utf-8")
    except UnicodeEncodeError:
        raise OutputError(f"the word {shown(word)} cannot be written: it is no valid Unicode") from None
