"""Sources in parts: each holds what stands at so many places of one source, and has a name that says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Generic

from askagain.cluster.encoding.pairs import QuestionPair
from askagain.cluster.encoding.reading import Item
from askagain.question import Question
from askagain.sources.base import Skipped
from askagain.sources.rows import Row


@dataclass(frozen=True)
class Part(Generic[Item]):
    """The items at the places `first` to `last` of a source; of an unusable row nothing is there."""

    source: Path
    first: int
    last: int
    rows: tuple[Row[Item], ...]

    @property
    def name(self) -> str:
        """Of the files that it becomes, without their endings."""
        return f"{self.source.name}-{self.first:010}-{self.last:010}"

    @property
    def items(self) -> list[Item]:
        """In the order of their places."""
        return [item for _, item in self.rows]

    @cached_property
    def ids(self) -> bytes:
        """JSON Lines: which row of the arrays belongs to what."""
        return b"".join(
            json.dumps({"place": place, **_named(item)}, ensure_ascii=False).encode() + b"\n"
            for place, item in self.rows
        )

    def fingerprint(self, settings: str) -> str:
        """Equal for parts that become the same arrays."""
        digest = sha256(settings.encode())
        for place, item in self.rows:
            digest.update(repr((place, _named(item), _texts(item))).encode("utf-8", "replace"))
        return digest.hexdigest()


def _named(item: Question | QuestionPair) -> dict[str, str]:
    if isinstance(item, Question):
        return {"id": item.id}
    verdict = {"verdict": item.verdict} if item.verdict else {}
    return {"first": item.first.id, "second": item.second.id, **verdict}


def _texts(item: Question | QuestionPair) -> list[str]:
    questions = [item] if isinstance(item, Question) else [item.first, item.second]
    return [text for question in questions for text in (question.title, question.body)]


def parts_of(
    source: Path, found: Iterable[Row[Item] | Skipped], size: int, on_skip: Callable[[Skipped], None]
) -> Iterator[Part[Item]]:
    """What was found, `size` places at a time; a part in which there is nothing is left out."""
    for number, rows in groupby(_usable(found, on_skip), lambda row: (row[0] - 1) // size):
        yield Part(source, number * size + 1, (number + 1) * size, tuple(rows))


def _usable(found: Iterable[Row[Item] | Skipped], on_skip: Callable[[Skipped], None]) -> Iterator[Row[Item]]:
    for row in found:
        if isinstance(row, Skipped):
            on_skip(row)
        else:
            yield row
