"""The lexical index as a file: forward and inverted side of its one segment, and its terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askagain.arrayfile import Arrays, load_arrays, save_arrays
from askagain.errors import IndexFileError
from askagain.lexical import segment as segment_module
from askagain.lexical.index import LexicalIndex
from askagain.lexical.segment import FREQUENCY_BITS, Documents, Postings, Segment

LAYOUT_VERSION: Final = 1
"""To be raised when arrays of the same names and types come to mean something else."""

KINDS: Final = {
    "terms.text": ["|u1", 1],
    "terms.starts": ["<i8", 1],
    "documents.numbers": ["<u4", 1],
    "documents.lengths": ["<u2", 2],
    "documents.starts": ["<u4", 1],
    "documents.entries": ["<u4", 1],
    "postings.starts": ["<u4", 3],
    "postings.bases": ["<i8", 1],
    "postings.questions": ["<u2", 1],
    "postings.classes": ["|u1", 1],
    "postings.shortest": ["|u1", 3],
    "postings.most": ["|u1", 2],
    "postings.least": ["<u2", 2],
}
"""The arrays of a file, with their types and numbers of dimensions."""


def save(index: LexicalIndex, path: Path, header: Mapping[str, Any]) -> None:
    """Compact the index and write it, with the caller's header, in place of whatever is at `path`."""
    index.compact()
    own = {"layout": _layout(), "fields": list(index.fields), "caller": dict(header)}
    save_arrays(path, own, _arrays(index))


def load(path: Path) -> tuple[LexicalIndex, dict[str, Any]]:
    """The index of an intact file, its arrays mapped into memory, and the header that `save` was given."""
    own, arrays = load_arrays(path)
    try:
        fields = own["fields"]
        if own["layout"] != _layout() or _kinds(arrays) != own["layout"]["arrays"]:
            raise _MismatchError("its arrays are laid out as another version of askagain does it")
        return _index(fields, arrays), own["caller"]
    except KeyError as error:
        raise IndexFileError(
            f"{path} cannot be used: it is not a lexical index, {error} is missing"
        ) from error
    except _MismatchError as error:
        raise IndexFileError(f"{path} cannot be used: {error}") from error


class _MismatchError(Exception):
    """Parts of the file do not belong together."""


def _layout() -> dict[str, Any]:
    """How this version lays an index out: its constants, and the types and dimensions of its arrays."""
    constants = {name: value for name, value in vars(segment_module).items() if name.isupper()}
    return {"version": LAYOUT_VERSION, "constants": constants, "arrays": KINDS}


def _kinds(arrays: Arrays) -> dict[str, list[Any]]:
    return {name: [array.dtype.str, array.ndim] for name, array in arrays.items()}


def _arrays(index: LexicalIndex) -> Arrays:
    """The arrays of a compacted index, by name."""
    [segment] = index.segments
    terms = [term.encode("utf-8", "surrogatepass") for term in index.vocabulary]
    starts = np.fromiter(accumulate(map(len, terms), initial=0), dtype=np.int64, count=len(terms) + 1)
    return {
        "terms.text": np.frombuffer(b"".join(terms), dtype=np.uint8),
        "terms.starts": starts,
        **{f"documents.{name}": array for name, array in segment.documents._asdict().items()},
        **{f"postings.{name}": array for name, array in segment.postings._asdict().items()},
    }


def _index(fields: Sequence[str], arrays: Arrays) -> LexicalIndex:
    terms = _terms(arrays["terms.text"], arrays["terms.starts"])
    documents = Documents(*(arrays[f"documents.{name}"] for name in Documents._fields))
    postings = Postings(*(arrays[f"postings.{name}"] for name in Postings._fields))
    _check_documents(documents, len(fields), len(terms))
    if postings.terms > len(terms):
        raise _MismatchError(f"it has postings of {postings.terms} terms and only {len(terms)} terms")
    segment = Segment(documents, postings, np.ones(documents.size, dtype=np.uint8))
    index = LexicalIndex.of_segment(fields, terms, segment)
    if len(index.vocabulary) != len(terms):
        raise _MismatchError("its terms are not all different")
    return index


def _terms(text: NDArray[np.uint8], starts: NDArray[np.int64]) -> list[str]:
    _check_starts("terms", starts, len(text))
    content = text.tobytes()
    try:
        return [
            content[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise(starts.tolist())
        ]
    except UnicodeDecodeError as error:
        raise _MismatchError(f"its terms are not UTF-8: {error}") from error


def _check_documents(documents: Documents, fields: int, terms: int) -> None:
    """Nothing may point outside its array, because kernels do not look where they read."""
    count = documents.size
    if documents.lengths.shape != (fields, count) or len(documents.starts) != count * fields + 1:
        raise _MismatchError(f"it has {count} questions and other numbers of lengths or starts")
    _check_starts("questions", documents.starts, len(documents.entries))
    if len(documents.entries) and int(documents.entries.max()) >> FREQUENCY_BITS >= terms:
        raise _MismatchError(f"a question has a term beyond the {terms} that it lists")


def _check_starts(name: str, starts: NDArray[Any], end: int) -> None:
    if not len(starts) or starts[0] != 0 or starts[-1] != end or (starts[1:] < starts[:-1]).any():
        raise _MismatchError(f"the starts of its {name} do not ascend from 0 to {end}")
