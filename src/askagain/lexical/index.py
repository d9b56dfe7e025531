"""The live inverted index: exact statistics, exact top k, after any sequence of adds, edits and deletes."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askagain.errors import SettingsError
from askagain.jit import Arrays
from askagain.lexical import exact, pruned
from askagain.lexical.lengths import LONGEST, seen_lengths
from askagain.lexical.limits import LONGEST_QUERY
from askagain.lexical.segment import (
    BLOCK,
    MOST_TERMS,
    Documents,
    Segment,
    build_segment,
    join_documents,
    pack,
)
from askagain.lexical.similarities import FieldStatistics, Similarity
from askagain.lexical.statistics import CollectionStatistics
from askagain.lexical.tail import Tail

_MOST_SCORINGS: Final = 64

Entry = tuple[int, Sequence[Sequence[str]]]
"""A question's number and its terms, one list per field."""


class Hits(NamedTuple):
    """Numbers and scores of the best questions, best first."""

    numbers: NDArray[np.int64]
    scores: NDArray[np.float64]


class Scoring(NamedTuple):
    """How to score: the similarity, a boost per field, and options.

    `most_terms` keeps only the query's most telling terms: those with the highest frequency · log(N / n).
    `coarse_lengths` sees field lengths in Lucene's steps.
    """

    similarity: Similarity
    boosts: tuple[float, ...]
    most_terms: int = LONGEST_QUERY
    coarse_lengths: bool = False


class ListScores(NamedTuple):
    """The score of each question that asks for itself, and those of what was found, list after list."""

    of_itself: NDArray[np.float64]
    of_found: NDArray[np.float64]


class Whole(NamedTuple):
    """Statistics of a collection of which an index holds a part; per term of a query, one column.

    size: questions in all; questions, totals: (fields,) those that have the field, and their terms in all.
    holding, occurrences: (fields, terms) questions that hold the term, and how often it occurs.
    """

    terms: tuple[str, ...]
    size: int
    questions: NDArray[np.int64]
    totals: NDArray[np.int64]
    holding: NDArray[np.int32]
    occurrences: NDArray[np.int64]


class LexicalIndex:
    """Questions as bags of terms in named fields, each known by the archive's number."""

    def __init__(self, fields: Sequence[str]) -> None:
        self.fields = tuple(fields)
        self.vocabulary: defaultdict[str, int] = defaultdict()
        self.vocabulary.default_factory = self.vocabulary.__len__
        self.segments: list[Segment] = []
        self.statistics = CollectionStatistics(len(self.fields))
        self.longest = 1
        self._tail = Tail(len(self.fields))
        self._scorings: dict[tuple[Scoring, tuple[FieldStatistics, ...]], tuple[Any, ...]] = {}
        self._scratch = threading.local()

    @classmethod
    def of_segment(cls, fields: Sequence[str], terms: Sequence[str], segment: Segment) -> Self:
        """An index of one segment, whose term identities count the given terms."""
        index = cls(fields)
        index.vocabulary.update(zip(terms, range(len(terms)), strict=True))
        index.segments.append(segment)
        index.statistics.make_room(len(terms))
        index.statistics.add(segment.documents)
        index._see_lengths(segment.documents)
        return index

    def __len__(self) -> int:
        return sum(segment.living for segment in self.segments) + int(np.count_nonzero(self._tail.alive))

    # Changes

    def add(self, entries: Iterable[Entry]) -> None:
        """Take questions in whose numbers are not there."""
        try:
            documents = self._documents(entries)
        finally:  # terms that were met on the way to an error are known, and must have room
            self.statistics.make_room(len(self.vocabulary))
        if not documents.size:
            return
        self._statistics_changed()
        self._see_lengths(documents)
        self.statistics.add(documents)
        if documents.size > self._tail.room:
            self._freeze(documents)
        else:
            self._tail.append(documents)

    def remove(self, number: int) -> bool:
        """Delete a question; False if it is not there."""
        if (place := self._tail.find(number)) is not None:
            self.statistics.remove(self._tail.documents, place)
            self._tail.kill(number)
            self._statistics_changed()
            return True
        for segment in self.segments:
            if (place := segment.find(number)) is not None:
                self.statistics.remove(segment.documents, place)
                segment.alive[place] = 0
                self._statistics_changed()
                return True
        return False

    def get_ready(self) -> None:
        """Do now what the first edit or delete would have to wait for."""
        for segment in self.segments:
            segment.find(0)

    def compact(self) -> None:
        """Everything in one segment, deleted questions gone."""
        parts = [(segment.documents, segment.alive) for segment in self.segments]
        if self._tail.count or len(parts) != 1 or not parts[0][1].all():
            documents = join_documents([*parts, self._tail.living()])
            self.segments = [build_segment(documents, len(self.vocabulary))]
            self._tail = Tail(len(self.fields))

    def _statistics_changed(self) -> None:
        self._scorings.clear()

    def _see_lengths(self, documents: Documents) -> None:
        longest = int(documents.lengths.max(initial=0))
        if longest > self.longest:
            self.longest = longest
            self._scorings.clear()

    def _documents(self, entries: Iterable[Entry]) -> Documents:
        numbers: list[int] = []
        tokens: list[int] = []
        starts = [0]
        term_of = self.vocabulary.__getitem__
        parts: list[Documents] = []
        for number, texts in entries:
            numbers.append(number)
            for terms in texts:
                tokens.extend(map(term_of, terms))
                starts.append(len(tokens))
            if len(tokens) > 1_000_000:
                parts.append(self._packed(numbers, tokens, starts))
                numbers, tokens, starts = [], [], [0]
        parts.append(self._packed(numbers, tokens, starts))
        if len(self.vocabulary) > MOST_TERMS:
            raise SettingsError(
                f"the index has {len(self.vocabulary):,} distinct terms and can hold {MOST_TERMS:,}: "
                "use shorter word n-grams or split the archive"
            )
        if len(parts) == 1:
            return parts[0]
        return join_documents([(part, np.ones(part.size, dtype=np.uint8)) for part in parts])

    def _packed(self, numbers: Sequence[int], tokens: ArrayLike, starts: ArrayLike) -> Documents:
        token_starts = np.asarray(starts, dtype=np.int64)
        entry_starts, entries = pack(np.asarray(tokens, dtype=np.int64), token_starts)
        lengths = np.minimum(np.diff(token_starts), LONGEST).astype(np.uint16)
        lengths = np.ascontiguousarray(lengths.reshape(len(numbers), len(self.fields)).T)
        return Documents(np.array(numbers, dtype=np.uint32), lengths, entry_starts, entries)

    def _freeze(self, added: Documents) -> None:
        """Tail and new documents become a segment, joined with older ones that are not much larger."""
        parts = [self._tail.living(), (added, np.ones(added.size, dtype=np.uint8))]
        size = sum(int(np.count_nonzero(alive)) for _, alive in parts)
        while self.segments and self.segments[-1].living <= 2 * size:
            segment = self.segments.pop()
            parts.append((segment.documents, segment.alive))
            size += segment.living
        self.segments.append(build_segment(join_documents(parts), len(self.vocabulary)))
        self._tail = Tail(len(self.fields))

    # Search

    def search(
        self, queries: Sequence[Sequence[str]], scoring: Scoring, k: int, whole: Whole | None = None
    ) -> list[Hits]:
        """The k best questions for each query; a term that is said twice counts twice.

        As a part of a whole, they are scored by its statistics, which must tell of every term that it knows.
        """
        k = min(k, self._tail.count + sum(segment.documents.size for segment in self.segments))
        if k < 1:
            return [Hits(np.zeros(0, dtype=np.int64), np.zeros(0))] * len(queries)
        statistics = self.statistics if whole is None else self._as_part_of(whole)
        asked = self._asked(queries)
        tops = (np.zeros((len(queries), k)), np.zeros((len(queries), k), dtype=np.int64))
        found = np.zeros(len(queries), dtype=np.int64)
        how = (asked, self._prepared(scoring, statistics), statistics.arrays)
        clause_of, sums, taken = self._buffers()
        tail = self._tail
        if tail.count:
            exact.search_all(*how, tuple(tail.documents), tail.alive, tail.count, clause_of, found, tops)
        for segment in self.segments:
            pruned.search_segment(*how, *segment.arrays, (clause_of, sums, taken), found, tops)
        scores, numbers = tops
        return [Hits(numbers[place, :n], scores[place, :n]) for place, n in enumerate(found.tolist())]

    def score(self, terms: Sequence[str], scoring: Scoring, documents: Documents) -> NDArray[np.float64]:
        """Scores of documents, in the index or not."""
        scores: NDArray[np.float64] = self._weighed(terms, scoring, documents)[2]
        return scores

    def score_lists(
        self, lists: Arrays, tokens: NDArray[np.int64], starts: NDArray[np.int64], scoring: Scoring,
        documents: Documents,
    ) -> ListScores:  # fmt: skip
        """Scores of documents that are found for others.

        Lists are (asked, found, where each begins in found), by the documents' places; the documents are made
        of these tokens by `foreign_tokens`.
        """
        asked, found, _ = lists
        begins = np.ascontiguousarray(starts[:: len(self.fields)])
        scores = np.zeros(len(asked)), np.zeros(len(found))
        clause_of, _, _ = self._buffers()
        exact.score_lists(
            lists, (tokens, begins), self._prepared(scoring, self.statistics), self.statistics.arrays,
            tuple(documents), clause_of, scores,
        )  # fmt: skip
        return ListScores(*scores)

    def _weighed(self, terms: Sequence[str], scoring: Scoring, documents: Documents) -> Arrays:
        identities, _ = self._asked([terms])
        clause_of, _, _ = self._buffers()
        weighed: Arrays = exact.weigh(
            identities,
            self._prepared(scoring, self.statistics),
            self.statistics.arrays,
            tuple(documents),
            clause_of,
        )
        return weighed

    def weigh(
        self, terms: Sequence[str], scoring: Scoring, texts: Sequence[Sequence[Sequence[str]]]
    ) -> tuple[NDArray[np.float64], list[dict[tuple[str, str], float]]]:
        """Scores of given texts (terms per field), and what each (field, term) gives."""
        clause_field, clause_term, scores, table = self._weighed(terms, scoring, self.foreign(texts))
        term_of = {self.vocabulary[term]: term for term in terms if term in self.vocabulary}
        clauses = [(self.fields[f], term_of[term]) for f, term in zip(clause_field, clause_term, strict=True)]
        shares = [
            {clause: share for clause, share in zip(clauses, row, strict=True) if share > 0}
            for row in table.tolist()
        ]
        return scores, shares

    def foreign(self, texts: Sequence[Sequence[Sequence[str]]]) -> Documents:
        """Documents that are not taken in, from their terms per field."""
        fields = [terms for text in texts for terms in text]
        tokens = self.identities([term for terms in fields for term in terms])
        return self.foreign_tokens(tokens, np.cumsum([0, *map(len, fields)], dtype=np.int64))

    def foreign_tokens(self, tokens: NDArray[np.int64], starts: NDArray[np.int64]) -> Documents:
        """The same from identities of terms; the fields of a document stand one after the other."""
        documents = self._packed(range((len(starts) - 1) // len(self.fields)), tokens, starts)
        self._see_lengths(documents)
        return documents

    def identities(self, terms: Sequence[str]) -> NDArray[np.int64]:
        """By what each term is known; those that are not known have one that no question has."""
        unknown = len(self.vocabulary)
        self.statistics.make_room(unknown + 1)
        known = self.vocabulary.get
        return np.array([known(term, unknown) for term in terms], dtype=np.int64)

    def _asked(self, queries: Sequence[Sequence[str]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Known terms of all queries in one array, and where each query begins."""
        identities: list[int] = []
        starts = [0]
        for terms in queries:
            known = map(self.vocabulary.get, terms[:LONGEST_QUERY])
            identities.extend(identity for identity in known if identity is not None)
            starts.append(len(identities))
        return np.array(identities, dtype=np.int64), np.array(starts, dtype=np.int64)

    def _as_part_of(self, whole: Whole) -> CollectionStatistics:
        """The whole's statistics of its terms by their identities here; those of other terms mean nothing."""
        identities = [self.vocabulary[term] for term in whole.terms]
        self.statistics.make_room(len(self.vocabulary))
        statistics = self._borrowed()
        statistics.questions, statistics.terms = whole.questions, whole.totals
        statistics.holding[:, identities] = whole.holding
        statistics.occurrences[:, identities] = whole.occurrences
        return statistics

    def _borrowed(self) -> CollectionStatistics:
        """Room of the calling thread for statistics, as large as that for one's own."""
        local = self._scratch
        known = getattr(local, "borrowed", None)
        if known is None or known.holding.shape != self.statistics.holding.shape:
            local.borrowed = CollectionStatistics(len(self.fields))
            local.borrowed.make_room(self.statistics.holding.shape[1])
        borrowed: CollectionStatistics = local.borrowed
        return borrowed

    def _prepared(self, scoring: Scoring, statistics: CollectionStatistics) -> tuple[Any, ...]:
        """What a scoring means for the present statistics: kept until they change."""
        fields = tuple(statistics.field(f) for f in range(len(self.fields)))
        key = (scoring, fields)
        if key not in self._scorings:
            if len(self._scorings) >= _MOST_SCORINGS:
                self._scorings.clear()
            similarity = scoring.similarity
            lengths = seen_lengths(self.longest, coarse=scoring.coarse_lengths)
            factors = np.array([similarity.length_factors(lengths, field) for field in fields])
            boosts, parameters = np.array(scoring.boosts), np.array(similarity.numbers(), dtype=np.float64)
            self._scorings[key] = (boosts, scoring.most_terms, similarity.shape, parameters, factors)
        return self._scorings[key]

    def _buffers(self) -> tuple[NDArray[np.uint16], NDArray[np.float32], NDArray[np.uint16]]:
        """Working memory of the calling thread."""
        local = self._scratch
        capacity = self.statistics.holding.shape
        if getattr(local, "clause_of", None) is None or local.clause_of.shape != capacity:
            local.clause_of = np.zeros(capacity, dtype=np.uint16)
            local.sums = np.zeros(BLOCK, dtype=np.float32)
            local.taken = np.zeros(BLOCK, dtype=np.uint16)
        return local.clause_of, local.sums, local.taken
