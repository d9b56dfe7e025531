"""A lexical similarity as a Ranker."""

from __future__ import annotations

from collections.abc import Sequence

from askagain.lexical.index import Scoring
from askagain.lexical.view import LexicalView
from askagain.question import Match, Question, Reason


class LexicalRanker:
    """Searches a view of the archive; scores other questions with the same collection statistics."""

    def __init__(self, name: str, view: LexicalView, scoring: Scoring) -> None:
        self._name = name
        self._view = view
        self._scoring = scoring

    @property
    def name(self) -> str:
        """The system's name."""
        return self._name

    def search(self, question: Question, k: int = 10) -> list[Match]:
        """The k best questions, without the question itself."""
        terms = self._view.query_terms(question)
        with self._view.lock:
            self._view.catch_up()
            # One more than asked for: the question itself may be among them.
            hits = self._view.index.search([terms], self._scoring, k + 1)[0]
        found = self._view.archive.by_numbers(hits.numbers.tolist())
        matches = [
            Match(found[number].id, score, question=found[number])
            for number, score in zip(hits.numbers.tolist(), hits.scores.tolist(), strict=True)
            if number in found and not (question.id and found[number].id == question.id)
        ]
        return matches[:k]

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        """The candidates' scores, whether they are in the archive or not."""
        with self._view.lock:
            self._view.catch_up()
            scores = self._view.index.score(
                self._view.query_terms(question), self._scoring, [self._view.terms_of(c) for c in candidates]
            )
        return [float(score) for score in scores]

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """Each shared term's part in the candidate's score, in the question's words, largest first."""
        with self._view.lock:
            self._view.catch_up()
            _, shares = self._view.index.weigh(
                self._view.query_terms(question), self._scoring, [self._view.terms_of(candidate)]
            )
        words = self._view.query_words(question)
        reasons = [Reason(words.get(term, term), field, share) for (field, term), share in shares[0].items()]
        return sorted(reasons, key=lambda reason: (-reason.share, reason.term, reason.field))
