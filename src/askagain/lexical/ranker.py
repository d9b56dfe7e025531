"""A lexical similarity as a Ranker."""

from __future__ import annotations

from collections.abc import Sequence

from askagain.lexical.index import Hits, Scoring
from askagain.lexical.view import LexicalView
from askagain.question import Match, Question, Reason


class LexicalRanker:
    """Searches a view of the archive; scores other questions with the same collection statistics."""

    def __init__(self, name: str, view: LexicalView, scoring: Scoring) -> None:
        self._name = name
        self.view = view
        self.scoring = scoring

    @property
    def name(self) -> str:
        """The system's name."""
        return self._name

    def search(self, question: Question, k: int = 10) -> list[Match]:
        """The k best questions, without the question itself."""
        # One more than asked for: the question itself may be among them.
        hits = self.hits(question, k + 1)
        found = self.view.archive.by_numbers(hits.numbers.tolist())
        matches = [
            Match(found[number].id, score, question=found[number])
            for number, score in zip(hits.numbers.tolist(), hits.scores.tolist(), strict=True)
            if number in found and not (question.id and found[number].id == question.id)
        ]
        return matches[:k]

    def hits(self, question: Question, k: int) -> Hits:
        """The archive's numbers of the k best questions; the question itself may be among them."""
        [hits] = self.hits_of_many([question], k)
        return hits

    def hits_of_many(self, questions: Sequence[Question], k: int) -> list[Hits]:
        """The same for many questions at once, which is faster."""
        queries = [self.view.query_terms(question) for question in questions]
        with self.view.lock:
            self.view.catch_up()
            return self.view.index.search(queries, self.scoring, k)

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        """The candidates' scores, whether they are in the archive or not."""
        with self.view.lock:
            self.view.catch_up()
            documents = self.view.index.foreign([self.view.terms_of(c) for c in candidates])
            scores = self.view.index.score(self.view.query_terms(question), self.scoring, documents)
        return [float(score) for score in scores]

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """Each shared term's part in the candidate's score, in the question's words, largest first."""
        with self.view.lock:
            self.view.catch_up()
            _, shares = self.view.index.weigh(
                self.view.query_terms(question), self.scoring, [self.view.terms_of(candidate)]
            )
        words = self.view.query_words(question)
        reasons = [Reason(words.get(term, term), field, share) for (field, term), share in shares[0].items()]
        return sorted(reasons, key=lambda reason: (-reason.share, reason.term, reason.field))
