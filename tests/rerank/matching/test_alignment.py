"""Which word covers which, and how much of it."""

import numpy as np
import pytest
from matching_cases import HOSTILE, vectors

from askagain.rerank.matching.alignment import align, align_pairs, decompose
from askagain.rerank.matching.pairs import word_pairs

X, Y = np.eye(2, dtype=np.float32)
NOTHING = np.zeros((0, 2), dtype=np.float32)
NO_FEATURES = np.zeros((len(HOSTILE), 0), dtype=np.float32)


def rows(*words: object) -> np.ndarray:
    return np.array(words, dtype=np.float32)


def slow_alpha(word: np.ndarray, others: np.ndarray, neighbours: int) -> float:
    """As the equations have it, with a division."""

    def cos(a: np.ndarray, b: np.ndarray) -> float:
        return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))

    a = [cos(word, other) for other in others]
    k = int(np.argmax(a))
    window = range(max(0, k - neighbours), min(len(others), k + neighbours + 1))
    return cos(word, sum(a[j] * others[j] for j in window) / sum(a[j] for j in window))


def test_the_same_word_is_covered_as_a_whole() -> None:
    coverage = align(rows(X, Y), rows(Y, X), neighbours=0)

    assert coverage.partners.tolist() == [1, 0]
    assert coverage.covered == pytest.approx([1, 1])


def test_the_part_that_is_covered_is_the_cosine_with_the_best_partner() -> None:
    coverage = align(rows(X), rows(Y, [3, 4]), neighbours=0)

    assert coverage.partners.tolist() == [1]
    assert coverage.covered == pytest.approx([0.6])


def test_words_beside_the_best_partner_count_by_their_similarity() -> None:
    # ŝ = (1·X + 0.6·(0.6, 0.8)) / 1.6 = (1.36, 0.48) / 1.6
    coverage = align(rows(X), rows(X, [3 / 5, 4 / 5]), neighbours=1)

    assert coverage.covered == pytest.approx([1.36 / np.hypot(1.36, 0.48)])


@pytest.mark.parametrize("neighbours", [0, 1, 2, 50])
def test_it_is_what_the_equations_say(neighbours: int) -> None:
    draw = np.random.default_rng(neighbours)
    words, others = (np.abs(draw.normal(size=(n, 5))).astype(np.float32) for n in (7, 9))

    covered = align(words, others, neighbours).covered

    assert covered == pytest.approx([slow_alpha(word, others, neighbours) for word in words], abs=1e-6)


def test_both_parts_of_a_word_add_up_to_it() -> None:
    words, others = vectors()[:5], vectors()[3:]

    similar, dissimilar = decompose(words, align(words, others, neighbours=2).covered)

    assert similar + dissimilar == pytest.approx(words, rel=1e-6, abs=1e-7)


def test_nothing_covers_a_word_without_a_vector() -> None:
    coverage = align(rows([0, 0], X), rows([0, 0], X), neighbours=0)

    assert coverage.partners.tolist() == [-1, 1]
    assert coverage.covered == pytest.approx([0, 1])


def test_nothing_covers_a_word_when_the_other_text_is_empty() -> None:
    coverage = align(rows(X, Y), NOTHING, neighbours=3)

    assert coverage.partners.tolist() == [-1, -1]
    assert coverage.covered.tolist() == [0, 0]
    assert len(align(NOTHING, rows(X), neighbours=3).partners) == 0


def test_a_word_that_is_unlike_all_others_is_covered_by_none() -> None:
    coverage = align(rows(X), rows(-X, Y), neighbours=0)

    assert coverage.partners.tolist() == [-1]
    assert coverage.covered.tolist() == [0]


def test_a_partner_whose_neighbours_outweigh_it_does_not_count() -> None:
    # Σ a = 0.6 − 1 < 0: the mean would point away from both.
    assert align(rows(X), rows([3, 4], -X), neighbours=1).covered.tolist() == [0]


def test_a_long_text_is_aligned_like_a_short_one() -> None:
    words, others = np.tile(vectors(), (200, 1)), vectors()

    assert align(words, others, 1).covered[:12] == pytest.approx(align(others, others, 1).covered, abs=1e-6)
    assert len(words) > 2000


def test_pairs_are_aligned_in_both_directions() -> None:
    table = rows(X, Y, [3, 4])

    pairs = align_pairs(word_pairs([([0], [1, 2]), ([], [0]), ([2], [0])]), table, NO_FEATURES, neighbours=0)

    assert pairs.first_covered == pytest.approx([0.6, 0.6])
    assert pairs.second_covered == pytest.approx([0, 0.6, 0, 0.6])


def test_a_batch_has_the_words_of_its_pairs_with_their_parts() -> None:
    pairs = align_pairs(word_pairs(HOSTILE), vectors(), NO_FEATURES, neighbours=1)

    batch = pairs.batch(np.array([6, 3]))

    assert batch.first.texts.ids.tolist() == [[0, 1, 2, 3, 4], [5, -1, -1, -1, -1]]
    assert batch.first.texts.lengths.tolist() == [5, 1]
    assert batch.first.covered[1] == pytest.approx([1, 0, 0, 0, 0])
