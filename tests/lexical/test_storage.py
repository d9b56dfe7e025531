"""A saved index: comes back as it was, and is refused if anything about it is wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askagain.arrayfile import Arrays, load_arrays, save_arrays
from askagain.errors import IndexFileError
from askagain.lexical import segment, storage
from askagain.lexical.index import LexicalIndex, Scoring
from askagain.lexical.similarities import Bm25

SCORING = Scoring(Bm25(), (2.0, 1.0))
QUERIES = [["boot", "usb"], ["usb", "usb", "disk"], ["größe", "\ud800", ""], ["unknown"]]


def small_index() -> LexicalIndex:
    index = LexicalIndex(("title", "body"))
    index.add(
        [(7, [["boot", "usb"], ["usb", "usb", "disk"]]), (3, [["größe"], []]), (9, [[], ["\ud800", ""]])]
    )
    index.add([(4, [["sound"], ["sound"]]), (5, [["boot"], ["disk", "usb"]])])
    index.remove(4)
    return index


def hits(index: LexicalIndex) -> list[tuple[list[int], list[float]]]:
    return [(found.numbers.tolist(), found.scores.tolist()) for found in index.search(QUERIES, SCORING, 5)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a small index."""
    path = tmp_path / "forum.lexical"
    storage.save(small_index(), path, {"position": 17})
    return path


def resave(path: Path, arrays: Arrays | None = None, **own: Any) -> None:
    """Write the file with other content and the right checksums."""
    header, old = load_arrays(path)
    save_arrays(path, header | own, {name: array.copy() for name, array in (old | (arrays or {})).items()})


def test_a_loaded_index_answers_as_the_saved_one_does(path: Path) -> None:
    index, header = storage.load(path)
    assert header == {"position": 17}
    assert index.fields == ("title", "body")
    assert len(index) == 4
    assert hits(index) == hits(small_index())
    assert hits(index)[0][0] == [7, 5]


def test_a_loaded_index_lives_on_as_the_saved_one_does(path: Path) -> None:
    loaded, _ = storage.load(path)
    kept = small_index()
    for index in (loaded, kept):
        index.remove(7)
        index.add([(7, [["new", "boot"], ["disk"] * 300]), (12, [["usb"], ["new", "words"]])])
    assert hits(loaded) == hits(kept)
    assert dict(loaded.vocabulary) == dict(kept.vocabulary)


def test_an_index_can_be_saved_again_over_the_file_that_it_is_mapped_from(path: Path) -> None:
    index, _ = storage.load(path)
    index.remove(3)
    storage.save(index, path, {})
    again, _ = storage.load(path)
    assert hits(again) == hits(index)


@pytest.mark.parametrize("entries", [[], [(1, [[], []])]], ids=["no questions", "no terms"])
def test_an_index_with_next_to_nothing_in_it_is_saved_too(
    tmp_path: Path, entries: list[tuple[int, list[list[str]]]]
) -> None:
    index = LexicalIndex(("title", "body"))
    index.add(entries)
    storage.save(index, tmp_path / "empty.lexical", {})
    loaded, _ = storage.load(tmp_path / "empty.lexical")
    assert len(loaded) == len(entries)
    loaded.add([(2, [["boot"], ["usb"]])])
    assert hits(loaded)[0][0] == [2]


def test_the_same_index_gives_the_same_file(path: Path) -> None:
    storage.save(small_index(), path.with_name("again"), {"position": 17})
    assert path.with_name("again").read_bytes() == path.read_bytes()


def test_a_flipped_byte_anywhere_is_noticed(path: Path) -> None:
    content = path.read_bytes()
    for place in [*range(24), *range(24, len(content), 61), len(content) - 1]:
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(IndexFileError, match=r"forum\.lexical cannot be used"):
            storage.load(path)


def test_a_file_with_other_arrays_is_no_index(path: Path) -> None:
    save_arrays(path, {"fields": ["title"]}, {"numbers": np.arange(3)})
    with pytest.raises(IndexFileError, match="not a lexical index, 'layout' is missing"):
        storage.load(path)


def test_another_layout_version_is_outdated(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "LAYOUT_VERSION", storage.LAYOUT_VERSION + 1)
    with pytest.raises(IndexFileError, match="laid out as another version"):
        storage.load(path)


def test_a_segment_constant_that_changed_makes_the_file_outdated(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segment, "BLOCK", segment.BLOCK // 2)
    with pytest.raises(IndexFileError, match="laid out as another version"):
        storage.load(path)


def test_an_array_of_another_type_is_refused(path: Path) -> None:
    _, arrays = load_arrays(path)
    resave(path, {"documents.numbers": arrays["documents.numbers"].astype(np.float64)})
    with pytest.raises(IndexFileError, match="laid out as another version"):
        storage.load(path)


STARTS = np.arange(5, dtype=np.int64)


@pytest.mark.parametrize(
    ("name", "array", "problem"),
    [
        ("terms.text", np.frombuffer(b"abc", dtype=np.uint8), "starts of its terms do not ascend"),
        ("terms.starts", np.zeros(0, dtype=np.int64), "starts of its terms do not ascend"),
        ("documents.numbers", STARTS.astype(np.uint32), "has 5 questions and other numbers of lengths"),
        ("documents.entries", np.zeros(3, dtype=np.uint32), "starts of its questions do not ascend"),
    ],
)
def test_arrays_that_do_not_belong_together_are_refused(
    path: Path, name: str, array: np.ndarray[Any, Any], problem: str
) -> None:
    resave(path, {name: array})
    with pytest.raises(IndexFileError, match=problem):
        storage.load(path)


def test_starts_that_go_back_are_refused(path: Path) -> None:
    _, arrays = load_arrays(path)
    starts = arrays["documents.starts"].copy()
    starts[1:-1] = starts[1:-1][::-1] + 1
    resave(path, {"documents.starts": starts})
    with pytest.raises(IndexFileError, match="starts of its questions do not ascend"):
        storage.load(path)


def test_a_term_that_is_not_listed_is_refused(path: Path) -> None:
    _, arrays = load_arrays(path)
    entries = arrays["documents.entries"].copy()
    entries[-1] = 100 << segment.FREQUENCY_BITS
    resave(path, {"documents.entries": entries})
    with pytest.raises(IndexFileError, match="a question has a term beyond the 7"):
        storage.load(path)


@pytest.mark.parametrize(("byte", "problem"), [(0xFF, "are not UTF-8"), (ord("a"), "are not all different")])
def test_terms_that_make_no_sense_are_refused(path: Path, byte: int, problem: str) -> None:
    _, arrays = load_arrays(path)
    resave(path, {"terms.text": np.full_like(arrays["terms.text"], byte)})
    with pytest.raises(IndexFileError, match=f"its terms {problem}"):
        storage.load(path)
