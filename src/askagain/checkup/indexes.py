"""The indexes beside an archive: whether they can be used, and how far they have followed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.archive import Archive, Position
from askagain.arrayfile import load_arrays
from askagain.checkup.finding import Finding, ok, warning
from askagain.checkup.space import size_of, sized
from askagain.encoders.vectors import VectorModel
from askagain.errors import AskagainError, IndexFileError
from askagain.lexical import storage
from askagain.lexical.view import LexicalView
from askagain.mining import pairtables
from askagain.mining.pairfile import PairFile
from askagain.neighbours.folder import VectorFolder
from askagain.wording import counted

_SUBJECT: Final = "index"
_MANIFEST: Final = "manifest"
_REMEDY: Final = "nothing to do, it is made anew when it is needed"


class _Followed(NamedTuple):
    """All changes up to `taken` are there, in the history that `position` belongs to."""

    position: Position
    taken: int


def check_indexes(archive: Archive) -> Iterator[Finding]:
    """All that are beside the archive."""
    beside = sorted(archive.path.absolute().parent.iterdir())
    indexes = [
        path for path in beside if path.name.startswith(f"{archive.path.name}.") and path.suffix in _READERS
    ]
    for path in indexes:
        yield _check_index(path, archive)
    if not indexes:
        yield ok(_SUBJECT, "none yet; the first search makes what it needs")


def _check_index(path: Path, archive: Archive) -> Finding:
    try:
        followed = _READERS[path.suffix](path, archive)
    except (AskagainError, KeyError, TypeError) as error:
        # What another version has written may lack anything.
        return warning(_SUBJECT, f"{path.name}: {error}", _REMEDY)
    if not archive.has_seen(followed.position.seq, followed.position.token):
        return warning(_SUBJECT, f"{path.name} is of another history of the archive", _REMEDY)
    behind = sum(1 for _ in archive.changes_since(followed.taken))
    state = (
        f"{counted(behind, 'change')} behind, to be taken over when it is next used"
        if behind
        else "up to date"
    )
    return ok(_SUBJECT, f"{path.name} is {state}, {sized(size_of(path))}")


class _KeptWords(LexicalView):
    """Knows what a view would trust, and follows nothing."""

    def check(self, path: Path, header: Mapping[str, Any]) -> None:
        """An IndexFileError if a view would not use the file."""
        self._check_identity(path, header)


def _words(path: Path, archive: Archive) -> _Followed:
    _, header = storage.load(path)
    settings = AnalyzerSettings.from_dict(header["analyzer"])
    _KeptWords(archive, Analyzer(settings), header["fields"], path).check(path, header)
    position = Position(**header["position"])
    return _Followed(position, position.seq)


class _DescribedModel(NamedTuple):
    """What a folder of vectors says about its model; that need not be there."""

    identity: str
    dimension: int
    columns: int


def _vectors(path: Path, archive: Archive) -> _Followed:
    header, _ = load_arrays(path / _MANIFEST)
    model = _DescribedModel(header["model"], header["dimension"], header["columns"])
    contents = VectorFolder(path, cast(VectorModel, model)).load()
    if contents is None:
        raise IndexFileError(f"{path / _MANIFEST} is missing")
    return _Followed(contents.followed.position, contents.followed.taken)


def _pairs(path: Path, archive: Archive) -> _Followed:
    with PairFile(path).connected() as connection:
        state = pairtables.state_of(connection) if pairtables.is_intact(connection) else None
    if state is None:
        raise IndexFileError(f"{path} is damaged, or of another version")
    return _Followed(state.position, state.taken)


_READERS: Final[Mapping[str, Callable[[Path, Archive], _Followed]]] = {
    ".lexical": _words,
    ".vectors": _vectors,
    ".pairs": _pairs,
}
