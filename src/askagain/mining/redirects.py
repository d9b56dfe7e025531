"""Redirects from confirmed duplicates to the question that stands for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from askagain.archive import Archive
from askagain.mining.canonical import canonical_of
from askagain.mining.csvlines import csv_line
from askagain.mining.groups import IdPair, groups_of
from askagain.question import Question, Verdict

_HEADER: Final = ("from_id", "to_id", "from_url", "to_url")


@dataclass(frozen=True, slots=True)
class Redirect:
    """Who opens the one question is to be sent to the other."""

    from_question: Question
    to_question: Question


def redirects(archive: Archive) -> Iterator[Redirect]:
    """From every question that people called a duplicate to the canonical one of its group.

    Nobody is sent to a question that people called different, even if they contradict themselves.
    """
    confirmed, rejected = (_marked(archive, verdict) for verdict in Verdict)
    links = Counter(id_ for pair in confirmed for id_ in pair)
    for group in groups_of((), confirmed, rejected, least=1.0):
        questions = archive.get_many(group.members)
        if not questions:
            continue
        canonical = canonical_of(list(questions.values()), links).question
        barred = {id_ for pair in group.contradictions if canonical.id in pair for id_ in pair}
        for id_ in group.members:
            if id_ in questions and id_ != canonical.id and id_ not in barred:
                yield Redirect(questions[id_], canonical)


def to_csv(table: Iterable[Redirect]) -> Iterator[str]:
    """The lines of a CSV file with a header."""
    yield csv_line(_HEADER)
    for redirect in table:
        source, target = redirect.from_question, redirect.to_question
        yield csv_line([source.id, target.id, source.url, target.url])


def _marked(archive: Archive, verdict: Verdict) -> list[IdPair]:
    return [(mark.first, mark.second) for mark in archive.marks(verdict)]
