"""A model while it learns, and the weights that a folder gets of it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askagain.encoders.folder import load_model, save_model
from askagain.encoders.recipe import EncoderSystem
from askagain.errors import SettingsError
from askagain.question import Question
from askagain.training.data import TrainingData
from askagain.training.learner import Learner


def started(system: EncoderSystem, data: TrainingData) -> Learner:
    return Learner.start(system, data.questions, seed=0)


@pytest.mark.parametrize("kind", ["average", "rcnn"])
def test_word_vectors_and_ngrams_in_8_bits_come_back_from_a_folder(
    kind: str, forum_system: Any, forum_data: TrainingData, tmp_path: Path
) -> None:
    system = forum_system(kind, words__unknown="ngrams", words__bits=8)
    learner = started(system, forum_data)
    vocabularies = [part.vocabulary for part in learner.parts]
    save_model(tmp_path / "model", system, vocabularies, learner.weights(), "", {})

    asked = [*forum_data.questions[:20], Question("qwrtz zuiop")]
    precise = learner.encoder().encode(asked).dense
    loaded = load_model(tmp_path / "model").encode(asked).dense

    assert (precise * loaded).sum(axis=1).min() > 0.99


def test_in_8_bits_neither_words_nor_ngrams_are_kept_in_full(
    forum_system: Any, forum_data: TrainingData
) -> None:
    weights = started(forum_system("average", words__unknown="ngrams", words__bits=8), forum_data).weights()
    assert weights.keys() == {
        "weights", "part0.words.codes", "part0.words.scales", "part0.buckets.codes", "part0.buckets.scales",
    }  # fmt: skip
    assert weights["part0.buckets.codes"].dtype == np.int8


def test_an_average_of_other_length_than_its_word_vectors_is_refused(
    forum_system: Any, forum_data: TrainingData
) -> None:
    system = forum_system("average").with_parameters({"parts.hidden": 9})
    with pytest.raises(SettingsError, match=r"set parts.hidden = 8"):
        started(system, forum_data)
