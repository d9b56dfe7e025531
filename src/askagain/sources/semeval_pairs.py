"""The pairs of an original and a related question in the two layouts of SemEval Task 3, XML and JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from askagain.question import Question
from askagain.sources.base import Progress, Skipped, no_progress
from askagain.sources.fields import shown
from askagain.sources.files import MAX_LINE_BYTES, byte_lines
from askagain.sources.jsonl import parse_object, text_field
from askagain.sources.rows import Row, RowError
from askagain.sources.semeval_text import clean_texts
from askagain.sources.xmlrows import parse_piece

_RELEVANT = {"PerfectMatch": True, "Relevant": True, "Irrelevant": False, "?": None, "": None}
_BETWEEN_PIECES = re.compile(rb"(?=<OrgQuestion[\s>])|(?<=</OrgQuestion>)")
_OPENING = b"<OrgQuestion"
_CLOSING = b"</OrgQuestion>"


@dataclass(frozen=True, slots=True)
class Pair:
    """A related question at its rank in the list of an original one; `relevant` is None without a label."""

    original: Question
    related: Question
    rank: int
    relevant: bool | None


def xml_pieces(path: Path, progress: Progress = no_progress) -> Iterator[Row[bytes] | Skipped]:
    """Each `<OrgQuestion>` by itself: a broken one costs only itself; the document type is never parsed."""
    start = size = 0
    piece: list[bytes] = []
    for number, part in _parts(path, progress):
        if piece and (reason := _why_incomplete(part, size)):
            yield Skipped(path, start, reason)
            piece = []
        if isinstance(part, Skipped):
            yield part
            continue
        if part.startswith(_OPENING):
            start, size, piece = number, 0, []
        elif not piece:
            continue
        piece.append(part)
        size += len(part)
        if part.endswith(_CLOSING):
            yield start, b"\n".join(piece)
            piece = []
    if piece:
        yield Skipped(path, start, "<OrgQuestion> is not closed before the end of the file")
    elif not start:
        yield Skipped(path, 0, "no <OrgQuestion> in the file")


def pairs_of_piece(piece: bytes) -> Iterator[Pair]:
    """The pairs of one `<OrgQuestion>` element; there is one per thread."""
    element = parse_piece(piece)
    original = _xml_question(element, element.get("ORGQ_ID", ""), "OrgQ")
    for related in element.iter("RelQuestion"):
        yield Pair(
            original=original,
            related=_xml_question(
                related,
                related.get("RELQ_ID", ""),
                "RelQ",
                created=related.get("RELQ_DATE", ""),
                category=related.get("RELQ_CATEGORY", ""),
            ),
            rank=_rank(related.get("RELQ_RANKING_ORDER")),
            relevant=_relevant(related.get("RELQ_RELEVANCE2ORGQ", "")),
        )


def pairs_of_line(line: str) -> Iterator[Pair]:
    """The pair of one line of JSON."""
    if not line.strip():
        return
    row = parse_object(line)
    yield Pair(
        original=_json_question(row, "orgq"),
        related=_json_question(row, "relq"),
        rank=_rank(row.get("rank")),
        relevant=_relevant(text_field(row, "label3")),
    )


def _parts(path: Path, progress: Progress) -> Iterator[Row[bytes | Skipped]]:
    for row in byte_lines(path, progress):
        if isinstance(row, Skipped):
            yield row.line, row
        elif b"OrgQuestion" not in row[1]:
            yield row
        else:
            yield from ((row[0], part) for part in _BETWEEN_PIECES.split(row[1]))


def _why_incomplete(part: bytes | Skipped, size: int) -> str:
    if isinstance(part, Skipped):
        return f"<OrgQuestion> lost a part: line {part.line} cannot be read"
    if part.startswith(_OPENING):
        return "<OrgQuestion> is not closed before the next one"
    if size + len(part) > MAX_LINE_BYTES:
        return f"<OrgQuestion> is longer than {MAX_LINE_BYTES:,} bytes"
    return ""


def _xml_question(
    element: etree._Element, id: str, prefix: str, *, created: str = "", category: str = ""
) -> Question:
    subject = element.findtext(f"{prefix}Subject", default="")
    body = element.findtext(f"{prefix}Body", default="")
    return _cleaned(id, subject, body, created, category)


def _json_question(row: dict[str, object], prefix: str) -> Question:
    names = ("id", "subject", "body", "date", "category")
    return _cleaned(*(text_field(row, f"{prefix}_{name}") for name in names))


def _cleaned(id: str, subject: str, body: str, created: str, category: str) -> Question:
    if not id:
        raise RowError("a question without an id")
    title, text = clean_texts(subject, body)
    return Question(id=id, title=title, body=text, created=created, tags=(category,) if category else ())


def _rank(value: object) -> int:
    try:
        rank = int(str(value))
    except ValueError:
        rank = 0
    if rank < 1:
        raise RowError(f"rank is {shown(value)}, not a whole number from 1 on")
    return rank


def _relevant(label: str) -> bool | None:
    if label not in _RELEVANT:
        raise RowError(f"label is {shown(label)}, not PerfectMatch, Relevant, Irrelevant or ?")
    return _RELEVANT[label]
