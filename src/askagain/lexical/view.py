"""The lexical index as a view of an archive: always up to date with it, kept in a file beside it."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self, TypeAlias
from unicodedata import unidata_version

import Stemmer

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.archive import Archive, Position
from askagain.closing import Closing
from askagain.errors import IndexFileError, SettingsError
from askagain.lexical import storage
from askagain.lexical.index import Entry, Hits, LexicalIndex, Scoring
from askagain.question import Question
from askagain.sources.base import Progress, no_progress
from askagain.version import VERSION

MANY_CHANGES: Final = 1000
"""A file is written anew when it lacks more changes than this, or more than one for 100 questions."""

_PROGRESS_STEP: Final = 1000
_REMEMBERED: Final = 64

_TermsIn: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]
# The position of an index that may hold anything: no archive has seen it.
_UNKNOWN: Final = Position(-1, "")

FIELDS: Final[Mapping[str, Callable[[Question], tuple[str, ...]]]] = {
    "title": lambda question: (question.title,),
    "body": lambda question: (question.body,),
    "text": lambda question: (question.title, question.body),
}
"""The posts that a field of the index consists of."""

logger = logging.getLogger(__name__)


class LexicalView(Closing):
    """A lexical index that follows an archive.

    A search takes `lock`, calls `catch_up`, and asks `index` with terms from `query_terms`. What the archive
    held when `catch_up` was called is then found, with the scores that a newly built index would give.
    """

    def __init__(
        self, archive: Archive, analyzer: Analyzer, fields: Sequence[str], path: Path | None
    ) -> None:
        self.archive = archive
        self.analyzer = analyzer
        self.fields = tuple(fields)
        self.path = path
        self.lock = threading.RLock()
        self.index = LexicalIndex(fields)
        self._position = _UNKNOWN
        self._unsaved_changes = 0
        # Several rankers of one view score the same few questions, one after the other.
        self._terms = lru_cache(_REMEMBERED)(self._analysed)

    @classmethod
    def open(
        cls,
        archive: Archive,
        fields: Sequence[str] = ("title", "body"),
        settings: AnalyzerSettings | None = None,
        *,
        path: Path | None = None,
        durable: bool = True,
        progress: Progress = no_progress,
    ) -> Self:
        """The view of an archive, up to date: from its file if that can be trusted, else built.

        The file is `path`, or has a name of its own beside the archive; a view that is not durable has none.
        `progress` is called with (changes read, changes in all).
        """
        _check_fields(fields)
        settings = settings or AnalyzerSettings()
        file = (path or default_path(archive.path, fields, settings)) if durable else None
        view = cls(archive, Analyzer(settings), fields, file)
        view._load()
        view.catch_up(progress)
        view._save_many_changes()
        view.index.get_ready()
        return view

    def close(self) -> None:
        """Save what is worth it; the archive stays open."""
        self._save_many_changes()

    def search_to_come(
        self, queries: Sequence[Sequence[str]], scoring: Scoring, k: int
    ) -> Callable[[], list[Hits]]:
        """The k best of the questions that the archive holds now, for each query, when called for."""
        return partial(self._search, queries, scoring, k)

    def _search(self, queries: Sequence[Sequence[str]], scoring: Scoring, k: int) -> list[Hits]:
        with self.lock:
            self.catch_up()
            return self.index.search(queries, scoring, k)

    def terms_of(self, question: Question) -> list[tuple[str, ...]]:
        """The question's terms, one tuple per field of the index; the latest are remembered."""
        return self._per_field(question, self._terms)

    def query_terms(self, question: Question) -> tuple[str, ...]:
        """The terms to search with: those of the title, then those of the body."""
        return self._terms((question.title, question.body))

    def query_words(self, question: Question) -> dict[str, str]:
        """For each term to search with, the word as the question has it."""
        return self.analyzer.words(question.body) | self.analyzer.words(question.title)

    def _per_field(self, question: Question, terms_in: _TermsIn) -> list[tuple[str, ...]]:
        return [terms_in(FIELDS[field](question)) for field in self.fields]

    def _analysed(self, posts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(term for post in posts for term in self.analyzer.terms(post))

    # Following the archive

    def catch_up(self, progress: Progress = no_progress) -> int:
        """Take over what has changed in the archive; gives the number of changed questions."""
        with self.lock:
            # Read before the changes: a change that comes in between is taken over twice, never missed.
            now = self.archive.sequence
            if now == self._position:
                return 0
            seen = self._trusted_position()
            # If anything goes wrong on the way, what the index holds is unknown.
            self._position = _UNKNOWN
            changes = self._apply_changes(seen, now.seq, progress)
            self._position = now
            self._unsaved_changes += changes
            return changes

    def _trusted_position(self) -> int:
        """The number of the last change that the index has; 0 with an empty index if that is unknown."""
        position = self._position
        if self.archive.has_seen(position.seq, position.token):
            return position.seq
        if position != _UNKNOWN:
            logger.warning("%s has another history than its index: building it anew", self.archive.path)
        self.index = LexicalIndex(self.fields)
        return 0

    def _apply_changes(self, seen: int, last: int, progress: Progress) -> int:
        changes = 0

        def entries() -> Iterator[Entry]:
            """The new states; the old one of each leaves the index on the way."""
            nonlocal changes
            for change in self.archive.changes_since(seen):
                changes += 1
                self.index.remove(change.number)
                if change.question is not None:
                    yield change.number, self._per_field(change.question, self._analysed)
                if changes % _PROGRESS_STEP == 0:
                    progress(min(change.seq, last) - seen, last - seen)

        self.index.add(entries())
        progress(last - seen, last - seen)
        return changes

    # The file

    def save(self) -> None:
        """Write the index to its file."""
        if self.path is None:
            raise IndexFileError(
                "a view that is not durable has no file: open it with durable=True to save it"
            )
        with self.lock:
            self.catch_up()
            storage.save(self.index, self.path, {"position": asdict(self._position), **self._identity()})
            self._unsaved_changes = 0

    def _load(self) -> None:
        if self.path is None or not self.path.exists():
            return
        try:
            index, header = storage.load(self.path)
            self._check_identity(self.path, header)
        except IndexFileError as error:
            logger.warning("%s: building the index anew", error)
        else:
            self.index, self._position = index, Position(**header["position"])

    def _identity(self) -> dict[str, Any]:
        """Whatever decides, besides the archive, what is in the index."""
        versions = {"askagain": VERSION, "stemmer": Stemmer.version(), "unicode": unidata_version}
        return {
            "fields": list(self.fields),
            "analyzer": self.analyzer.settings.to_dict(),
            "versions": versions,
        }

    def _check_identity(self, path: Path, header: Mapping[str, Any]) -> None:
        for name, wanted in self._identity().items():
            if header.get(name) != wanted:
                found = header.get(name)
                raise IndexFileError(f"{path} cannot be used: its {name} are {found} instead of {wanted}")

    def _save_many_changes(self) -> None:
        """Write the file if it lacks many changes; where that is not possible, go on without."""
        with self.lock:
            few = self._unsaved_changes <= min(MANY_CHANGES, len(self.index) / 100)
            if self.path is None or few:
                return
            try:
                self.save()
            except IndexFileError as error:
                logger.info("%s: the next start has to catch up or to build the index anew", error)


def default_path(archive: Path, fields: Sequence[str], settings: AnalyzerSettings) -> Path:
    """Where the index of an archive is kept: each choice of fields and settings has a file of its own."""
    identity = json.dumps([list(fields), settings.to_dict()], sort_keys=True)
    return archive.with_name(f"{archive.name}.{sha256(identity.encode()).hexdigest()[:8]}.lexical")


def _check_fields(fields: Sequence[str]) -> None:
    for field in fields:
        if field not in FIELDS:
            raise SettingsError(f"no field is named {field!r}: choose from {', '.join(FIELDS)}")
    if not fields:
        raise SettingsError(f"an index needs a field: choose from {', '.join(FIELDS)}")
