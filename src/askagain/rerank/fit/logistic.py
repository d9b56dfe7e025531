"""Logistic regression with weights that are held back, by Newton's method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from askagain.errors import TrainingError
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.preparing import check_learnable, equal_query_weights
from askagain.rerank.fit.settings import LogisticSettings
from askagain.rerank.judges.base import Learned
from askagain.rerank.matrix import Matrix

_MOST_STEPS = 100
_MOST_HALVINGS = 40
# How much the loss per pair may still fall before the last step, which leaves about the square of it.
_CLOSE = 1e-10
# A feature that varies less than this, relative to its mean, is constant in the precision of a model file.
_LEAST_VARIATION = 1e-6


class _Start(NamedTuple):
    """What features are measured by, and the weights that the search begins with, the bias last."""

    mean: Matrix
    scale: Matrix
    coefficients: Matrix


def fit_logistic(examples: Examples, settings: LogisticSettings, prior: Learned | None = None) -> Learned:
    """Weights as `LinearJudge` reads them; the score is the log of the odds. Nothing is left to chance.

    NaN, which marks what is unknown, counts as the feature's mean. With a `prior`, which is what a linear
    judge has learned elsewhere, weights and bias are pulled towards its own, and features are measured by
    its means and scales: few examples change it little.
    """
    check_learnable(examples)
    start = _without_prior(examples) if prior is None else _with_prior(prior, examples)
    pulls = np.full(len(start.coefficients), settings.l2)
    if prior is None:
        pulls[-1] = 0.0
    ones = np.ones(len(examples.labels))
    weights = equal_query_weights(examples) if settings.equal_queries else ones
    problem = _Problem(_standardised(examples.features, start), examples.labels, weights, pulls, start)
    *found, bias = problem.solved()
    named = {
        "mean": start.mean, "scale": start.scale, "weights": found, "bias": [bias], "threshold": [0.0],
    }  # fmt: skip
    return Learned({name: np.asarray(values, dtype=np.float32) for name, values in named.items()})


def _without_prior(examples: Examples) -> _Start:
    mean, scale = _moments(examples.features)
    share = examples.labels.mean()
    return _Start(mean, scale, np.append(np.zeros(len(mean)), np.log(share / (1 - share))))


def _with_prior(prior: Learned, examples: Examples) -> _Start:
    mean, scale, weights, bias = (
        prior.arrays[name].astype(np.float64) for name in ("mean", "scale", "weights", "bias")
    )
    if len(weights) != examples.features.shape[1]:
        raise TrainingError(
            f"the model to start from has weights for {len(weights)} features, and the pairs have"
            f" {examples.features.shape[1]}: name the same features for both"
        )
    return _Start(mean, scale, np.concatenate([weights, bias]))


def _moments(features: Matrix) -> tuple[Matrix, Matrix]:
    """Mean and standard deviation of each feature where it is known, in the precision of a model file."""
    known = ~np.isnan(features)
    counts = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, features, 0.0).sum(axis=0) / counts
    scale = np.sqrt((np.where(known, features - mean, 0.0) ** 2).sum(axis=0) / counts)
    scale[scale <= _LEAST_VARIATION * np.abs(mean)] = 1.0
    return mean.astype(np.float32).astype(np.float64), scale.astype(np.float32).astype(np.float64)


def _standardised(features: Matrix, start: _Start) -> Matrix:
    """With a last column of ones, whose coefficient is the bias."""
    values = np.where(np.isnan(features), 0.0, (features - start.mean) / start.scale)
    return np.column_stack([values, np.ones(len(values))])


class _Problem(NamedTuple):
    """Σ weight · log loss + ½ Σ pull · (coefficient − its start)²: convex, with one minimum."""

    features: Matrix
    labels: NDArray[np.bool_]
    weights: Matrix
    pulls: Matrix
    start: _Start

    def solved(self) -> Matrix:
        """The coefficients at the minimum."""
        coefficients = self.start.coefficients
        for _ in range(_MOST_STEPS):
            slope, curvature = self._derivatives(coefficients)
            step: Matrix = np.linalg.solve(curvature, slope).astype(np.float64)
            if slope @ step <= _CLOSE * self.weights.sum():
                return coefficients - step
            coefficients = self._stepped(coefficients, step)
        return coefficients

    def _derivatives(self, coefficients: Matrix) -> tuple[Matrix, Matrix]:
        probabilities = 0.5 + 0.5 * np.tanh(0.5 * (self.features @ coefficients))
        pulled = self.pulls * (coefficients - self.start.coefficients)
        slope = self.features.T @ (self.weights * (probabilities - self.labels)) + pulled
        variances = self.weights * probabilities * (1 - probabilities)
        return slope, (self.features.T * variances) @ self.features + np.diag(self.pulls)

    def _stepped(self, coefficients: Matrix, step: Matrix) -> Matrix:
        """As far as the loss falls: a whole step, or the half of it, …"""
        before = self._loss(coefficients)
        for _ in range(_MOST_HALVINGS):
            if self._loss(coefficients - step) < before:
                return coefficients - step
            step = step / 2
        return coefficients

    def _loss(self, coefficients: Matrix) -> float:
        margins = self.features @ coefficients
        losses = np.logaddexp(0.0, margins) - np.where(self.labels, margins, 0.0)
        pulled = self.pulls * (coefficients - self.start.coefficients) ** 2
        return float(self.weights @ losses + 0.5 * pulled.sum())
