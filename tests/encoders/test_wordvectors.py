"""Word vectors: looked up, and joined from several sources."""

import numpy as np
import pytest

from askagain.encoders.wordvectors import WordVectors, joined


def vectors(**rows: list[float]) -> WordVectors:
    return WordVectors(tuple(rows), np.array(list(rows.values()), dtype=np.float32))


SMALL = vectors(boot=[1, 0], usb=[0, 2], disk=[3, 4])


def test_a_word_has_a_row() -> None:
    assert len(SMALL) == 3
    assert SMALL.dimension == 2
    assert SMALL.index == {"boot": 0, "usb": 1, "disk": 2}
    assert SMALL.of("usb").tolist() == [0, 2]


def test_one_can_ask_whether_a_word_is_known() -> None:
    assert "usb" in SMALL
    assert "sound" not in SMALL


def test_an_unknown_word_has_no_vector() -> None:
    with pytest.raises(KeyError, match="sound"):
        SMALL.of("sound")


def test_joined_vectors_stand_side_by_side_in_the_order_of_the_words() -> None:
    other = vectors(usb=[1], boot=[-1])
    both = joined([vectors(boot=[1, 0], usb=[0, 1]), other], ["usb", "boot"])
    assert both.words == ("usb", "boot")
    assert both.matrix.tolist() == [[0, 1, 1], [1, 0, -1]]
    assert both.matrix.dtype == np.float32


def test_zeros_stand_for_a_vector_that_one_of_them_lacks() -> None:
    both = joined([vectors(boot=[1, 0]), vectors(usb=[1])], ["boot", "usb", "sound"])
    assert both.matrix.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]


def test_before_joining_the_known_vectors_of_each_part_get_a_mean_length_of_1() -> None:
    long, short = vectors(boot=[100, 0], usb=[0, 300]), vectors(boot=[0.1])
    both = joined([long, short], ["boot", "usb"])
    np.testing.assert_allclose(both.matrix, [[0.5, 0, 1], [0, 1.5, 0]], rtol=1e-6)


def test_vectors_of_other_words_have_no_influence_on_the_scale() -> None:
    both = joined([vectors(boot=[2, 0], other=[0, 1000]), vectors(boot=[5])], ["boot"])
    assert both.matrix.tolist() == [[1, 0, 1]]


@pytest.mark.parametrize("words", [[], ["sound"], ["zero"]], ids=["no words", "unknown", "zero"])
def test_joining_nothing_gives_zeros_not_nan(words: list[str]) -> None:
    zero = vectors(zero=[0, 0])
    assert joined([zero, zero], words).matrix.tolist() == [[0, 0, 0, 0]] * len(words)


def test_three_sources_have_the_same_weight() -> None:
    three = joined([vectors(boot=[2, 0]), vectors(boot=[5]), vectors(boot=[0, 9])], ["boot"])
    assert three.matrix.tolist() == [[1, 0, 1, 0, 1]]


def test_a_single_source_keeps_its_lengths() -> None:
    assert joined([SMALL], ["disk", "sound"]).matrix.tolist() == [[3, 4], [0, 0]]
