"""The vectors of an archive's questions as a view of it: always up to date, kept in a folder beside it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, Self, get_args

import numpy as np

from askagain.archive import Archive, Change, Position
from askagain.archive.hygiene import MAX_QUESTION_CHARACTERS, length
from askagain.closing import Closing
from askagain.encoders.vectors import QuestionVectors, VectorModel
from askagain.errors import IndexFileError, SettingsError
from askagain.neighbours.checks import checked
from askagain.neighbours.chunk import CAPACITY, Numbers
from askagain.neighbours.exact import Hits, Scores, scores_of_pairs
from askagain.neighbours.folder import Contents, Followed, VectorFolder
from askagain.neighbours.partition import require_faiss
from askagain.neighbours.rows import Rows
from askagain.neighbours.search import Method, NeighbourSearch
from askagain.question import Question
from askagain.sources.base import Progress, no_progress

MANY_CHANGES: Final = 64
"""At the end, changes are saved if they are more than this, or more than one for 100 questions."""

_BATCH: Final = 512
_SECONDS_BETWEEN_SAVES: Final = 30.0
# What a view is at that may hold anything: no archive has seen it.
_UNKNOWN: Final = Followed(Position(-1, ""), 0)

logger = logging.getLogger(__name__)


class VectorView(Closing):
    """The vectors that a model gives for the questions of an archive, with which it keeps up."""

    def __init__(
        self,
        archive: Archive,
        model: VectorModel,
        folder: VectorFolder | None,
        method: Method,
        exact_up_to: int,
    ) -> None:
        self.archive = archive
        self.model = model
        self.lock = threading.RLock()
        self._folder = folder
        self._method = method
        self._exact_up_to = exact_up_to
        self._unsaved_changes = 0
        self._unsaved_seconds = 0.0
        self._hold(Contents(Rows(model.dimension), None, _UNKNOWN))

    @classmethod
    def open(
        cls,
        archive: Archive,
        model: VectorModel,
        *,
        path: Path | None = None,
        durable: bool = True,
        method: Method = "auto",
        exact_up_to: int = 50_000,
        progress: Progress = no_progress,
    ) -> Self:
        """The view of an archive, up to date: what its folder holds and can be trusted is not encoded again.

        The folder is `path`, or has a name of its own beside the archive; a view that is not durable has
        none. Encoding is saved as it goes on. `progress` is called with (changes read, changes in all).
        """
        if method not in get_args(Method):
            raise SettingsError(
                f"no search method is named {method!r}: choose from {', '.join(get_args(Method))}"
            )
        if method == "approximate":
            require_faiss()
        folder = VectorFolder(path or default_path(archive.path, model), model) if durable else None
        view = cls(archive, model, folder, method, exact_up_to)
        view.catch_up(progress)
        view._save_many_changes()
        return view

    def close(self) -> None:
        """Save what is worth it; the archive stays open."""
        self._save_many_changes()

    def search(self, queries: QuestionVectors, k: int) -> list[Hits]:
        """The k best of the questions that the archive holds now, for each query.

        Equal scores are ordered by the archive's number. Queries are vectors from the model's `as_queries`.
        """
        queries = checked(queries, len(queries), self.model)
        with self.lock:
            self.catch_up()
            return self._search.search(queries, k)

    def search_to_come(self, queries: QuestionVectors, k: int) -> Callable[[], list[Hits]]:
        """The same, when it is called for."""
        return partial(self.search, queries, k)

    def scores(self, query: QuestionVectors, numbers: Iterable[int]) -> dict[int, float]:
        """The scores of those of some numbers that the archive has, for one query."""
        asked = np.fromiter(numbers, dtype=np.int64)
        scores = self.scores_of_pairs(query, np.zeros(len(asked), dtype=np.int64), asked)
        there = ~np.isnan(scores)
        return dict(zip(asked[there].tolist(), scores[there].tolist(), strict=True))

    def scores_of_pairs(self, queries: QuestionVectors, asking: Numbers, numbers: Numbers) -> Scores:
        """The score of each number for the query beside it; not a number where the archive has none.

        `asking` has rows of the queries, equal ones together.
        """
        queries = checked(queries, len(queries), self.model)
        with self.lock:
            self.catch_up()
            return scores_of_pairs(self._rows, queries, asking, numbers, self.model.columns)

    def scores_to_come(
        self, queries: QuestionVectors, asking: Numbers, numbers: Numbers
    ) -> Callable[[], Scores]:
        """The same, when it is called for."""
        return partial(self.scores_of_pairs, queries, asking, numbers)

    def _hold(self, contents: Contents) -> None:
        self._rows = contents.rows
        self._followed = contents.followed
        self._search = NeighbourSearch(
            contents.rows, contents.partition, self.model.columns, self._method, self._exact_up_to
        )

    # Following the archive

    def catch_up(self, progress: Progress = no_progress) -> int:
        """Take over what has changed in the archive; gives the number of changed questions."""
        with self.lock:
            now = self.archive.sequence
            if self._followed == Followed(now, now.seq):
                return 0
            self._hold_what_can_be_trusted(now)
            seen, changes = self._followed.taken, 0
            while self._followed.taken < now.seq:
                changes += self._take_over_some(now)
                progress(min(self._followed.taken, now.seq) - seen, now.seq - seen)
            if self._search.get_ready():
                self._save()
            return changes

    def _hold_what_can_be_trusted(self, now: Position) -> None:
        if self._followed == _UNKNOWN:
            self._load()
        position = self._followed.position
        if self.archive.has_seen(position.seq, position.token):
            return
        if self._followed != _UNKNOWN:
            logger.warning("%s has another history than its vectors: encoding it anew", self.archive.path)
        self._hold(Contents(Rows(self.model.dimension), None, Followed(now, 0)))

    def _take_over_some(self, now: Position) -> int:
        """Take over some of the changes that are not taken over yet; gives their number."""
        changes = self._next_changes()
        if not changes:  # the rest of the history is about marks
            self._followed = Followed(now, now.seq)
            return 0
        # Read after the changes: it is not older than any of them.
        followed = Followed(self.archive.sequence, changes[-1].seq)
        self._apply(changes, followed)
        if self._unsaved_changes >= CAPACITY or self._unsaved_seconds >= _SECONDS_BETWEEN_SAVES:
            self._save()
        return len(changes)

    def _next_changes(self) -> list[Change]:
        """The oldest changes not taken over: a few hundred, and fewer when they are large."""
        changes: list[Change] = []
        characters = 0
        for change in self.archive.changes_since(self._followed.taken, _BATCH):
            changes.append(change)
            characters += length(change.question) if change.question is not None else 0
            if characters >= MAX_QUESTION_CHARACTERS:
                break
        return changes

    def _apply(self, changes: list[Change], followed: Followed) -> None:
        """Give the rows the states of these questions."""
        present = {change.number: change.question for change in changes if change.question is not None}
        vectors = self._encoded(list(present.values()))
        # If anything goes wrong on the way, what the rows hold is unknown.
        self._followed = _UNKNOWN
        self._rows.remove(change.number for change in changes)
        if vectors is not None:
            self._rows.append(present, vectors)
        self._followed = followed
        self._unsaved_changes += len(changes)

    def _encoded(self, questions: list[Question]) -> QuestionVectors | None:
        if not questions:
            return None
        start = time.monotonic()
        vectors = checked(self.model.encode(questions), len(questions), self.model)
        self._unsaved_seconds += time.monotonic() - start
        return vectors

    # The folder

    def _load(self) -> None:
        if self._folder is None:
            return
        try:
            contents = self._folder.load()
        except IndexFileError as error:
            logger.warning("%s: encoding the questions anew", error)
        else:
            if contents is not None:
                self._hold(contents)

    def _save(self) -> None:
        """Write what the folder lacks; where that is not possible, go on without."""
        self._unsaved_changes, self._unsaved_seconds = 0, 0.0
        if self._folder is None:
            return
        try:
            self._folder.save(Contents(self._rows, self._search.partition, self._followed))
        except IndexFileError as error:
            logger.info("%s: the next start has to encode questions again", error)

    def _save_many_changes(self) -> None:
        with self.lock:
            if self._unsaved_changes > min(MANY_CHANGES, len(self._rows) / 100):
                self._save()


def default_path(archive: Path, model: VectorModel) -> Path:
    """Where the vectors of an archive are kept: each model has a folder of its own."""
    return path_for(archive, model.identity)


def path_for(archive: Path, identity: str) -> Path:
    """The same for a model of which only the identity is known."""
    return archive.with_name(f"{archive.name}.{sha256(identity.encode()).hexdigest()[:8]}.vectors")
