"""A lexical similarity as a Ranker."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from askagain.lexical.index import Hits, Scoring
from askagain.lexical.view import LexicalView
from askagain.question import Match, Question, Reason
from askagain.ranker import matches_of


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
        [matches] = self.search_together([question], k)
        return matches

    def search_together(self, questions: Sequence[Question], k: int = 10) -> list[list[Match]]:
        """The same for several questions at once."""
        # One more than asked for: the question itself may be among them.
        hits = self.hits_of_many(questions, k + 1)
        found = self.view.archive.by_numbers({number for some in hits for number in some.numbers.tolist()})
        return [
            matches_of(question, some.numbers, some.scores, found)[:k]
            for question, some in zip(questions, hits, strict=True)
        ]

    def hits(self, question: Question, k: int) -> Hits:
        """The archive's numbers of the k best questions; the question itself may be among them."""
        [hits] = self.hits_of_many([question], k)
        return hits

    def hits_of_many(self, questions: Sequence[Question], k: int) -> list[Hits]:
        """The same for many questions at once, which is faster."""
        return self.hits_to_come(questions, k)()

    def hits_to_come(self, questions: Sequence[Question], k: int) -> Callable[[], list[Hits]]:
        """The same, to be called for: whoever asks several rankers need not wait for one after the other."""
        queries = [self.view.query_terms(question) for question in questions]
        return self.view.search_to_come(queries, self.scoring, k)

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
