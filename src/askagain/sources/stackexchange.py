"""A Stack Exchange dump: Posts.xml and PostLinks.xml, loose, in a folder, or inside the site's .7z."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from lxml import etree

from askagain.errors import MissingExtraError, SourceError
from askagain.question import Mark, Question
from askagain.sources.answers import AnswerStore, temporary_answers
from askagain.sources.base import Progress, Record, Skipped, no_progress
from askagain.sources.fields import checked_mark, checked_question, shown, split_tags
from askagain.sources.files import byte_lines, read_head
from askagain.sources.rows import R, Row, RowError, convert_rows, last_place, note_place
from askagain.sources.xmlrows import parse_piece

_POSTS = "Posts.xml"
_LINKS = "PostLinks.xml"
_QUESTION = "1"
_DUPLICATE_LINK = "3"
_7Z_MAGIC = b"7z\xbc\xaf\x27\x1c"
_POSTS_ELEMENT = re.compile(rb"\s*<(?:.*<)?posts[\s>]", re.DOTALL)
_FRAME_OF_ROWS = re.compile(rb"<\?xml\s[^<>]*\?>|</?(posts|postlinks)\s*>")
# Double quotes are escaped inside an attribute's value, so this finds the attribute and nothing else.
_ANSWER_ATTRIBUTE = b' PostTypeId="2"'


class StackExchangeSource:
    """Questions with their accepted or best-scored answer, and the duplicate links between them."""

    name = "stackexchange"

    def recognises(self, path: Path, head: bytes) -> bool:
        """A folder with Posts.xml, a .7z archive, or the element `<posts>`."""
        if path.is_dir():
            return (path / _POSTS).is_file()
        return head.startswith(_7Z_MAGIC) or _POSTS_ELEMENT.match(head) is not None

    def records(self, path: Path, progress: Progress = no_progress) -> Iterator[Record]:
        """Every question, then every duplicate link."""
        if path.is_dir():
            return _dump(path / _POSTS, path / _LINKS, progress)
        if read_head(path, len(_7Z_MAGIC)) == _7Z_MAGIC:
            return _archive(path, progress)
        return _dump(path, path.with_name(_LINKS), progress)


def _archive(path: Path, progress: Progress) -> Iterator[Record]:
    with TemporaryDirectory(prefix="askagain-") as folder:
        _unpack(path, Path(folder))
        for record in _dump(Path(folder) / _POSTS, Path(folder) / _LINKS, progress):
            if isinstance(record, Skipped):
                yield replace(record, path=path / record.path.name)
            else:
                place = last_place()
                note_place(path / place.path.name, place.line)
                yield record


def _unpack(path: Path, folder: Path) -> None:
    try:
        import py7zr
    except ImportError:
        raise MissingExtraError(
            f'{path} needs the package py7zr; install it: pip install "askagain[archives]"'
        ) from None
    try:
        with py7zr.SevenZipFile(path) as archive:
            archive.extract(path=folder, targets=[_POSTS, _LINKS])
    # On a damaged archive, py7zr fails with whatever its parser runs into: TypeError, AssertionError, ...
    except Exception as error:
        reason = shown(str(error)) if str(error) else type(error).__name__
        raise SourceError(f"cannot unpack {path}: {reason}; get a fresh copy of the archive") from error
    if not (folder / _POSTS).is_file():
        raise SourceError(f"{path} holds no {_POSTS}; choose the archive of a site's posts")


def _dump(posts: Path, links: Path, progress: Progress) -> Iterator[Record]:
    """Reads the posts twice: an answer stands after its question, and all answers do not fit in memory.

    The first pass keeps the answers in a file, the second gives the questions. Each row is parsed in one
    of the passes only, so that a broken one is reported once.
    """
    has_links = links.is_file()
    size = _size(posts)
    total = 2 * size + (_size(links) if has_links else 0)
    with temporary_answers() as answers:
        yield from _keep_answers(posts, answers, _part_of(progress, 0, total))
        answers.sort()
        yield from _questions(posts, answers, _part_of(progress, size, total))
    if has_links:
        yield from _marks(links, _part_of(progress, 2 * size, total))


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _part_of(progress: Progress, offset: int, total: int) -> Progress:
    return lambda done, _: progress(offset + done, total)


def _keep_answers(path: Path, answers: AnswerStore, progress: Progress) -> Iterator[Skipped]:
    def keep(line: bytes) -> list[Skipped]:
        row = parse_piece(line)
        answers.add(
            question=_needed(row, "ParentId"),
            id=_needed(row, "Id"),
            score=_score(row),
            text=row.get("Body", ""),
        )
        return []

    rows = (row for row in byte_lines(path, progress) if _is_answer(row))
    yield from convert_rows(rows, path, keep)


def _questions(path: Path, answers: AnswerStore, progress: Progress) -> Iterator[Record]:
    def questions_of(row: etree._Element) -> Iterator[Question]:
        if row.get("PostTypeId") == _QUESTION:
            yield _question(row, answers)

    rows = (row for row in byte_lines(path, progress) if not _is_answer(row))
    yield from convert_rows(rows, path, _with_row(questions_of))


def _marks(path: Path, progress: Progress) -> Iterator[Record]:
    def marks_of(row: etree._Element) -> Iterator[Mark]:
        if row.get("LinkTypeId") == _DUPLICATE_LINK:
            first, second = row.get("PostId", ""), row.get("RelatedPostId", "")
            yield checked_mark(Mark(first, second, when=row.get("CreationDate", "")))

    yield from convert_rows(byte_lines(path, progress), path, _with_row(marks_of))


def _is_answer(row: Row[bytes] | Skipped) -> bool:
    return not isinstance(row, Skipped) and _ANSWER_ATTRIBUTE in row[1]


def _with_row(convert: Callable[[etree._Element], Iterator[R]]) -> Callable[[bytes], Iterator[R]]:
    def convert_line(line: bytes) -> Iterator[R]:
        content = line.strip()
        if content.startswith(b"<row"):
            yield from convert(parse_piece(content))
        elif content and not _FRAME_OF_ROWS.fullmatch(content):
            raise RowError(f"not a <row>: {shown(content.decode('utf-8', errors='replace'))}")

    return convert_line


def _question(row: etree._Element, answers: AnswerStore) -> Question:
    id = row.get("Id", "")
    return checked_question(
        Question(
            id=id,
            title=row.get("Title", ""),
            body=row.get("Body", ""),
            tags=split_tags(row.get("Tags", "")),
            created=row.get("CreationDate", ""),
            answer=answers.best(id, row.get("AcceptedAnswerId", "")),
        )
    )


def _needed(row: etree._Element, name: str) -> str:
    value: str = row.get(name, "")
    if not value:
        raise RowError(f"an answer without {name}")
    return value


def _score(row: etree._Element) -> float:
    score = row.get("Score", "0")
    try:
        return float(score)
    except ValueError:
        raise RowError(f"Score is not a number but {shown(score)}") from None
