"""The indexes of all shards as those of one archive: every system searches them as it searches one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.cluster.counting import counts_of
from askagain.cluster.shard import Call, Change
from askagain.cluster.shards import Shards
from askagain.encoders.vectors import QuestionVectors, VectorModel
from askagain.lexical.index import Hits, LexicalIndex, Scoring, Whole
from askagain.lexical.limits import LONGEST_QUERY
from askagain.lexical.view import LexicalView
from askagain.neighbours.checks import checked
from askagain.neighbours.chunk import Numbers
from askagain.neighbours.exact import Hits as VectorHits
from askagain.neighbours.exact import Scores
from askagain.neighbours.search import Method
from askagain.sources.base import Progress, no_progress
from askagain.views import LexicalKey, Views


class ShardedIndex(LexicalIndex):
    """An index without questions of its own, with the statistics of all: it scores what others have found."""

    def __init__(self, fields: Sequence[str]) -> None:
        super().__init__(fields)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def count_in(self, counts: Whole) -> None:
        """Add counts of a shard to the statistics."""
        identities = np.array([self.vocabulary[term] for term in counts.terms], dtype=np.int64)
        self.statistics.make_room(len(self.vocabulary))
        self._size += counts.size
        self.statistics.questions += counts.questions
        self.statistics.terms += counts.totals
        self.statistics.holding[:, identities] += counts.holding
        self.statistics.occurrences[:, identities] += counts.occurrences
        self._statistics_changed()

    def counts_for(self, queries: Sequence[Sequence[str]]) -> Whole:
        """The statistics of the terms of queries."""
        return counts_of(self, self._known(queries))

    def _known(self, queries: Sequence[Sequence[str]]) -> list[str]:
        """Each term that some question holds; others have nothing to say."""
        holding, vocabulary = self.statistics.holding, self.vocabulary
        terms = dict.fromkeys(chain.from_iterable(queries))
        return [term for term in terms if term in vocabulary and holding[:, vocabulary[term]].any()]


class ShardedLexicalView(LexicalView):
    """Follows the log through the shards."""

    index: ShardedIndex

    def __init__(self, archive: Any, key: LexicalKey, shards: Shards) -> None:
        super().__init__(archive, Analyzer(key[1]), key[0], None)
        self._key = key
        self._shards = shards
        self.index = ShardedIndex(key[0])
        shards.tell(self)

    def catch_up(self, progress: Progress = no_progress) -> int:
        """Know the statistics of what was written before now."""
        with self.lock:
            self._shards.catch_up()
        return 0

    def search_to_come(
        self, queries: Sequence[Sequence[str]], scoring: Scoring, k: int
    ) -> Callable[[], list[Hits]]:
        """The k best questions of all shards for each query, scored by the statistics of the whole."""
        self.catch_up()
        whole = self.index.counts_for(queries)
        # A shard may know terms that nobody holds any more, of which the whole does not tell.
        held = set(whole.terms)
        asked = [[term for term in terms[:LONGEST_QUERY] if term in held] for terms in queries]
        answers = self._shards.ask_later(Call("lexical", (self._key, asked, scoring, k, whole)))
        return lambda: [Hits(*_best(parts, k)) for parts in _by_query(answers(), len(queries))]

    def begin(self, parts: Iterable[dict[LexicalKey, Whole]]) -> None:
        """The statistics of all shards, in place of all that was known."""
        self.index = ShardedIndex(self._key[0])
        for part in parts:
            self.index.count_in(part[self._key])

    def follow(self, change: Change) -> None:
        """A change of one shard."""
        self.index.count_in(change.counts[self._key])


class ShardedVectorView:
    """The vectors of all shards."""

    def __init__(self, archive: Any, model: VectorModel, shards: Shards) -> None:
        self.archive = archive
        self.model = model
        self._shards = shards

    def search_to_come(self, queries: QuestionVectors, k: int) -> Callable[[], list[VectorHits]]:
        """The k best questions of all shards for each query, when they are called for."""
        queries = checked(queries, len(queries), self.model)
        self._shards.catch_up()
        answers = self._shards.ask_later(Call("neighbours", (self.model.identity, queries, k)))
        return lambda: [VectorHits(*_best(parts, k)) for parts in _by_query(answers(), len(queries))]

    def scores(self, query: QuestionVectors, numbers: Iterable[int]) -> dict[int, float]:
        """The scores of those of some numbers that are there, for one query."""
        asked = np.fromiter(numbers, dtype=np.int64)
        scores = self.scores_to_come(query, np.zeros(len(asked), dtype=np.int64), asked)()
        there = ~np.isnan(scores)
        return dict(zip(asked[there].tolist(), scores[there].tolist(), strict=True))

    def scores_to_come(
        self, queries: QuestionVectors, asking: Numbers, numbers: Numbers
    ) -> Callable[[], Scores]:
        """The score of each number for the query beside it; not a number where no shard has it."""
        queries = checked(queries, len(queries), self.model)
        self._shards.catch_up()
        answers = self._shards.ask_later(Call("cosines", (self.model.identity, queries, asking, numbers)))

        def scores() -> Scores:
            found = np.full(len(numbers), np.nan)
            for some in answers().values():
                # A question is in one shard.
                found = np.where(np.isnan(some), found, some)
            return found

        return scores


class ShardedViews(Views):
    """Makes the views of a cluster instead of those of one archive."""

    def __init__(self, archive: Any, shards: Shards) -> None:
        super().__init__(archive, durable=False)
        self._shards = shards

    def lexical(self, fields: tuple[str, ...], settings: AnalyzerSettings) -> LexicalView:
        """The inverted indexes over these fields, with terms made by these settings."""
        key = (fields, settings)
        if key not in self._lexical:
            self._lexical[key] = ShardedLexicalView(self.archive, key, self._shards)
        return self._lexical[key]

    def vectors(self, model: VectorModel, method: Method = "auto") -> Any:
        """The vectors that a model gives; the shards decide how they are searched."""
        return ShardedVectorView(self.archive, model, self._shards)

    def close(self) -> None:
        """Nothing is kept here."""


def _by_query(answers: Mapping[int, Sequence[Any]], queries: int) -> list[list[Any]]:
    """For each query what every shard has found."""
    return [[answer[query] for answer in answers.values()] for query in range(queries)]


def _best(parts: Sequence[Hits | VectorHits], k: int) -> tuple[Any, Any]:
    """The best of all parts: by score, and of equal scores by number."""
    if not parts:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    numbers = np.concatenate([part.numbers for part in parts])
    scores = np.concatenate([part.scores for part in parts])
    order = np.lexsort((numbers, -scores))[:k]
    return numbers[order], scores[order]
