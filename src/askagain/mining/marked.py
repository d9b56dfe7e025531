"""The pairs that people have marked, one way or the other."""

from __future__ import annotations

from askagain.archive import Archive, Position


class MarkedPairs:
    """Reads all marks when the archive has changed, and remembers them until it changes again."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: tuple[Position, frozenset[tuple[str, str]]] | None = None

    def now(self) -> frozenset[tuple[str, str]]:
        """Pairs of ids; of each pair the question that came first into the archive is first."""
        # Read before the marks: a mark that comes in between is read twice, never missed.
        position = self._archive.sequence
        known = self._known
        if known is None or known[0] != position:
            self._known = known = (
                position,
                frozenset((mark.first, mark.second) for mark in self._archive.marks()),
            )
        return known[1]
