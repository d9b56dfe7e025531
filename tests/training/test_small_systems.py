"""Every system that learns: in seconds its small variant finds more duplicates than before.

A check that learning works at all, not a measure of what it is worth: the sample forum has few marks, so the
gain is the mean over several divisions of them, of which single ones may lose.
"""

from pathlib import Path

import numpy as np
import pytest

from askagain.cli.training import trainable
from askagain.encoders.folder import load_model
from askagain.encoders.recipe import EncoderSystem
from askagain.question import Verdict
from askagain.sample import forum
from askagain.systems import ENCODER_SYSTEMS
from askagain.training.data import assembled, divided
from askagain.training.dev import measure_of
from askagain.training.learner import Learner
from askagain.training.train import train

DIVISIONS = range(4)


def small(name: str, vectors: Path) -> EncoderSystem:
    """With its own word vectors from a file, which spares their training."""
    return trainable(f"{name}-small").with_parameters(
        {"parts.words.own": "false", "parts.words.files": str(vectors)}
    )


def gain(system: EncoderSystem, division: int, folder: Path) -> float:
    """In MRR on marks that neither teach nor choose the epoch: two fifths of them."""
    pairs = [(mark.first, mark.second) for mark in forum.marks() if mark.verdict is Verdict.DUPLICATE]
    rest, held_out = divided(pairs, division, share=0.4)
    learned = assembled(forum.questions(), *divided(rest, division, share=0.25))
    untrained = Learner.start(system, learned.questions, seed=0)
    measure = measure_of(system, assembled(forum.questions(), [], held_out), seed=0)
    assert measure is not None

    trained = load_model(train(system, learned, folder, seed=0))

    return measure.mrr(trained, untrained.texts) - measure.mrr(untrained.encoder(), untrained.texts)


@pytest.mark.parametrize("name", ENCODER_SYSTEMS)
def test_a_trained_system_beats_its_untrained_self_on_held_out_marks(
    name: str, tmp_path: Path, skipgram_file: Path
) -> None:
    system = small(name, skipgram_file)

    gains = [gain(system, division, tmp_path / str(division)) for division in DIVISIONS]

    assert np.mean(gains) > 0, gains
