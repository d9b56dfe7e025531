"""Compiles every kernel of the lexical index."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from askagain.lexical import storage
from askagain.lexical.index import LexicalIndex, Scoring
from askagain.lexical.similarities import similarity

# With one field some arrays are contiguous that are not with two, and kernels are compiled for each case.
_FIELDS = (("title",), ("title", "body"))


def warm_up() -> None:
    """Takes tiny indexes through their whole life; numba keeps what it compiles on the way."""
    for fields in _FIELDS:
        index = LexicalIndex(fields)
        _use(index, first_number=1)
        index.compact()
        _use(index, first_number=4)
        with TemporaryDirectory(prefix="askagain-") as folder:
            path = Path(folder) / "index"
            storage.save(index, path, {})
            loaded, _ = storage.load(path)
            # A file's arrays are read-only: another case.
            _use(loaded, first_number=7)
            loaded.compact()


def _use(index: LexicalIndex, first_number: int) -> None:
    """Adds three questions, deletes one of them and one of those before, searches and explains."""
    terms = ["how", "boot", "usb", "boot"]
    texts = [terms] * len(index.fields)
    index.add((number, texts) for number in range(first_number, first_number + 3))
    index.remove(first_number)
    index.remove(first_number - 1)
    scoring = Scoring(similarity("bm25"), (1.0,) * len(index.fields))
    index.search([terms], scoring, 2)
    index.weigh(terms, scoring, [texts])
