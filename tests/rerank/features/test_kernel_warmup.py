"""After the warm-up the measures compile nothing."""

import subprocess
import sys

CODE = """
from askagain.question import Question
from askagain.rerank.features.kernels import profiles, sequences
from askagain.rerank.features.kernels.warmup import warm_up

def signatures():
    found = [*vars(profiles).values(), *vars(sequences).values()]
    kernels = [value for value in found if hasattr(value, "signatures")]
    return {f"{kernel.py_func.__name__}{types}" for kernel in kernels for types in kernel.signatures}

warm_up()
known = signatures()
from askagain.rerank.features.table import FEATURES, values
from askagain.rerank.features.texts import prepare
plain = [feature for feature in FEATURES if feature.kind in ("strings", "overlap")]
values(prepare(Question("boot usb", "now")), prepare(Question("boot", "usb")), plain)
print(sorted(signatures() - known))
"""


def test_the_first_pair_compiles_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=280)

    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
