"""The durable home of questions and of the marks that people set on pairs of them."""

from askagain.archive.archive import Archive
from askagain.archive.records import Change, Key, Position, PutCounts, Scope

__all__ = ["Archive", "Change", "Key", "Position", "PutCounts", "Scope"]
