"""The vote of several judges (U16): a candidate counts as a duplicate if most of them say so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from askagain.question import Question, Reason
from askagain.rerank.judges.base import Judge


class VoteJudge:
    """The score is the share of judges that say yes, so that most scores are equal: ties keep their order."""

    threshold: Final = 0.5

    def __init__(self, members: Mapping[str, Judge]) -> None:
        self._members = members

    def score(self, query: Question, candidates: Sequence[Question]) -> list[float]:
        """With three judges 0, 1/3, 2/3 or 1."""
        votes = [
            [score > judge.threshold for score in judge.score(query, candidates)]
            for judge in self._members.values()
        ]
        return [sum(given) / len(votes) for given in zip(*votes, strict=True)]

    def explain(self, query: Question, candidate: Question) -> list[Reason]:
        """Who said yes, each with its share of the vote; those who said no have none."""
        share = 1 / len(self._members)
        votes = {
            name: judge.score(query, [candidate])[0] > judge.threshold
            for name, judge in self._members.items()
        }
        ordered = sorted(votes, key=lambda name: not votes[name])
        return [Reason(name, "vote", share if votes[name] else 0.0) for name in ordered]
