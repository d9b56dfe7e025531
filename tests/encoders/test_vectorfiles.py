"""Files of word vectors: the three formats, round trips, and everything that can be wrong with a file."""

import gzip
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from askagain.encoders.vectorfiles import load_vectors, save_vectors
from askagain.encoders.wordvectors import WordVectors
from askagain.errors import OutputError, SourceError

WORD2VEC = b"2 3\nusb 1 2.5 -3e-2\nboot 0 -1 4\n"
GLOVE = b"usb 1 2.5 -3e-2\nboot 0 -1 4\n"
ROWS = {"usb": [1, 2.5, -0.03], "boot": [0, -1, 4]}


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.fixture
def load(tmp_path: Path) -> Callable[[bytes], WordVectors]:
    """What is read from a file with this content."""
    return lambda content: load_vectors(written(tmp_path / "vectors", content))


def binary(rows: dict[str, list[float]], dimension: int, end: bytes = b"\n") -> bytes:
    """Word2vec binary; some writers end each row with a line feed, some do not."""
    packed = [word.encode() + b" " + struct.pack(f"<{dimension}f", *row) + end for word, row in rows.items()]
    return f"{len(rows)} {dimension}\n".encode() + b"".join(packed)


FORMATS = {
    "word2vec text": WORD2VEC,
    "word2vec text with spaces at the ends of lines": WORD2VEC.replace(b"\n", b" \n"),
    "word2vec text with Windows line ends": WORD2VEC.replace(b"\n", b"\r\n"),
    "word2vec text without a last line end": WORD2VEC.rstrip(),
    "word2vec binary": binary(ROWS, 3),
    "word2vec binary without line feeds": binary(ROWS, 3, b""),
    "GloVe": GLOVE,
    "GloVe with a byte order mark": b"\xef\xbb\xbf" + GLOVE,
    "GloVe with blank lines": GLOVE.replace(b"\n", b"\n\n"),
    "GloVe with two spaces": GLOVE.replace(b"boot ", b"boot  "),
}


@pytest.mark.parametrize("content", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
def test_the_content_tells_the_format(
    load: Callable[[bytes], WordVectors], content: bytes, packed: bool
) -> None:
    vectors = load(gzip.compress(content) if packed else content)
    assert vectors.words == ("usb", "boot")
    assert vectors.matrix.dtype == np.float32
    np.testing.assert_array_equal(vectors.matrix, np.array(list(ROWS.values()), dtype=np.float32))


@pytest.mark.parametrize("content", [WORD2VEC, GLOVE, binary(ROWS, 3)], ids=["text", "GloVe", "binary"])
def test_only_the_wanted_words_are_kept(tmp_path: Path, content: bytes) -> None:
    vectors = load_vectors(written(tmp_path / "vectors", content), only={"boot", "sound"})
    assert vectors.words == ("boot",)
    assert vectors.matrix.tolist() == [[0, -1, 4]]


def test_without_any_wanted_word_the_dimension_is_still_known(tmp_path: Path) -> None:
    assert load_vectors(written(tmp_path / "vectors", GLOVE), only=()).matrix.shape == (0, 3)


def test_a_word_with_a_space_is_passed_over(load: Callable[[bytes], WordVectors]) -> None:
    assert load(GLOVE + b"to me@home 1 2 3\n. . . 1 2 3\n").words == ("usb", "boot")


def test_whatever_is_no_space_belongs_to_the_word(load: Callable[[bytes], WordVectors]) -> None:
    words = ("größe", "no\u00a0break", "tab\tbed", "日本")
    assert load("".join(f"{word} 1 2\n" for word in words).encode()).words == words


def test_a_word_may_look_like_a_number(load: Callable[[bytes], WordVectors]) -> None:
    assert load(b"2 2\n12.04 1 2\n7 3 4\n").words == ("12.04", "7")


def test_short_numbers_before_a_word_that_is_not_ascii_are_still_text(
    load: Callable[[bytes], WordVectors],
) -> None:
    assert load("2 4\na 0 1 0 1\nü 1 0 1 0\n".encode()).words == ("a", "ü")


def test_the_real_file_has_vectors_of_related_words_near_each_other(data_dir: Path) -> None:
    vectors = load_vectors(data_dir / "vectors" / "glove.100d.txt.gz", only={"linux", "unix", "banana"})
    linux, unix, banana = (
        vectors.of(word) / np.linalg.norm(vectors.of(word)) for word in ("linux", "unix", "banana")
    )
    assert vectors.matrix.shape == (3, 100)
    assert linux @ unix > 0.6 > 0.3 > linux @ banana


@pytest.mark.parametrize("form", ["text", "binary"])
def test_memory_is_needed_for_the_wanted_words_only(tmp_path: Path, form: str) -> None:
    rows = {f"word{number}": [0.25] * 200 for number in range(8000)}
    text = "".join(f"{word}{' 0.25' * 200}\n" for word in rows).encode()
    path = written(tmp_path / "vectors", text if form == "text" else binary(rows, 200))
    del rows, text
    tracemalloc.start()
    try:
        vectors = load_vectors(path, only={"word7", "word7999"})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert vectors.words == ("word7", "word7999")
    assert peak < 4 * 2**20 < path.stat().st_size


# Round trips

NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)
# The formats separate words by spaces and line feeds; nothing else is special.
WORDS = st.text(st.characters(exclude_characters=" \n", exclude_categories=["Cs"]), min_size=1, max_size=8)


@st.composite
def some_vectors(draw: st.DrawFn, dimensions: st.SearchStrategy[int]) -> WordVectors:
    words = draw(st.lists(WORDS, unique=True, max_size=6))
    return WordVectors(
        tuple(words), draw(arrays(np.float32, (len(words), draw(dimensions)), elements=NUMBERS))
    )


@given(some_vectors(st.integers(1, 8)))
def test_saved_vectors_come_back_to_the_last_bit(
    tmp_path_factory: pytest.TempPathFactory, vectors: WordVectors
) -> None:
    path = tmp_path_factory.mktemp("saved") / "vectors.txt"
    save_vectors(path, vectors)
    again = load_vectors(path)
    assert again.words == vectors.words
    assert again.matrix.tobytes() == vectors.matrix.tobytes()
    assert again.dimension == vectors.dimension


@given(some_vectors(st.integers(2, 8)), st.sampled_from([b"", b"\n"]))
def test_binary_vectors_come_back_to_the_last_bit(
    tmp_path_factory: pytest.TempPathFactory, vectors: WordVectors, end: bytes
) -> None:
    vectors.matrix[:, :1] = 1  # A few numbers may look like text by chance; this one has a zero byte.
    rows = dict(zip(vectors.words, vectors.matrix.tolist(), strict=True))
    path = written(tmp_path_factory.mktemp("packed") / "vectors.bin", binary(rows, vectors.dimension, end))
    again = load_vectors(path)
    assert again.words == vectors.words
    assert again.matrix.tobytes() == vectors.matrix.tobytes()


def test_saving_writes_plain_word2vec_text(tmp_path: Path) -> None:
    save_vectors(tmp_path / "a.txt", WordVectors(("usb", "ü"), np.array([[1, -0.5], [0, 2]], np.float32)))
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "2 2\nusb 1 -0.5\nü 0 2\n"


@pytest.mark.parametrize("word", ["", "a b", "a\nb", "\ud800"])
def test_a_word_that_the_format_cannot_hold_is_refused_and_the_old_file_stays(
    tmp_path: Path, word: str
) -> None:
    path = written(tmp_path / "a.txt", GLOVE)
    with pytest.raises(OutputError, match="cannot be written"):
        save_vectors(path, WordVectors((word,), np.ones((1, 2), dtype=np.float32)))
    assert path.read_bytes() == GLOVE
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write .*nowhere.a.txt: No such file"):
        save_vectors(tmp_path / "nowhere" / "a.txt", WordVectors(("a",), np.ones((1, 2), dtype=np.float32)))


# Bad files

FLAWS = {
    "empty": (b"", "is empty"),
    "not vectors": (b'{"id": "1"}\n', "line 1: .* is not a number"),
    "a word alone": (b"usb\n", "line 1: expected a word and 1 to 100,000 numbers"),
    "no dimensions": (b"3 0\n", "line 1: expected a word"),
    "too many dimensions": (b"3 99999999999\nusb 1\n", "line 1: expected a word"),
    "gigantic header": (b"9" * 5000 + b" 300\nusb 1\n", "line 1: no file has as many words"),
    "too few numbers": (GLOVE + b"disk 1 2\n", "line 3: a word and 3 numbers are expected, and there are 2"),
    "too many numbers": (GLOVE + b"disk 1 2 3 4\n", "line 3: .* there are more"),
    "not a number": (GLOVE + b"disk 1 x\xff 3\n", "line 3: 'x.*' is not a number"),
    "nan": (WORD2VEC.replace(b"2.5", b"nan"), "line 2: a number of the word 'usb' is not finite"),
    "infinite": (GLOVE.replace(b"2.5", b"inf"), "line 1: .* not finite"),
    "too large": (GLOVE.replace(b"2.5", b"1e39"), "line 1: .* not finite"),
    "a word twice": (GLOVE + b"usb 1 2 3\n", "line 3: the word 'usb' is there a second time"),
    "no word": (GLOVE + b" 1 2 3\n", "line 3: there is no word"),
    "not UTF-8": (GLOVE + b"gr\xf6\xdfe 1 2 3\n", "line 3: the word .* is not UTF-8"),
    "fewer words than promised": (WORD2VEC.replace(b"2 3", b"9 3"), "has 2 words, and .* promises 9"),
    "more words than promised": (WORD2VEC.replace(b"2 3", b"1 3"), "has 2 words, and .* promises 1"),
    "a promise of very many words": (WORD2VEC.replace(b"2 3", b"999999999999 3"), "999,999,999,999"),
    "UTF-16": (GLOVE.decode().encode("utf-16"), "UTF-16"),
    "cut gzip": (gzip.compress(GLOVE)[:-9], "line 3: the file is damaged or cut off"),
    "not quite gzip": (b"\x1f\x8bnonsense", "line 1: the file is damaged"),
    "binary: cut in a number": (binary(ROWS, 3)[:-6], "1 of 2 words read: the file ends before"),
    "binary: cut in a word": (binary(ROWS, 3)[:-15], "1 of 2 words read: the file ends before"),
    "binary: nan": (binary({"usb": [1, float("nan"), 1]}, 3), "1 of 1 words read: .* not finite"),
    "binary: no word": (binary({"": [1, 2, 3]}, 3), "1 of 1 words read: there is no word"),
    "binary: more words": (binary(ROWS, 3) + b"more", "2 of 2 words read: more bytes follow"),
    "binary: no end of a word": (binary(ROWS, 3).replace(b"2 3", b"3 3") + b"x" * 2**21, "65,536 bytes"),
    "binary: promise of very many words": (
        binary(ROWS, 3).replace(b"2 3", b"999999999999 3"),
        "2 of 999,999,999,999 words read: the file ends",
    ),
    "binary: cut gzip": (
        gzip.compress(binary({"a": [float(n) for n in range(40000)]}, 40000))[:-9],
        "cut off",
    ),
}


@pytest.mark.parametrize(("content", "complaint"), FLAWS.values(), ids=FLAWS)
def test_a_bad_file_is_refused_with_its_name_and_the_place(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    path = written(tmp_path / "bad.vectors", content)
    with pytest.raises(SourceError, match=complaint) as caught:
        load_vectors(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_binary_with_a_word_twice_is_refused(tmp_path: Path) -> None:
    twice = binary(ROWS, 3) + binary(ROWS, 3).partition(b"\n")[2]
    with pytest.raises(SourceError, match="3 of 4 words read: the word 'usb' is there a second time"):
        load_vectors(written(tmp_path / "bad.bin", twice.replace(b"2 3", b"4 3", 1)))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cannot read .*nothing"):
        load_vectors(tmp_path / "nothing")


def test_a_word_in_another_encoding_does_no_harm_where_others_are_wanted(tmp_path: Path) -> None:
    path = written(tmp_path / "vectors", b"gr\xf6\xdfe 1 2 3\n" + GLOVE)
    assert load_vectors(path, only={"usb"}).words == ("usb",)


@given(st.binary(max_size=200), st.sampled_from([b"", b"2 3\n", b"3 12\n", GLOVE, WORD2VEC]))
def test_no_file_whatsoever_leads_to_another_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, start: bytes
) -> None:
    path = written(tmp_path_factory.mktemp("any") / "vectors", start + content)
    try:
        vectors = load_vectors(path)
    except SourceError:
        return
    assert np.isfinite(vectors.matrix).all()
    assert len(vectors.index) == len(vectors.matrix)
