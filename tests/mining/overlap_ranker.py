"""A ranker that is quick, gives probabilities, and judges a pair differently from either side."""

from collections.abc import Sequence
from pathlib import Path

from askagain import Archive, Engine, Match, Question, Reason
from askagain.mining.pairs import LikelyPair, LikelyPairs
from askagain.views import Views


class OverlapRanker:
    """A match is as likely as the share of the asked question's words that it has."""

    name = "overlap"
    threshold = 0.5
    is_calibrated = True

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self.asked: list[str] = []

    def search(self, question: Question, k: int = 10) -> list[Match]:
        self.asked.append(question.id)
        others = [other for other in self._archive.questions() if other.id != question.id]
        shares = self.score(question, others)
        ranked = sorted(zip(shares, others, strict=True), key=lambda one: (-one[0], one[1].id))
        return [Match(other.id, share, share, question=other) for share, other in ranked[:k]]

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        words = set(question.title.split())
        return [len(words & set(other.title.split())) / max(1, len(words)) for other in candidates]

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        return []


def engine_of(archive: Archive, ranker: OverlapRanker | None = None) -> Engine:
    return Engine(archive, ranker or OverlapRanker(archive), Views(archive, durable=False))


def finish(pairs: LikelyPairs, step: int = 1000) -> None:
    """Catch up with the whole archive."""
    while (progress := pairs.catch_up(step)).done < progress.total:
        pass


def known(pairs: LikelyPairs) -> dict[tuple[str, str], float]:
    """Every pair with its probability."""
    return {(pair.first, pair.second): pair.probability for pair in pairs.all_pairs(0.0)}


def mined_in_memory(archive: Archive) -> dict[tuple[str, str], float]:
    """What an uninterrupted search of the whole archive finds."""
    with LikelyPairs.open(engine_of(archive), Path("/dev/null/no folder")) as fresh:
        finish(fresh)
        return known(fresh)


def told(pairs: Sequence[LikelyPair]) -> list[tuple[str, str]]:
    return [(pair.first, pair.second) for pair in pairs]
