"""After the warm-up no metric has to compile anything."""

from pathlib import Path

import numba

from askagain.rerank.features.mt import lexicon, maxsim, meteor, shifts, ter, terplus
from askagain.rerank.features.mt.maxsim import maxsim as compare_by_maxsim
from askagain.rerank.features.mt.terplus import ter_plus
from askagain.rerank.features.mt.warmup import warm_up

MODULES = (lexicon, maxsim, meteor, shifts, ter, terplus)


def compiled_kernels() -> dict[str, int]:
    """How many versions of each kernel there are."""
    found = {}
    for module in MODULES:
        for name, value in vars(module).items():
            if isinstance(value, numba.core.registry.CPUDispatcher):
                found[f"{Path(module.__file__).stem}.{name}"] = len(value.signatures)
    return found


def test_real_texts_use_the_kernels_that_the_warm_up_has_compiled():
    warm_up()
    before = compiled_kernels()
    reference = ["where", "can", "i", "look", "for", "good", "massage", "oil", "in", "doha"]
    hypothesis = ["in", "doha", "i", "seek", "oils", "for", "good", "massages"]
    ter_plus(reference, hypothesis)
    compare_by_maxsim(reference, hypothesis)
    meteor.meteor(reference, hypothesis)
    assert compiled_kernels() == before
