"""Compiles every kernel now, so that nobody's first search has to: `python -m askagain.warmup`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final

from askagain.encoders import warmup as encoders
from askagain.fusion.kernels import warmup as fusion
from askagain.lexical import warmup as lexical
from askagain.neighbours import warmup as neighbours
from askagain.rerank.features.kernels import warmup as measures
from askagain.rerank.features.mt import warmup as metrics
from askagain.rerank.matching import warmup as matching
from askagain.rerank.trees import warmup as trees

_WARM_UPS: Final[Sequence[Callable[[], None]]] = (
    metrics.warm_up,
    lexical.warm_up,
    matching.warm_up,
    measures.warm_up,
    neighbours.warm_up,
    fusion.warm_up,
    encoders.warm_up,
    trees.warm_up,
)


def warm_up() -> None:
    """Everything that a search may need; numba keeps what it compiles on the way, on all cores."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        for done in [processes.submit(each) for each in _WARM_UPS]:
            done.result()


if __name__ == "__main__":
    warm_up()
