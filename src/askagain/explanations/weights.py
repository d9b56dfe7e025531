"""How much a word weighs: the fewer questions of the archive hold it, the more."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from askagain.lexical.index import LexicalIndex
from askagain.lexical.view import LexicalView


def weights_of(stems: Iterable[str], view: LexicalView) -> dict[str, float]:
    """The weight of each stem in the archive as it is now."""
    each = list(stems)
    with view.lock:
        view.catch_up()
        weights = term_weights(view.index.identities(each), view.index)
    return dict(zip(each, weights.tolist(), strict=True))


def term_weights(identities: NDArray[np.int64], index: LexicalIndex) -> NDArray[np.float64]:
    """`ln(1 + (N + 1) / (n + 1))` for each term: n of N questions have it in the field that has it most.

    A word that no question of the archive has weighs most. A few questions say little about what is rare: in
    a small archive no word weighs much more than another.
    """
    holding = index.statistics.holding[:, identities].max(axis=0)
    weights: NDArray[np.float64] = np.log1p((len(index) + 1) / (holding + 1))
    return weights
