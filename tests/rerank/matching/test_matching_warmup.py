"""After the warm-up no network has to compile anything to judge a pair."""

import subprocess
import sys
from pathlib import Path

import pytest
from matching_cases import NETWORKS

# In a process of its own: what other tests have compiled would be there without any warm-up.
CODE = """
import sys
from matching_cases import HOSTILE, NETWORKS, log_odds
from numba.core.registry import CPUDispatcher
from askagain.rerank.matching import decomposition_network, gridmax, kmax, wideconvolution
from askagain.rerank.matching.pairs import word_pairs
from askagain.rerank.matching.warmup import warm_up

def signatures():
    modules = (decomposition_network, gridmax, kmax, wideconvolution)
    values = [value for module in modules for value in vars(module).values()]
    kernels = [value for value in values if isinstance(value, CPUDispatcher)]
    return {f"{kernel.py_func.__name__}{types}" for kernel in kernels for types in kernel.signatures}

warm_up()
known = signatures()
make_network, make_inputs = NETWORKS[sys.argv[1]]
log_odds(make_network(), make_inputs(word_pairs(HOSTILE)), list(range(len(HOSTILE))))
print(sorted(signatures() - known))
"""


@pytest.mark.parametrize("name", ["decomposition, separate", "unimelb"])
def test_real_pairs_use_the_kernels_that_the_warm_up_has_compiled(name: str) -> None:
    assert name in NETWORKS
    done = subprocess.run(
        [sys.executable, "-c", CODE, name],
        cwd=Path(__file__).parent, capture_output=True, text=True, timeout=280,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
