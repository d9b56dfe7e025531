"""The durable home of questions and of the marks that people set on pairs of them."""

from askagain.archive.archive import Archive
from askagain.archive.records import Change, Position, PutCounts

__all__ = ["Archive", "Change", "Position", "PutCounts"]
