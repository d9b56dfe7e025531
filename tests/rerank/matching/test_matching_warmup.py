"""After the warm-up no network has to compile anything to judge a pair."""

from types import ModuleType

import pytest
from matching_cases import HOSTILE, NETWORKS, log_odds
from numba.core.registry import CPUDispatcher

from askagain.rerank.matching import decomposition_network, gridmax, kmax, wideconvolution
from askagain.rerank.matching.pairs import word_pairs
from askagain.rerank.matching.warmup import warm_up

MODULES = (decomposition_network, gridmax, kmax, wideconvolution)


def compiled_kernels(module: ModuleType) -> dict[str, int]:
    """How many versions of each kernel there are."""
    return {
        name: len(kernel.signatures)
        for name, kernel in vars(module).items()
        if isinstance(kernel, CPUDispatcher)
    }


@pytest.mark.parametrize("name", NETWORKS)
def test_real_pairs_use_the_kernels_that_the_warm_up_has_compiled(name: str) -> None:
    make_network, make_inputs = NETWORKS[name]
    warm_up()
    before = [compiled_kernels(module) for module in MODULES]

    log_odds(make_network(), make_inputs(word_pairs(HOSTILE)), list(range(len(HOSTILE))))

    assert [compiled_kernels(module) for module in MODULES] == before
