"""JSON Lines: one question or one mark per line. What `dump_record` writes, the reader reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import NoReturn

from askagain.question import Mark, Question
from askagain.sources.base import Progress, Record, no_progress
from askagain.sources.fields import checked_mark, checked_question, parsed_verdict, shown
from askagain.sources.files import text_lines
from askagain.sources.rows import RowError, convert_rows

_OBJECT_WITH_OUR_KEYS = re.compile(rb'\s*\{[^\n]*"(id|title|first|second)"\s*:')
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonlSource:
    """Questions `{"id", "title", "body"?, "tags"?, ...}` and marks `{"first", "second", "verdict"?, ...}`."""

    name = "jsonl"

    def recognises(self, path: Path, head: bytes) -> bool:
        """An object with an id, a title, or the two ids of a mark, as far as the first bytes show them."""
        return _OBJECT_WITH_OUR_KEYS.match(head) is not None

    def records(self, path: Path, progress: Progress = no_progress) -> Iterator[Record]:
        """Every question and mark of the file."""
        return convert_rows(text_lines(path, progress), path, _records_of_line)


def parse_object(line: str) -> dict[str, object]:
    """The JSON object on a line."""
    try:
        row = json.loads(line, parse_constant=_refuse_constant)
    except RecursionError:
        raise RowError("JSON is nested too deeply") from None
    except ValueError as error:
        raise RowError(f"not JSON: {error}") from None
    if not isinstance(row, dict):
        raise RowError(f"not a JSON object but {shown(row)}")
    return row


def text_field(row: dict[str, object], name: str) -> str:
    """A field that is text; absent and null are empty."""
    value = row.get(name)
    return "" if value is None else _checked_text(value, name)


def id_field(row: dict[str, object], name: str) -> str:
    """A field that is an id: text, or a whole number."""
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return text_field(row, name)


def dump_record(record: Question | Mark) -> str:
    """The record as one line of JSON without a line end; empty fields are left out."""
    row = {field.name: value for field in fields(record) if (value := getattr(record, field.name))}
    return json.dumps(row, ensure_ascii=False)


def _records_of_line(line: str) -> Iterator[Question | Mark]:
    if not line.strip():
        return
    row = parse_object(line)
    yield _mark(row) if "first" in row and "second" in row else _question(row)


def _question(row: dict[str, object]) -> Question:
    return checked_question(
        Question(
            id=id_field(row, "id"),
            title=text_field(row, "title"),
            body=text_field(row, "body"),
            tags=_tags_field(row),
            created=text_field(row, "created"),
            url=text_field(row, "url"),
            answer=text_field(row, "answer"),
        )
    )


def _mark(row: dict[str, object]) -> Mark:
    return checked_mark(
        Mark(
            first=id_field(row, "first"),
            second=id_field(row, "second"),
            verdict=parsed_verdict(text_field(row, "verdict")),
            who=text_field(row, "who"),
            when=text_field(row, "when"),
        )
    )


def _tags_field(row: dict[str, object]) -> tuple[str, ...]:
    tags = row.get("tags")
    if tags is None:
        return ()
    if not isinstance(tags, list):
        raise RowError(f"'tags' is not a list but {shown(tags)}")
    return tuple(_checked_text(tag, "tags") for tag in tags)


def _checked_text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise RowError(f"'{name}' is not text but {shown(value)}")
    if _LONE_SURROGATE.search(value):
        raise RowError(f"'{name}' has half of a surrogate pair, which is no character")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
