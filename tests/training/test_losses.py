"""The losses, beside loops that say the same word by word."""

import math
from dataclasses import replace
from typing import Any

import pytest
import torch

from askagain.encoders.recipe import TrainingSettings
from askagain.training.losses import Lessons, loss_of

SCORES = torch.randn(6, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
LESSONS = Lessons(
    torch.tensor([0, 1, 2]),
    torch.tensor([1, 0, 4]),
    torch.tensor([[2, 3, 5, 2], [4, -1, 3, 2], [-1, -1, 0, 5]]),
)
SETTINGS = TrainingSettings(scale=3.0, margin=0.4)


def brute_force(kind: str) -> float:
    losses = []
    for anchor, positive, row in zip(*(part.tolist() for part in LESSONS), strict=True):
        good = SCORES[anchor, positive].item()
        bad = [SCORES[anchor, other].item() for other in row if other >= 0]
        if kind == "logistic":
            losses.append(math.log(1 + math.exp(-3.0 * min(good - other for other in bad))))
        elif kind == "margin":
            losses.append(max([0.0, *(other - good + 0.4 for other in bad)]))
        else:
            shares = [math.exp(3.0 * score) for score in [good, *bad]]
            losses.append(-math.log(shares[0] / sum(shares)))
    return sum(losses) / len(losses)


@pytest.mark.parametrize("kind", ["logistic", "margin", "softmax"])
def test_a_loss_equals_its_definition(kind: Any) -> None:
    loss = loss_of(SCORES, LESSONS, replace(SETTINGS, loss=kind))

    assert loss.item() == pytest.approx(brute_force(kind))


@pytest.mark.parametrize("margin", [0.4, 10.0])
@pytest.mark.parametrize("kind", ["logistic", "margin", "softmax"])
def test_gradients_are_those_that_small_steps_show(kind: Any, margin: float) -> None:
    """Few lessons break a narrow margin, all of them a wide one."""
    scores = SCORES.clone().requires_grad_()
    settings = replace(SETTINGS, loss=kind, margin=margin)

    assert torch.autograd.gradcheck(lambda given: loss_of(given, LESSONS, settings), scores)


def test_a_wide_margin_lets_every_lesson_teach() -> None:
    scores = SCORES.clone().requires_grad_()

    loss_of(scores, LESSONS, replace(SETTINGS, loss="margin", margin=10.0)).backward()

    assert scores.grad is not None
    assert scores.grad[LESSONS.anchors].any(dim=1).all()


@pytest.mark.parametrize("kind", ["logistic", "margin", "softmax"])
def test_without_negatives_there_is_nothing_to_learn(kind: Any) -> None:
    scores = SCORES.clone().requires_grad_()
    lessons = LESSONS._replace(negatives=torch.full((3, 4), -1))

    loss = loss_of(scores, lessons, replace(SETTINGS, loss=kind))
    (gradient,) = torch.autograd.grad(loss, scores)

    assert loss.item() == pytest.approx(0.0)
    assert torch.equal(gradient, torch.zeros_like(gradient))
