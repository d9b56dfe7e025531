"""The choice between exact and approximate search, which falls anew when the number of rows has changed."""

from __future__ import annotations

import logging
from typing import Final, Literal

import numpy as np

from askagain.encoders.vectors import QuestionVectors
from askagain.errors import MissingExtraError
from askagain.neighbours import exact
from askagain.neighbours.approximate import ApproximateIndex
from askagain.neighbours.exact import Hits
from askagain.neighbours.partition import Partition, can_be_partitioned, require_faiss
from askagain.neighbours.rows import Rows, selected

Method = Literal["auto", "exact", "approximate"]
"""Automatic is: exact up to some number of rows, approximate beyond."""

_QUERIES_AT_ONCE: Final = 256

logger = logging.getLogger(__name__)


class NeighbourSearch:
    """Searches rows by a method."""

    def __init__(
        self, rows: Rows, partition: Partition | None, columns: int, method: Method, exact_up_to: int
    ) -> None:
        self.rows = rows
        self.partition = partition
        self._columns = columns
        self._method = method
        self._exact_up_to = exact_up_to
        self._approximate: ApproximateIndex | None = None

    def get_ready(self) -> bool:
        """Partition the rows if the search needs that; whether it was done."""
        if not self._is_approximate():
            return False
        if self.partition is None or self.partition.is_outdated(self.rows):
            self._approximate = ApproximateIndex.build(self.rows)
            self.partition = self._approximate.partition
            return True
        if self._approximate is None:
            self._approximate = ApproximateIndex(self.rows, self.partition)
        return False

    def search(self, queries: QuestionVectors, k: int) -> list[Hits]:
        """The k best rows for each query."""
        hits: list[Hits] = []
        for begin in range(0, len(queries), _QUERIES_AT_ONCE):
            some = selected(queries, np.arange(begin, min(begin + _QUERIES_AT_ONCE, len(queries))))
            if self._approximate is not None and self._is_approximate():
                hits += self._approximate.search(some, k, self._columns)
            else:
                hits += exact.search(self.rows, some, k, self._columns)
        return hits

    def _is_approximate(self) -> bool:
        if self._method == "exact" or not can_be_partitioned(self.rows):
            return False
        if self._method == "auto":
            return len(self.rows) > self._exact_up_to and self._has_faiss()
        return True

    def _has_faiss(self) -> bool:
        try:
            require_faiss()
        except MissingExtraError as error:
            logger.warning("%s; until then %d questions are searched exactly", error, len(self.rows))
            self._method = "exact"
            return False
        return True
