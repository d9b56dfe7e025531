"""After the warm-up no title has to compile anything."""

import subprocess
import sys

# In a process of its own: what other tests have compiled would be there without any warm-up.
CODE = """
from askagain.fusion.kernels import alignment
from askagain.fusion.kernels.alignment import alignment_signals
from askagain.fusion.kernels.warmup import warm_up

def signatures():
    compiled = [value for value in vars(alignment).values() if hasattr(value, "signatures")]
    return {f"{kernel.py_func.__name__}{types}" for kernel in compiled for types in kernel.signatures}

warm_up()
known = signatures()
from askagain.encoders.shipped import ShippedWords
words = ["boot", "from", "usb", "stick"]
weights = dict.fromkeys(words, 1.5)
alignment_signals(words, [words, words[:1], [], words[::-1]], weights, ShippedWords().units)
alignment_signals(tuple(words), [tuple(words[:2])], weights, ShippedWords().units)
print(len(known), sorted(signatures() - known))
"""


def test_real_titles_use_the_kernel_that_the_warm_up_has_compiled() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=280)

    assert (done.returncode, done.stdout) == (0, "1 []\n"), done.stderr
