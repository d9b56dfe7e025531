"""What people said of suggestions, as marks: the questions that they typed stand beside the archive's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from askagain.question import Feedback, Mark, Question, Verdict


class Typed(NamedTuple):
    """Questions by ids that are made up here, and their marks; each names the archive's question first."""

    questions: Mapping[str, Question]
    marks: list[Mark]


def typed_questions(feedback: Iterable[Feedback]) -> Typed:
    """Each different question once. Where people disagree, those who say the same are believed."""
    ids: dict[tuple[str, str], str] = {}
    marks: dict[tuple[str, str], Mark] = {}
    for each in feedback:
        id_ = ids.setdefault((each.title, each.body), f"(typed) {len(ids) + 1}")
        if (each.found, id_) not in marks or each.verdict is Verdict.DUPLICATE:
            marks[each.found, id_] = Mark(each.found, id_, each.verdict, each.who, each.when)
    questions = {id_: Question(title, body, id_) for (title, body), id_ in ids.items()}
    return Typed(questions, list(marks.values()))
