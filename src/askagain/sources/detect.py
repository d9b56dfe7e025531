"""Which reader a file needs, found by its content."""

from __future__ import annotations

from pathlib import Path

from askagain.errors import SettingsError, SourceError
from askagain.sources.askubuntu import AskubuntuSource
from askagain.sources.base import Source
from askagain.sources.files import read_head
from askagain.sources.jsonl import JsonlSource
from askagain.sources.pairs import PairsSource
from askagain.sources.quora import QuoraSource
from askagain.sources.semeval import SemevalSource
from askagain.sources.stackexchange import StackExchangeSource
from askagain.sources.table import TableSource

# In the order in which they are asked: those with the most telling marks come first.
SOURCES: tuple[Source, ...] = (
    StackExchangeSource(),
    SemevalSource(),
    JsonlSource(),
    QuoraSource(),
    TableSource("csv", ","),
    TableSource("tsv", "\t"),
    AskubuntuSource(),
    PairsSource(),
)


def source_named(name: str) -> Source:
    """The reader of a format by its name."""
    for source in SOURCES:
        if source.name == name:
            return source
    raise SettingsError(f"unknown format {name!r}; choose one of {_names()}")


def detect(path: Path) -> Source:
    """The first reader that recognises the file or folder."""
    head = b"" if path.is_dir() else read_head(path)
    for source in SOURCES:
        if source.recognises(path, head):
            return source
    raise SourceError(f"cannot tell the format of {path}; name it with --format ({_names()})")


def _names() -> str:
    return ", ".join(source.name for source in SOURCES)
