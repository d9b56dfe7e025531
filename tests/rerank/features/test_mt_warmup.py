"""After the warm-up no metric has to compile anything."""

import subprocess
import sys

# In a process of its own: what other tests have compiled would be there without any warm-up.
CODE = """
from numba.core.registry import CPUDispatcher
from askagain.rerank.features.mt import lexicon, maxsim, meteor, shifts, ter, terplus
from askagain.rerank.features.mt.warmup import warm_up

def signatures():
    modules = (lexicon, maxsim, meteor, shifts, ter, terplus)
    values = [value for module in modules for value in vars(module).values()]
    kernels = [value for value in values if isinstance(value, CPUDispatcher)]
    return {f"{kernel.py_func.__name__}{types}" for kernel in kernels for types in kernel.signatures}

warm_up()
known = signatures()
reference = ["where", "can", "i", "look", "for", "good", "massage", "oil", "in", "doha"]
hypothesis = ["in", "doha", "i", "seek", "oils", "for", "good", "massages"]
terplus.ter_plus(reference, hypothesis)
maxsim.maxsim(reference, hypothesis)
meteor.meteor(reference, hypothesis)
print(sorted(signatures() - known))
"""


def test_real_texts_use_the_kernels_that_the_warm_up_has_compiled() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=280)

    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
