"""Where a cluster is asked: an engine over all shards, and a desk for reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from askagain.archive import Archive
from askagain.closing import Closing
from askagain.cluster.layout import ClusterFolder, Generation
from askagain.cluster.questions import ShardedQuestions
from askagain.cluster.shards import Transport, opened, settled
from askagain.cluster.views import ShardedViews
from askagain.engine import Engine, Explain, explainer_of
from askagain.question import Match, Question
from askagain.ranker import TogetherRanker
from askagain.systems import load_system, make_ranker

Reach = Callable[[Generation], Transport]
"""How the shards of a generation are reached."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, how many matches are wanted, how likely they must be, and whether to explain them."""

    question: Question
    k: int = 10
    least: float | None = None
    explained: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found; `missing` are shards that did not answer, `position` is that of the log."""

    matches: list[Match]
    missing: tuple[int, ...]
    position: int
    generation: int


class ShardedEngine(Closing):
    """An engine over all shards of one generation. One thread at a time may use it."""

    def __init__(self, folder: ClusterFolder, generation: Generation, transport: Transport) -> None:
        self.generation = generation
        self.shards = opened(folder, generation, transport)
        # What rankers and views read of an archive, it has.
        questions = cast(Archive, ShardedQuestions(folder.path, self.shards))
        views = ShardedViews(questions, self.shards)
        recipe = load_system(generation.recipe)
        model = generation.model
        ranker = make_ranker(recipe, views, model)
        self.engine = Engine(questions, ranker, views, explainer_of(views, recipe))

    def get_ready(self) -> None:
        """Do now what the first search would have to wait for."""
        self.search(Asked(Question(title="ready?"), 1))

    def search(self, asked: Asked) -> Found:
        """The same matches as those of one machine with all the questions, unless shards are missing."""
        [found] = self.search_together([asked])
        return found

    def search_together(self, many: Sequence[Asked]) -> list[Found]:
        """The same for several questions, which are answered at one position of the log."""
        matches = settled(lambda: self._matches_at_one_position(many))
        missing = tuple(sorted(self.shards.missing))
        return [Found(some, missing, self.shards.position, self.generation.number) for some in matches]

    def _matches_at_one_position(self, many: Sequence[Asked]) -> list[list[Match]]:
        with self.shards.at_one_position():
            return self._matches(many)

    def _matches(self, many: Sequence[Asked]) -> list[list[Match]]:
        """Those who want equally many are searched for together: how many are wanted can change a ranking."""
        matches: dict[Asked, list[Match]] = {}
        for k in {asked.k for asked in many}:
            some = [asked for asked in many if asked.k == k]
            found = self._found([asked.question for asked in some], k)
            for asked, each in zip(some, found, strict=True):
                explain: Explain = "words" if asked.explained else "none"
                matches[asked] = self.engine.told(asked.question, each, explain, asked.least)
        return [matches[asked] for asked in many]

    def _found(self, questions: Sequence[Question], k: int) -> list[list[Match]]:
        ranker = self.engine.ranker
        if isinstance(ranker, TogetherRanker):
            return ranker.search_together(questions, k)
        return [ranker.search(question, k) for question in questions]

    def close(self) -> None:
        """Let go of the shards."""
        self.shards.close()
