"""A ranker without any knowledge, for tests that need to decide every result."""

from collections.abc import Callable, Mapping, Sequence

from askagain.evaluation.benchmarks import RerankingBenchmark
from askagain.question import Match, Question, Reason

# For each query's id the ids that `search` gives, or the scores that `score` gives.
Answers = Mapping[str, Sequence[str | float]]
# What the fixture `make_lists` gives: a maker of small re-ranking benchmarks.
MakeLists = Callable[..., RerankingBenchmark]


class FixedRanker:
    """A ranker that answers each query with what it was told: ids for `search`, scores for `score`."""

    def __init__(self, name: str, answers: Answers) -> None:
        self.name = name
        self.answers = answers

    def search(self, question: Question, k: int = 10) -> list[Match]:
        ids = [str(answer) for answer in self.answers[question.id]]
        return [Match(id_, float(len(ids) - position)) for position, id_ in enumerate(ids)]

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        return [float(answer) for answer in self.answers[question.id]]

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        return []
