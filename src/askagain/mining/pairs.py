"""The likely duplicate pairs of an archive as a view of it, kept in a file beside it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple, Self, TypeVar

from askagain.archive import Change
from askagain.archive.hygiene import MAX_QUESTION_CHARACTERS, length
from askagain.calibration.wishes import LEAST_LIKELY
from askagain.closing import Closing
from askagain.engine import Engine
from askagain.errors import SettingsError
from askagain.mining import pairtables
from askagain.mining.cursors import START, Place, from_cursor, to_cursor
from askagain.mining.identity import system_identity
from askagain.mining.marked import MarkedPairs
from askagain.mining.pairfile import DamagedPairsError, PairFile, PairsInMemory, pairs_at
from askagain.mining.pairtables import Finding, Order, Row, State, rows_after
from askagain.question import Question
from askagain.ranker import BulkRanker, CalibratedRanker, Ranker
from askagain.tables import check_range

FLOOR: Final = 0.02
"""Pairs that are less likely are not kept."""

NEIGHBOURS: Final = 10
"""So many matches of each question are looked at, or more if even the last of them is likely."""

MOST_NEIGHBOURS: Final = 640
"""What has been asked still more often is not found whole."""

_TIMES_AS_MANY: Final = 4

_BATCH: Final = 1000

Result = TypeVar("Result")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LikelyPair:
    """Two questions by their ids; the first of them is the one that came first into the archive."""

    first: str
    second: str
    probability: float


class LikelyMatch(NamedTuple):
    """What the search for a question has found."""

    id: str
    probability: float


Search = Callable[[Sequence[Question]], list[list[LikelyMatch]]]


@dataclass(frozen=True, slots=True)
class Page:
    """Some pairs, and the cursor for those that follow; None if nothing follows."""

    pairs: tuple[LikelyPair, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How many questions have been searched for, of how many; equal when nothing is left to do."""

    done: int
    total: int


class LikelyPairs(Closing):
    """Searches the archive for each of its questions, and remembers the likely pairs.

    Only what has changed is searched for: a new or edited question finds the old ones, but their own searches
    are not repeated, and their probabilities stay what they were. So a pair is missed if only the old
    question's search would find the new one. All questions are searched for again when the system changes.

    Several processes may use one file. One at a time searches, the others only read.
    """

    def __init__(self, engine: Engine, identity: str, file: PairFile | PairsInMemory) -> None:
        self._archive = engine.archive
        self._search: Search = partial(likely_matches, engine.ranker)
        self._identity = identity
        self._file = file
        self._marked = MarkedPairs(engine.archive)
        self._checked = False

    @classmethod
    def open(cls, engine: Engine, path: Path | None = None) -> Self:
        """The pairs as far as they are known; `catch_up` goes on from there.

        The file is `path`, or has a name of its own beside the archive. In a read-only folder the pairs are
        kept in memory.
        """
        if not isinstance(engine.ranker, CalibratedRanker):
            raise _no_probabilities(engine.ranker.name)
        identity = system_identity(engine)
        return cls(engine, identity, pairs_at(path or default_path(engine.archive.path, identity)))

    def close(self) -> None:
        """Let go of the file; engine and archive stay open."""
        self._file.close()

    # Following the archive

    def search_with(self, search: Search) -> None:
        """Another way to search for many questions, with the same results."""
        self._search = search

    def catch_up(self, most: int) -> Progress:
        """Search for at most so many of the changed questions, unless another process or thread is at it.

        What was found is kept when this returns; an interruption loses this call's work and no more.
        """
        check_range("most", most, 1, float("inf"))
        with self._file.building() as ours:
            if ours:
                try:
                    self._take_over(most)
                except DamagedPairsError as error:
                    self._discard(str(error))
        return self.progress()

    def progress(self) -> Progress:
        """How far the search has come."""
        total = len(self._archive)
        done, taken = self._read(_how_far, (0, 0))
        # An edited question has been searched for, but as it was.
        waiting = bool(list(self._archive.changes_since(taken, 1)))
        return Progress(max(0, min(done, total - 1 if waiting else total)), total)

    def _take_over(self, most: int) -> None:
        changes = self._next_changes(self._trusted().taken, most)
        if not changes:
            return
        # Read after the changes, and before the searches: older than none of the former, seen by the latter.
        position = self._archive.sequence
        findings = self._findings(changes, position.seq)
        state = State(self._identity, position, changes[-1].seq)
        with self._file.connected() as connection:
            pairtables.take_over(connection, state, changes, findings)

    def _next_changes(self, taken: int, most: int) -> list[Change]:
        """The oldest changes not taken over; fewer when they are large."""
        changes: list[Change] = []
        characters = 0
        for change in self._archive.changes_since(taken, most):
            changes.append(change)
            characters += length(change.question) if change.question is not None else 0
            if characters >= MAX_QUESTION_CHARACTERS:
                break
        return changes

    def _findings(self, changes: list[Change], at: int) -> list[Finding]:
        asked = [change for change in changes if change.question is not None]
        found = self._search([change.question for change in asked if change.question])
        likely = [(change, match) for change, some in zip(asked, found, strict=True) for match in some]
        numbers = self._archive.numbers({match.id for _, match in likely})
        # What was deleted in between has no number any more.
        return [
            Finding(change.number, numbers[match.id], match.id, match.probability, at)
            for change, match in likely
            if match.id in numbers
        ]

    # The file

    def _trusted(self) -> State:
        """How far the pairs of this archive go; if there are others in the file, they make room for them."""
        with self._file.connected() as connection:
            if not self._checked and not pairtables.is_intact(connection):
                raise DamagedPairsError(f"{self._file.path} is damaged")
            self._checked = True
            state = self._state(connection)
            if state is not None:
                return state
            is_new = pairtables.is_empty(connection)
        if not is_new:
            self._discard(f"{self._file.path} is of another version, system or history")
        new = State(self._identity, self._archive.sequence, 0)
        with self._file.connected() as connection:
            pairtables.create(connection, new)
        return new

    def _state(self, connection: sqlite3.Connection) -> State | None:
        """None if the pairs are not those of this system in this archive's history."""
        state = pairtables.state_of(connection)
        if state is None or state.identity != self._identity:
            return None
        return state if self._archive.has_seen(state.position.seq, state.position.token) else None

    def _discard(self, why: str) -> None:
        logger.warning("%s: searching for all questions anew", why)
        self._file.discard()

    def _read(self, read: Callable[[sqlite3.Connection], Result], nothing: Result) -> Result:
        """What is read from the pairs of this archive; `nothing` as long as there are none."""
        try:
            with self._file.connected() as connection:
                return nothing if self._state(connection) is None else read(connection)
        except DamagedPairsError as error:
            with self._file.building() as ours:
                if ours:
                    self._discard(str(error))
            return nothing

    # Reading

    def page(self, least: float, limit: int, after: str | None = None) -> Page:
        """Pairs that nobody has marked, most likely first, then in the order of arrival.

        `after` is the `next` of the page before. While pairs come and go, none is skipped or told twice
        unless its own probability has changed.
        """
        check_range("limit", limit, 1, float("inf"))
        rows: list[Row] = []
        start = START if after is None else from_cursor(after)
        for batch in self._batches("likelihood", least, start):
            rows += self._unmarked(batch)
            if len(rows) > limit:
                break
        next_ = to_cursor(rows[limit - 1].place) if len(rows) > limit else None
        return Page(tuple(map(_pair, rows[:limit])), next_)

    def count(self, least: float) -> int:
        """How many pairs nobody has marked."""
        check_range("least", least, 0, 1)
        marked = self._marked.now()
        return self._read(lambda connection: pairtables.count(connection, least, marked), 0)

    def all_pairs(self, least: float) -> Iterator[LikelyPair]:
        """Every pair in the order of arrival, marked or not."""
        for batch in self._batches("arrival", least, START):
            yield from map(_pair, batch)

    def _batches(self, order: Order, least: float, place: Place) -> Iterator[list[Row]]:
        """Short reads: who searches never waits long, even if the rows are used slowly."""
        check_range("least", least, 0, 1)
        none: list[Row] = []
        while batch := self._read(
            partial(rows_after, order=order, least=least, place=place, most=_BATCH), none
        ):
            yield batch
            place = batch[-1].place

    def _unmarked(self, rows: list[Row]) -> list[Row]:
        """Without those of questions that were deleted a moment ago."""
        marked = self._marked.now()
        there = self._archive.numbers({id_ for row in rows for id_ in (row.first_id, row.second_id)})
        return [
            row
            for row in rows
            if (row.first_id, row.second_id) not in marked
            and row.first_id in there
            and row.second_id in there
        ]


def likely_matches(
    ranker: Ranker, questions: Sequence[Question], k: int = NEIGHBOURS
) -> list[list[LikelyMatch]]:
    """For each question those of its k best matches that are likely enough to be kept.

    Where all of them might be suggested there are more: the question is searched for again.
    """
    likely = [
        [match for match in matches if match.probability >= FLOOR]
        for matches in _best_matches(ranker, questions, k)
    ]
    crowded = [
        place
        for place, matches in enumerate(likely)
        if len(matches) == k < MOST_NEIGHBOURS and matches[-1].probability >= LEAST_LIKELY
    ]
    if crowded:
        again = likely_matches(ranker, [questions[place] for place in crowded], k * _TIMES_AS_MANY)
        for place, matches in zip(crowded, again, strict=True):
            likely[place] = matches
    return likely


def _best_matches(ranker: Ranker, questions: Sequence[Question], k: int) -> Iterator[list[LikelyMatch]]:
    if isinstance(ranker, BulkRanker):
        found = ranker.search_many(questions, k)
    else:
        found = [ranker.search(question, k) for question in questions]
    for matches in found:
        probabilities = [match.probability for match in matches if match.probability is not None]
        if len(probabilities) < len(matches):
            raise _no_probabilities(ranker.name)
        yield [LikelyMatch(match.id, each) for match, each in zip(matches, probabilities, strict=True)]


def default_path(archive: Path, identity: str) -> Path:
    """Where the pairs of an archive are kept: each system, as it has learned, has a file of its own."""
    return archive.with_name(f"{archive.name}.{sha256(identity.encode()).hexdigest()[:8]}.pairs")


def _how_far(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many questions have been searched for, and the last change that was taken over."""
    state = pairtables.state_of(connection)
    return pairtables.searched(connection), state.taken if state else 0


def _pair(row: Row) -> LikelyPair:
    return LikelyPair(row.first_id, row.second_id, row.place.probability)


def _no_probabilities(system: str) -> SettingsError:
    return SettingsError(
        f"{system} gives no probabilities, so it cannot tell likely pairs: train a system that does "
        "(askagain train best), or use best"
    )
