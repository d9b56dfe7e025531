"""The encoder that ships with the package, whatever its vectors are."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from askagain.encoders import shipped
from askagain.encoders.shipped import ShippedWords, shipped_encoder, shipped_folder, shipped_words
from askagain.encoders.vectors import Floats
from askagain.question import Question

MOST_BYTES = 15_000_000


def vectors(*questions: Question) -> Floats:
    return shipped_encoder().encode(questions).dense


def test_it_is_small_enough_to_ship_with_its_card() -> None:
    files = list(shipped_folder("encoder").iterdir())
    assert "card.md" in {file.name for file in files}
    assert sum(file.stat().st_size for file in files) <= MOST_BYTES


def test_it_is_loaded_once() -> None:
    assert shipped_encoder() is shipped_encoder()


def test_questions_have_vectors_of_unit_length() -> None:
    made = vectors(Question("How do I boot from a USB stick?", "It is ignored."), Question("sticky rice"))
    np.testing.assert_allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)


def test_words_that_nobody_has_seen_have_vectors() -> None:
    one, other = vectors(Question("qwrtzpsdfg"), Question("xkcdvbnmlq"))
    assert one.any()
    assert not np.allclose(one, other)


def test_the_order_of_words_does_not_matter() -> None:
    forwards, backwards = vectors(Question("boot from a usb stick"), Question("stick usb a from boot"))
    np.testing.assert_allclose(forwards, backwards, atol=1e-5)


@pytest.mark.parametrize("title", ["", "   ", "?!", "\u200b\u200d"])
def test_a_question_without_words_has_no_vector(title: str) -> None:
    assert not vectors(Question(title)).any()


@pytest.fixture
def words() -> ShippedWords:
    return ShippedWords()


def test_single_words_have_vectors_of_unit_length(words: ShippedWords) -> None:
    units = words.units(["boot", "qwrtzpsdfg", "usb"])
    assert units.shape == (3, shipped_encoder().dimension)
    np.testing.assert_allclose(np.linalg.norm(units, axis=1), 1, atol=1e-5)


def test_a_word_has_the_same_vector_wherever_it_stands(words: ShippedWords) -> None:
    first, _, again = words.units(["boot", "usb", "boot"])
    [alone] = ShippedWords().units(["boot"])
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(first, alone)


def test_the_vector_of_a_word_is_that_of_a_question_of_it_alone(words: ShippedWords) -> None:
    for word in ("boot", "qwrtzpsdfg"):
        np.testing.assert_allclose(words.units([word]), vectors(Question(word)), atol=1e-5)


def test_no_words_have_no_vectors(words: ShippedWords) -> None:
    assert words.units([]).shape == (0, shipped_encoder().dimension)


def test_a_full_memory_changes_no_vector(words: ShippedWords, monkeypatch: pytest.MonkeyPatch) -> None:
    every = ["boot", "usb", "stick", "rice", "boot"]
    expected = words.units(every)
    monkeypatch.setattr(shipped, "_REMEMBERED_WORDS", 2)
    for count in (1, 3, len(every)):
        np.testing.assert_array_equal(words.units(every[:count]), expected[:count])


def test_threads_may_ask_at_once(words: ShippedWords, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "_REMEMBERED_WORDS", 20)
    lists = [[f"word{number % 50}" for number in range(start, start + 9)] for start in range(60)]
    expected = [ShippedWords().units(some) for some in lists]
    with ThreadPoolExecutor(4) as threads:
        for made, wanted in zip(threads.map(words.units, lists), expected, strict=True):
            np.testing.assert_array_equal(made, wanted)


def test_a_process_remembers_words_once() -> None:
    assert shipped_words() is shipped_words()
