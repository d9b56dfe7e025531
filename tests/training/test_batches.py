"""Which questions a batch encodes, and what it asks of them."""

from typing import Any

import numpy as np
import pytest

from askagain import Question
from askagain.encoders.recipe import TrainingSettings
from askagain.training.batches import Batches, TrainingBatch
from askagain.training.data import assembled

# a–b–c hang together through b; d–e and f–g are pairs; the others stand alone.
QUESTIONS = [Question(letter, id=letter) for letter in "abcdefghij"]
DATA = assembled(QUESTIONS, [("a", "b"), ("b", "c"), ("d", "e"), ("f", "g")], [])


def batches(candidates: Any = None, **settings: Any) -> list[TrainingBatch]:
    return list(Batches(DATA, TrainingSettings(**settings), np.random.default_rng(0), candidates).epoch())


def lessons(batch: TrainingBatch) -> list[tuple[str, str, set[str]]]:
    """(anchor, positive, negatives) by their letters."""
    letters = [QUESTIONS[row].id for row in batch.questions]
    return [
        (letters[anchor], letters[positive], {letters[one] for one in negatives if one >= 0})
        for anchor, positive, negatives in zip(*(part.tolist() for part in batch.lessons), strict=True)
    ]


def test_every_pair_teaches_in_both_directions() -> None:
    (batch,) = batches()

    pairs = {(anchor, positive) for anchor, positive, _ in lessons(batch)}
    assert pairs == {(a, b) for x in ("ab", "bc", "de", "fg") for a, b in (x, x[::-1])}


def test_a_question_is_encoded_once_whatever_number_of_pairs_it_is_in() -> None:
    (batch,) = batches()

    assert [QUESTIONS[row].id for row in batch.questions] == list("abcdefg")


@pytest.mark.parametrize("source", ["batch", "archive"])
@pytest.mark.parametrize("loss", ["logistic", "softmax"])
def test_marked_equivalents_are_never_negatives_even_through_a_third(source: Any, loss: Any) -> None:
    for batch in batches(negatives_from=source, loss=loss, negatives=50):
        for anchor, _, negatives in lessons(batch):
            group = next(group for group in ("abc", "de", "fg") if anchor in group)
            assert not negatives & set(group)
            assert negatives


def test_with_softmax_all_others_of_the_batch_are_negatives() -> None:
    (batch,) = batches(loss="softmax")

    assert {anchor: negatives for anchor, _, negatives in lessons(batch)}["d"] == set("abcfg")


def test_negatives_can_come_from_the_whole_archive() -> None:
    (batch,) = batches(negatives_from="archive", negatives=50, loss="margin")

    assert "j" in {QUESTIONS[row].id for row in batch.questions}


def test_questions_with_too_many_duplicates_ask_for_none_of_them() -> None:
    (batch,) = batches(most_positives=1)

    assert {anchor for anchor, _, _ in lessons(batch)} == set("acdefg")


@pytest.mark.parametrize("source", ["batch", "archive"])
@pytest.mark.parametrize("loss", ["logistic", "margin", "softmax"])
def test_hard_candidates_are_negatives_of_their_question(source: Any, loss: Any) -> None:
    hard = np.full((len(QUESTIONS), 3), -1, dtype=np.int64)
    hard[0], hard[3] = 9, 4  # j is hard for a; e would be for d, of which it is a duplicate

    settings = TrainingSettings(loss=loss, hard=2, negatives=1, negatives_from=source)
    many = Batches(DATA, settings, np.random.default_rng(0), hard)
    for batch in [batch for _ in range(20) for batch in many.epoch()]:
        negatives = {anchor: others for anchor, _, others in lessons(batch)}
        assert "j" in negatives["a"]
        assert "e" not in negatives["d"]


def test_epochs_differ_in_order_and_agree_under_a_seed() -> None:
    def order(seed: int) -> list[list[int]]:
        many = Batches(DATA, TrainingSettings(batch=1), np.random.default_rng(seed))
        return [batch.questions.tolist() for _ in range(3) for batch in many.epoch()]

    assert order(0) == order(0)
    assert order(0) != order(1)
    assert len(order(0)) == 12
