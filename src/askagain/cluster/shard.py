"""One shard: an archive of some of the questions, with its indexes, that follows the log."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from askagain.archive import Archive
from askagain.closing import Closing
from askagain.cluster.counting import all_counts, counts_of, difference
from askagain.cluster.layout import ARCHIVE, Generation
from askagain.cluster.log import Delete, Entry, Put, WriteLog, fingerprint
from askagain.cluster.placing import shard_of
from askagain.encoders.vectors import QuestionVectors
from askagain.engine import Engine
from askagain.errors import ClusterError
from askagain.lexical.index import Hits, Scoring, Whole
from askagain.lexical.view import LexicalView
from askagain.neighbours.chunk import Numbers
from askagain.neighbours.exact import Hits as VectorHits
from askagain.neighbours.exact import Scores as VectorScores
from askagain.question import Question
from askagain.sources.base import Progress, no_progress
from askagain.views import LexicalKey

POSITION: Final = "cluster position"
"""The note in a shard's archive of how far it has followed the log."""

_ENTRY: Final = "cluster entry"
"""The note of the fingerprint of the last entry that it took over."""

_REMEMBERED_CHANGES: Final = 1000


class Call(NamedTuple):
    """One thing that a shard is asked: the name of a method, and its arguments."""

    method: str
    arguments: tuple[Any, ...] = ()


class Answer(NamedTuple):
    """Where the shard stands, and what it has to say; nothing if it is not where it was asked to be."""

    position: int
    results: tuple[Any, ...]


class Change(NamedTuple):
    """What an entry of the log has changed in the statistics of each index."""

    position: int
    counts: dict[LexicalKey, Whole]


class Shard(Closing):
    """Answers at one position of the log at a time; it goes on when it is asked at a later one."""

    def __init__(self, number: int, shards: int, engine: Engine, log: WriteLog) -> None:
        self.number = number
        self._shards = shards
        self._engine = engine
        self._log = log
        self._position = position_of(engine.archive)
        self._changes: deque[Change] = deque(maxlen=_REMEMBERED_CHANGES)
        self._knows_since = self._position

    @classmethod
    def open(
        cls,
        generation: Generation,
        number: int,
        folder: Path,
        log: WriteLog,
        progress: Progress = no_progress,
    ) -> Self:
        """The shard of a generation in a folder of its own, where its archive is."""
        path = folder / ARCHIVE
        engine = Engine.open(path, generation.recipe, model=generation.model, progress=progress)
        return cls(number, generation.shards, engine, log)

    def close(self) -> None:
        """Save the indexes, and let go of the archive."""
        self._engine.close()

    @property
    def position(self) -> int:
        """How far it has followed the log."""
        return self._position

    def follows(self, log_end: int) -> bool:
        """Whether what it took over is in the log: a copy of the cluster's folder may have another one."""
        noted = self._engine.archive.noted(_ENTRY)
        if self._position > log_end:
            return False
        if noted is None or not self._log.has(self._position):
            return True
        return noted == fingerprint(self._log.read(self._position))

    def answer(self, position: int, calls: Sequence[Call]) -> Answer:
        """What it is asked, all at this position; nothing if it is further already."""
        self.advance(position)
        if self._position != position:
            return Answer(self._position, ())
        return Answer(position, tuple(getattr(self, f"_{call.method}")(*call.arguments) for call in calls))

    # Following the log

    def advance(self, position: int) -> None:
        """Take over the entries of the log up to a position."""
        while self._position < position:
            self._take_over(self._log.read(self._position + 1))

    def _take_over(self, entry: Entry) -> None:
        own = [write for write in entry.writes if shard_of(write.id, self._shards) == self.number]
        archive = self._engine.archive
        before = self._counts_with(own)
        with archive.transaction():
            for write in own:
                if isinstance(write, Delete):
                    archive.delete(write.id)
                else:
                    archive.put_numbered([(write.number, write.question)])
            archive.note(POSITION, str(entry.position))
            archive.note(_ENTRY, fingerprint(entry))
        self._position = entry.position
        if own:
            after = {
                key: counts_of(self._caught_up(key).index, counts.terms) for key, counts in before.items()
            }
            counts = {key: difference(after[key], before[key]) for key in before}
            self._changes.append(Change(entry.position, counts))

    def _counts_with(self, writes: Iterable[Put | Delete]) -> dict[LexicalKey, Whole]:
        """The counts of all terms that the questions have, or will have."""
        writes = list(writes)
        if not writes:
            return {}
        texts = [*self._engine.archive.get_many(write.id for write in writes).values()]
        texts += [write.question for write in writes if isinstance(write, Put)]
        counts = {}
        for key in self._engine.views.lexical_keys():
            view = self._caught_up(key)
            terms = {term for text in texts for field in view.terms_of(text) for term in field}
            counts[key] = counts_of(view.index, sorted(terms))
        return counts

    def _caught_up(self, key: LexicalKey) -> LexicalView:
        view = self._engine.views.lexical(*key)
        view.catch_up()
        return view

    # What it can be asked

    def _count(self) -> int:
        return len(self._engine.archive)

    def _statistics(self) -> dict[LexicalKey, Whole]:
        return {key: all_counts(self._caught_up(key).index) for key in self._engine.views.lexical_keys()}

    def _changes_since(self, position: int) -> list[Change] | None:
        """None if it does not know that long ago."""
        if position < self._knows_since:
            return None
        if len(self._changes) == self._changes.maxlen and self._changes[0].position > position + 1:
            return None
        return [change for change in self._changes if change.position > position]

    def _lexical(
        self, key: LexicalKey, queries: Sequence[Sequence[str]], scoring: Scoring, k: int, whole: Whole
    ) -> list[Hits]:
        view = self._engine.views.lexical(*key)
        with view.lock:
            view.catch_up()
            return view.index.search(queries, scoring, k, whole)

    def _neighbours(self, identity: str, queries: QuestionVectors, k: int) -> list[VectorHits]:
        return self._engine.views.vectors_of(identity).search(queries, k)

    def _cosines(
        self, identity: str, queries: QuestionVectors, asking: Numbers, numbers: Numbers
    ) -> VectorScores:
        return self._engine.views.vectors_of(identity).scores_of_pairs(queries, asking, numbers)

    def _by_numbers(self, numbers: Sequence[int]) -> dict[int, Question]:
        return self._engine.archive.by_numbers(numbers)

    def _by_ids(self, ids: Sequence[str]) -> dict[str, Question]:
        return self._engine.archive.get_many(ids)

    def _numbers(self, ids: Sequence[str]) -> dict[str, int]:
        return self._engine.archive.numbers(ids)

    def _some(self, after: int, most: int) -> list[tuple[int, Question]]:
        """Of the questions with higher numbers the first ones, with their numbers."""
        return self._engine.archive.numbered(after, most)

    def _part_ends(self, questions: int) -> list[tuple[int, int]]:
        """The last numbers of parts of so many questions, and how many there are in each."""
        numbers = self._engine.archive.all_numbers()
        starts = range(0, len(numbers), questions)
        return [(part[-1], len(part)) for start in starts if (part := numbers[start : start + questions])]


def position_of(archive: Archive) -> int:
    """How far a shard's archive has followed the log."""
    noted = archive.noted(POSITION)
    if noted is None:
        raise ClusterError(f"{archive.path} is not a shard of a cluster: its position is unknown")
    return int(noted)
