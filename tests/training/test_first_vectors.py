"""The words of a part, and the vectors that they start with."""

from pathlib import Path

import numpy as np
import pytest

from askagain import Question
from askagain.encoders.settings import Bow, Cnn, Part, WordSettings
from askagain.encoders.vectorfiles import save_vectors
from askagain.encoders.vectors import Floats
from askagain.encoders.vocabulary import count_vocabulary
from askagain.encoders.wordvectors import WordVectors
from askagain.errors import SettingsError, TrainingError
from askagain.training.wordvectors import count_words, first_vectors, input_factors

QUESTIONS = [
    Question("red green", "red red red blue", "a"),
    Question("green blue", "blue yellow", "b"),
    Question("red", "", "c"),
]


def part_of(*files: Path, longest: int = 100, min_count: int = 1, **words: object) -> Part:
    settings = WordSettings(files=tuple(map(str, files)), dimension=4, min_count=min_count, **words)  # type: ignore[arg-type]
    return Part(network=Cnn(hidden=4), words=settings, longest=longest)


def file_of(path: Path, **vectors: list[float]) -> Path:
    matrix = np.array(list(vectors.values()), dtype=np.float32)
    save_vectors(path, WordVectors(tuple(vectors), matrix))
    return path


def first(part: Part) -> tuple[list[str], Floats]:
    vocabulary, vectors = first_vectors(part, count_words(part, QUESTIONS), QUESTIONS, seed=0)
    assert len(vocabulary.documents) == len(vectors)
    return list(vocabulary.words), vectors


def mean_length(vectors: Floats) -> float:
    return float(np.linalg.norm(vectors, axis=1).mean())


def test_words_are_counted_in_what_is_read_most_frequent_first() -> None:
    whole, cut = count_words(part_of(), QUESTIONS), count_words(part_of(longest=2), QUESTIONS)

    assert whole.words == ("blue", "green", "red", "yellow")
    assert whole.documents.tolist() == [2, 2, 2, 1]
    assert cut.words == ("green", "red", "blue", "yellow")


def test_rare_words_are_left_out_but_a_bow_counts_them_all() -> None:
    assert count_words(part_of(min_count=3), QUESTIONS).words == ("blue", "red")
    bow = Part(network=Bow(), words=WordSettings(min_count=3))
    assert "yellow" in count_words(bow, QUESTIONS).words


def test_where_all_words_are_rare_none_is_left_out() -> None:
    assert len(count_words(part_of(min_count=100), QUESTIONS)) == 4


def test_the_archives_own_text_gives_every_word_a_vector() -> None:
    words, vectors = first(part_of())

    assert words == ["blue", "green", "red", "yellow"]
    assert vectors.shape == (4, 4)
    assert mean_length(vectors) == pytest.approx(1.0)


def test_words_that_a_file_lacks_are_left_out(tmp_path: Path) -> None:
    file = file_of(tmp_path / "v.txt", red=[3.0, 4.0], purple=[1.0, 1.0], blue=[0.0, 15.0])

    words, vectors = first(part_of(file, own=False))

    assert words == ["blue", "red"]
    np.testing.assert_allclose(vectors, [[0.0, 1.5], [0.3, 0.4]], rtol=1e-6)


def test_files_and_own_vectors_stand_side_by_side(tmp_path: Path) -> None:
    files = [file_of(tmp_path / "one.txt", red=[1.0]), file_of(tmp_path / "two.txt", blue=[1.0, 2.0])]

    words, vectors = first(part_of(*files))

    assert words == ["blue", "green", "red", "yellow"]
    assert vectors.shape == (4, 1 + 2 + 4)
    assert not vectors[1, :3].any()
    assert vectors[2, 0] > 0
    assert vectors[0, 1:3].all()
    assert vectors[:, 3:].any(axis=1).all()


def test_own_vectors_begin_with_those_of_a_file(tmp_path: Path) -> None:
    start = file_of(tmp_path / "v.txt", red=[100.0, 0, 0, 0], blue=[0, 100.0, 0, 0])

    words, vectors = first(part_of(start=str(start)))

    assert words == ["blue", "green", "red", "yellow"]
    assert cosine(vectors[2], np.array([1, 0, 0, 0], np.float32)) > 0.99
    assert cosine(vectors[0], np.array([0, 1, 0, 0], np.float32)) > 0.99


def test_vectors_to_begin_with_must_be_as_long(tmp_path: Path) -> None:
    start = file_of(tmp_path / "v.txt", red=[1.0, 2.0])

    with pytest.raises(SettingsError, match="set dimension = 2"):
        first(part_of(start=str(start)))


def test_only_own_vectors_can_begin_with_others(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="set own = true"):
        part_of(Path("shipped"), own=False, start="v.txt")


def test_without_any_vector_there_is_nothing_to_start_from(tmp_path: Path) -> None:
    file = file_of(tmp_path / "v.txt", purple=[1.0])

    with pytest.raises(TrainingError, match="no word of the questions has a vector"):
        first(part_of(file, own=False))


def test_inputs_are_multiplied_by_idf_if_wanted() -> None:
    vocabulary = count_vocabulary([["a", "b"], ["a"], ["a", "c"], ["c"]])

    weighted = input_factors(WordSettings(idf_inputs=True), vocabulary, 4)

    np.testing.assert_allclose(weighted, np.log([4 / 3, 4 / 2, 4 / 1, 4]), rtol=1e-6)
    assert input_factors(WordSettings(), vocabulary, 4).tolist() == [1.0] * 4


def test_vectors_of_a_small_forum_do_not_all_point_the_same_way(skipgram_file: Path) -> None:
    rows = [line.split(" ") for line in skipgram_file.read_text().splitlines()[1:]]
    matrix = np.array([row[1:] for row in rows], dtype=np.float64)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)

    assert (matrix @ matrix.T).mean() < 0.8


def test_the_shipped_encoder_has_vectors_for_words_that_it_has_never_read() -> None:
    part = part_of(Path("shipped"), own=False)
    questions = [Question("red redish \u4e00", id="a"), Question("blue", id="b")]

    vocabulary, vectors = first_vectors(part, count_words(part, questions), questions, seed=0)

    assert set(vocabulary.words) >= {"red", "blue", "redish"}
    red, reddish, blue = (vectors[vocabulary.words.index(word)] for word in ("red", "redish", "blue"))
    assert mean_length(vectors) == pytest.approx(1)
    assert cosine(red, reddish) > cosine(blue, reddish)


def cosine(first: Floats, second: Floats) -> float:
    return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))
