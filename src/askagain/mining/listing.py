"""Likely pairs and groups as records: plain values for JSON Lines, or the rows of a CSV file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from askagain.engine import Engine
from askagain.mining.csvlines import csv_line
from askagain.mining.grouping import Grouping, WholeGroup
from askagain.mining.pairs import LikelyPair, LikelyPairs
from askagain.question import Match, Question

Record = dict[str, Any]

_PAGE: Final = 1000
PAIR_COLUMNS: Final = ("probability", "first", "second", "first_title", "second_title", "reason")
MEMBER_COLUMNS: Final = (
    *("group", "canonical", "canonical_title", "why"),
    *("id", "title", "probability", "confirmed", "reason"),
    *("weakest", "weakest_first", "weakest_second"),
)


def pair_records(engine: Engine, pairs: LikelyPairs, least: float) -> Iterator[Record]:
    """The pairs that nobody has marked, most likely first, each with its reason."""
    after: str | None = None
    while True:
        page = pairs.page(least, _PAGE, after)
        yield from _told(engine, page.pairs)
        after = page.next
        if after is None:
            return


def _told(engine: Engine, pairs: Iterable[LikelyPair]) -> Iterator[Record]:
    """Without those of questions that were deleted in the meantime."""
    some = list(pairs)
    questions = engine.archive.get_many({id_ for pair in some for id_ in (pair.first, pair.second)})
    for pair in some:
        if pair.first not in questions or pair.second not in questions:
            continue
        yield pair_record(engine, questions[pair.first], questions[pair.second], pair.probability)


def pair_record(engine: Engine, first: Question, second: Question, probability: float) -> Record:
    """A pair with its reason."""
    [match] = engine.explained(first, [Match(second.id, 0.0, probability, question=second)])
    told = (probability, first.id, second.id, first.title, second.title, match.reason)
    return dict(zip(PAIR_COLUMNS, told, strict=True))


def group_records(engine: Engine, grouping: Grouping, least: float) -> Iterator[Record]:
    """The groups, largest first, each with its canonical question and the pair that it hangs by."""
    groups = grouping.groups(least)
    yield from map(partial(_group_record, engine), groups.whole(groups.all))


def _group_record(engine: Engine, group: WholeGroup) -> Record:
    question = group.canonical.question
    matches = [
        Match(member.question.id, 0.0, member.probability, question=member.question)
        for member in group.members
    ]
    reasons = {match.id: match.reason for match in engine.explained(question, matches)}
    return {
        "canonical": question.id,
        "canonical_title": question.title,
        "why": group.canonical.why,
        "size": group.size,
        "weakest": group.weakest,
        "weakest_pair": list(group.weakest_pair) if group.weakest_pair else None,
        "members": [
            {
                "id": member.question.id,
                "title": member.question.title,
                "probability": member.probability,
                "confirmed": member.confirmed,
                "reason": reasons[member.question.id],
            }
            for member in group.members
        ],
    }


def pairs_as_csv(records: Iterable[Record]) -> Iterator[str]:
    """A header, and a line for each pair."""
    yield csv_line(PAIR_COLUMNS)
    for record in records:
        yield csv_line([record[column] for column in PAIR_COLUMNS])


def groups_as_csv(records: Iterable[Record]) -> Iterator[str]:
    """A header, and a line for each question that is to be closed in favour of another one."""
    yield csv_line(MEMBER_COLUMNS)
    for number, record in enumerate(records, start=1):
        first, second = record["weakest_pair"] or (None, None)
        for member in record["members"]:
            row = {"group": number, "weakest_first": first, "weakest_second": second, **record, **member}
            yield csv_line(["" if row[column] is None else row[column] for column in MEMBER_COLUMNS])
