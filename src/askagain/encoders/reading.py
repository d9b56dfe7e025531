"""From questions to texts of known words, in the way that one part of a model wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askagain.analysis import Analyzer
from askagain.encoders.settings import Part
from askagain.encoders.texts import Rows, Texts, packed
from askagain.encoders.vocabulary import Vocabulary
from askagain.question import Question


@dataclass(frozen=True, slots=True)
class QuestionTexts:
    """What a part reads: for each field the text of every question.

    `strangers` are words that the vocabulary lacks, numbered on from its last; where unknown words are
    dropped there are none.
    """

    fields: tuple[Texts, ...]
    strangers: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.fields[0])

    def take(self, rows: Rows) -> QuestionTexts:
        """Some of the questions, in this order."""
        return QuestionTexts(tuple(field.take(rows) for field in self.fields), self.strangers)


def posts(part: Part, question: Question) -> tuple[str, ...]:
    """The texts of a question that a part reads, raw: one, or title and body."""
    if part.fields == "average":
        return question.title, question.body
    if part.fields == "joined":
        return (f"{question.title}\n\n{question.body}",)
    return (question.title,) if part.fields == "title" else (question.body,)


class Reader:
    """Reads questions for one part of a model."""

    def __init__(self, part: Part, vocabulary: Vocabulary) -> None:
        self.part = part
        self.vocabulary = vocabulary
        self._analyzer = Analyzer(part.analyzer)

    def terms(self, question: Question) -> list[list[str]]:
        """The terms of each field, cut after the longest that is read."""
        return [self.all_terms(post)[: self.part.longest] for post in posts(self.part, question)]

    def all_terms(self, post: str) -> list[str]:
        """The terms of one raw text."""
        return self._analyzer.terms(post)

    def words(self, question: Question) -> list[list[str]]:
        """The words whose numbers `read` gives, field by field, each in the form that the field has first."""
        texts = zip(self.terms(question), map(self._analyzer.words, posts(self.part, question)), strict=True)
        return [
            [
                words.get(term, term)
                for term in terms
                if self._keeps_strangers or term in self.vocabulary.numbers
            ]
            for terms, words in texts
        ]

    @property
    def _keeps_strangers(self) -> bool:
        return self.part.kind != "bow" and self.part.words.unknown != "dropped"

    def read(self, questions: Sequence[Question]) -> QuestionTexts:
        """All questions as numbers of words."""
        strangers: dict[str, int] | None = {} if self._keeps_strangers else None
        texts = [
            [self._numbers(terms, strangers) for terms in self.terms(question)] for question in questions
        ]
        fields = zip(*texts, strict=True) if texts else [()] * len(posts(self.part, Question("")))
        return QuestionTexts(tuple(packed(field) for field in fields), tuple(strangers or ()))

    def _numbers(self, terms: list[str], strangers: dict[str, int] | None) -> list[int]:
        if strangers is None:
            return self.vocabulary.known(terms)
        numbers, size = self.vocabulary.numbers, len(self.vocabulary)
        return [
            numbers[term] if term in numbers else size + strangers.setdefault(term, len(strangers))
            for term in terms
        ]
