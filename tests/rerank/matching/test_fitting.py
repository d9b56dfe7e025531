"""Learning from marked pairs: it helps, it stops in time, and it repeats itself."""

from typing import Any

import numpy as np
import pytest
import torch
from matching_cases import NETWORKS, aligned, decomposition, random_pairs

from askagain.errors import TrainingError
from askagain.rerank.matching.fitting import fit, probabilities
from askagain.rerank.matching.pairs import WordPairs, word_pairs
from askagain.rerank.matching.settings import FittingSettings
from askagain.training.checkpoints import Epoch

QUICK = FittingSettings(epochs=3, rate=0.01, batch=8)
LABELS = [pair % 2 == 0 for pair in range(40)]


def easy_task(many: int = 120) -> tuple[WordPairs, list[bool]]:
    """Duplicates share their words in another order; the others have words of two different halves."""
    draw = np.random.default_rng(0)
    pairs, labels = [], []
    for pair in range(many):
        words = draw.choice(5, size=4, replace=False)
        labels.append(pair % 2 == 0)
        pairs.append((words, draw.permutation(words) if labels[-1] else draw.choice([6, 7, 8, 9], size=4)))
    return word_pairs(pairs), labels


@pytest.mark.parametrize(("make", "read"), NETWORKS.values(), ids=NETWORKS.keys())
def test_an_easy_task_is_learned(make: Any, read: Any) -> None:
    pairs, labels = easy_task()
    network, inputs = make(), read(pairs)

    standing = fit(network, inputs, labels, FittingSettings(epochs=20, rate=0.01, batch=16), seed=0)

    assert ((probabilities(network, inputs) > 0.5) == labels).mean() > 0.95
    assert standing.epochs[-1].loss < standing.epochs[0].loss


@pytest.mark.parametrize(("make", "read"), NETWORKS.values(), ids=NETWORKS.keys())
def test_the_same_seed_gives_the_same_weights(make: Any, read: Any) -> None:
    def weights(seed: int) -> torch.Tensor:
        network = make(seed=seed)
        fit(network, read(random_pairs(40)), LABELS, QUICK, seed)
        return torch.cat([weight.flatten() for weight in network.parameters()])

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))


def test_probabilities_are_in_the_order_of_the_pairs() -> None:
    network, inputs = decomposition(), aligned(random_pairs(40))

    assert probabilities(network, inputs, batch=7) == pytest.approx(probabilities(network, inputs, batch=40))
    assert len(np.unique(probabilities(network, inputs).round(6))) > 20


def test_without_a_measure_the_last_epoch_counts() -> None:
    standing = fit(decomposition(), aligned(random_pairs(40)), LABELS, QUICK, seed=0)

    assert len(standing.epochs) == standing.best_epoch == 3


def test_the_weights_are_those_of_the_best_epoch() -> None:
    network, inputs = decomposition(), aligned(random_pairs(40))
    values, found = iter([1.0, 3.0, 2.0]), []

    def measure() -> float:
        found.append(probabilities(network, inputs))
        return next(values)

    fit(network, inputs, LABELS, QUICK, seed=0, measure=measure)

    assert np.array_equal(probabilities(network, inputs), found[1])


def test_it_stops_when_nothing_gets_better() -> None:
    settings = FittingSettings(epochs=50, patience=2, rate=0.01)

    standing = fit(decomposition(), aligned(random_pairs(40)), LABELS, settings, seed=0, measure=lambda: 1.0)

    assert len(standing.epochs) == 3
    assert standing.best_epoch == 1


def test_it_tells_how_far_it_is() -> None:
    epochs: list[Epoch] = []
    steps: list[tuple[int, int]] = []

    fit(
        decomposition(), aligned(random_pairs(40)), LABELS, QUICK, seed=0,
        measure=lambda: 42.0, on_epoch=epochs.append, progress=lambda *step: steps.append(step),
    )  # fmt: skip

    assert [(epoch.number, epoch.dev) for epoch in epochs] == [(1, 42.0), (2, 42.0), (3, 42.0)]
    assert steps[:5] == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_other_random_numbers_are_left_alone() -> None:
    before = torch.get_rng_state()

    fit(decomposition(), aligned(random_pairs(40)), LABELS, QUICK, seed=0)

    assert torch.equal(torch.get_rng_state(), before)


def test_a_rate_that_is_too_high_is_told() -> None:
    settings = FittingSettings(optimiser="sgd", rate=100.0, decay=1.0, epochs=30)

    with pytest.raises(TrainingError, match="lower the rate, which is 100"):
        fit(decomposition(activation="relu"), aligned(random_pairs(40)), LABELS, settings, seed=0)


@pytest.mark.parametrize(("labels", "told"), [([True] * 40, "40 are marked"), ([False] * 40, "0 are marked")])
def test_marks_of_one_kind_teach_nothing(labels: list[bool], told: str) -> None:
    with pytest.raises(TrainingError, match=told):
        fit(decomposition(), aligned(random_pairs(40)), labels, QUICK, seed=0)


def test_every_pair_needs_a_mark() -> None:
    with pytest.raises(TrainingError, match="40 pairs, but 2 marks"):
        fit(decomposition(), aligned(random_pairs(40)), [True, False], QUICK, seed=0)


def test_without_pairs_there_is_nothing_to_learn() -> None:
    with pytest.raises(TrainingError, match="nothing to learn"):
        fit(decomposition(), aligned(word_pairs([])), [], QUICK, seed=0)


def test_without_pairs_there_are_no_probabilities() -> None:
    assert len(probabilities(decomposition(), aligned(word_pairs([])))) == 0
