"""How much a word weighs: the fewer questions of the archive hold it, the more."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from askagain.lexical.view import LexicalView


def weights_of(stems: Collection[str], view: LexicalView) -> dict[str, float]:
    """`ln(1 + (N + 1) / (n + 1))` for each stem: n of N questions have it in the field that has it most.

    A word that no question of the archive has weighs most. A few questions say little about what is rare: in
    a small archive no word weighs much more than another.
    """
    with view.lock:
        view.catch_up()
        known = {stem: number for stem in stems if (number := view.index.vocabulary.get(stem)) is not None}
        holding = view.index.statistics.holding[:, list(known.values())].max(axis=0)
        questions = len(view.index)
    weights = np.log1p((questions + 1) / (holding + 1)).tolist()
    unseen = math.log(questions + 2)
    return dict.fromkeys(stems, unseen) | dict(zip(known, weights, strict=True))
