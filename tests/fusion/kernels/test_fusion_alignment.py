"""Every word of a title looks for its counterpart in the other title."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_of_words import read

from askagain.analysis import AnalyzerSettings
from askagain.encoders.vectors import Floats
from askagain.explanations.reader import QuestionReader
from askagain.fusion.kernels.alignment import alignment_signals
from askagain.fusion.kernels.numbering import numbered
from askagain.fusion.lists import Lists
from askagain.question import Question
from askagain.rerank.matrix import Matrix

# Cosines: boot and start 0.8, usb and stick 0.6, all others 0.
VECTORS = {
    "boot": (1.0, 0.0, 0.0, 0.0, 0.0),
    "start": (0.8, 0.6, 0.0, 0.0, 0.0),
    "usb": (0.0, 0.0, 1.0, 0.0, 0.0),
    "stick": (0.0, 0.0, 0.6, 0.8, 0.0),
    "rice": (0.0, 0.0, 0.0, 0.0, 1.0),
    "cook": (0.0, 0.0, 0.0, 0.0, -1.0),
}
WEIGHTS = {"boot": 1.0, "start": 2.0, "usb": 3.0, "stick": 1.0, "rice": 4.0, "cook": 1.0}


def vectors_of(words: Sequence[str]) -> Floats:
    return np.array([VECTORS[word] for word in words], dtype=np.float32)


def signals(asked: str, found: Sequence[str], weights: Mapping[str, float] = WEIGHTS) -> Matrix:
    lists = Lists.of_one(Question(asked), [Question(title) for title in found])
    stems, titles = read(*lists.questions)
    return alignment_signals(
        titles, np.array([weights[stem] for stem in stems.texts]), vectors_of, lists.arrays
    )


def aligned(asked: str, *found: str, weights: Mapping[str, float] = WEIGHTS) -> list[list[float]]:
    return [[round(value, 5) for value in row] for row in signals(asked, found, weights).tolist()]


def test_the_same_title_is_aligned_completely() -> None:
    assert aligned("boot usb", "usb boot") == [[1.0, 1.0, 1.0]]


def test_titles_without_similar_words_are_not_aligned_at_all() -> None:
    assert aligned("boot usb", "rice") == [[0.0, 0.0, 0.0]]


def test_words_weigh_in_the_means_of_both_sides() -> None:
    [[of_asked, of_found, _]] = aligned("boot usb", "start rice")
    assert of_asked == pytest.approx((1 * 0.8 + 3 * 0.0) / 4)
    assert of_found == pytest.approx((2 * 0.8 + 4 * 0.0) / 6, abs=1e-5)


def test_the_least_is_of_the_word_that_loses_most_as_a_share_of_the_heaviest() -> None:
    # boot loses 1 · (1 − 0.8), usb loses 3 · (1 − 0.6), which is the most; the heaviest word weighs 3.
    [[_, _, least]] = aligned("boot usb", "start stick")
    assert least == pytest.approx(1 - 3 * 0.4 / 3)


def test_opposite_words_count_as_different_ones() -> None:
    assert aligned("cook", "rice") == [[0.0, 0.0, 0.0]]


def test_a_repeated_word_counts_as_often_as_it_is_there() -> None:
    [[_, of_found, _]] = aligned("boot", "boot boot rice")
    assert of_found == pytest.approx((1 + 1 + 0) / (1 + 1 + 4), abs=1e-5)


def test_titles_do_not_disturb_each_other() -> None:
    titles = ["start stick", "", "rice", "usb boot usb"]
    assert aligned("boot usb", *titles) == [aligned("boot usb", title)[0] for title in titles]


@pytest.mark.parametrize(("asked", "found"), [("", "boot"), ("boot", ""), ("", "")])
def test_without_words_nothing_is_aligned(asked: str, found: str) -> None:
    assert aligned(asked, found) == [[0.0, 0.0, 0.0]]


def test_no_titles_have_no_signals() -> None:
    assert signals("boot", []).shape == (0, 3)


def test_a_word_weighs_what_its_stem_does() -> None:
    lists = Lists.of_one(Question("boots sticks"), [Question("boot")])
    stems, titles = numbered(QuestionReader(AnalyzerSettings()), lists.questions)
    weights = np.array([{"boot": 1.0, "stick": 3.0}[stem] for stem in stems.texts])
    vectors = {"boots": VECTORS["boot"], "boot": VECTORS["boot"], "sticks": VECTORS["stick"]}

    def known(words: Sequence[str]) -> Floats:
        return np.array([vectors[word] for word in words], dtype=np.float32)

    [[of_asked, _, _]] = alignment_signals(titles, weights, known, lists.arrays)
    assert of_asked == pytest.approx(1 / 4)


def test_words_that_weigh_nothing_do_no_harm() -> None:
    assert np.isfinite(aligned("boot usb", "stick", weights=dict.fromkeys(WEIGHTS, 0.0))).all()


def test_of_a_gigantic_title_the_beginning_is_read() -> None:
    beginning = "boot " * 40
    assert aligned(f"{beginning} rice", f"{beginning} usb") == aligned(beginning, beginning)


# Beside a naive loop

TITLES = st.lists(st.sampled_from(sorted(VECTORS)), max_size=6)


def naive(asked: list[str], found: list[str]) -> list[float]:
    if not asked or not found:
        return [0.0, 0.0, 0.0]

    def nearest(word: str, others: list[str]) -> float:
        return max(0.0, *(float(np.dot(VECTORS[word], VECTORS[other])) for other in others))

    def mean(words: list[str], others: list[str]) -> float:
        total = sum(WEIGHTS[word] for word in words)
        return sum(WEIGHTS[word] * nearest(word, others) for word in words) / total

    lost = max(WEIGHTS[word] * (1 - nearest(word, found)) for word in asked)
    return [mean(asked, found), mean(found, asked), 1 - lost / max(WEIGHTS[word] for word in asked)]


@given(TITLES, st.lists(TITLES, max_size=4))
def test_the_kernel_equals_a_naive_loop(asked: list[str], found: list[list[str]]) -> None:
    made = signals(" ".join(asked), [" ".join(title) for title in found])
    expected = np.array([naive(asked, title) for title in found]).reshape(-1, 3)
    np.testing.assert_allclose(made, expected, atol=1e-6)
