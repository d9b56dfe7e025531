"""Losses over the scores of a batch's questions, each with each."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import softplus

from askagain.encoders.recipe import TrainingSettings


class Lessons(NamedTuple):
    """What a batch is to teach: each anchor [pairs] is to be nearer to its positive than to its negatives.

    negatives [pairs, many] count the batch's questions; -1 stands where there is none.
    """

    anchors: Tensor
    positives: Tensor
    negatives: Tensor


def loss_of(scores: Tensor, lessons: Lessons, settings: TrainingSettings) -> Tensor:
    """The loss that the settings name, averaged over the pairs."""
    positive = scores[lessons.anchors, lessons.positives]
    negative = negative_scores(scores, lessons)
    if settings.loss == "softmax":
        return softmax_loss(positive, negative, settings.scale)
    hardest = negative.amax(1)
    if settings.loss == "margin":
        return margin_loss(positive, hardest, settings.margin)
    return logistic_loss(positive, hardest, settings.scale)


def negative_scores(scores: Tensor, lessons: Lessons) -> Tensor:
    """Of each anchor with its negatives [pairs, many]; −∞ where there is none."""
    found = scores[lessons.anchors[:, None], lessons.negatives.clamp(min=0)]
    return found.masked_fill(lessons.negatives < 0, -torch.inf)


def logistic_loss(positive: Tensor, hardest: Tensor, scale: float) -> Tensor:
    """log(1 + exp(−γ·Δ)) with Δ = s⁺ − s⁻ of the hardest negative (S15, eq. 5)."""
    return softplus(scale * (hardest - positive)).mean()


def margin_loss(positive: Tensor, hardest: Tensor, margin: float) -> Tensor:
    """max over p of s(q,p) − s(q,p⁺) + δ(p,p⁺), where p⁺ itself gives 0 (J16, §4.4)."""
    return (hardest - positive + margin).clamp(min=0).mean()


def softmax_loss(positive: Tensor, negative: Tensor, scale: float) -> Tensor:
    """−log of the positive's share in a softmax over it and all negatives."""
    every = torch.cat([positive[:, None], negative], dim=1) * scale
    return (every.logsumexp(1) - scale * positive).mean()
