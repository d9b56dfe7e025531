"""After the warm-up no trees have to compile anything."""

import subprocess
import sys
from pathlib import Path

# In a process of its own: what other tests have compiled would be there without any warm-up.
CODE = """
from askagain.rerank.trees import kernels
from askagain.rerank.trees.trees import Trees
from askagain.rerank.trees.warmup import warm_up

def signatures():
    compiled = [value for value in vars(kernels).values() if hasattr(value, "signatures")]
    return {f"{kernel.py_func.__name__}{types}" for kernel in compiled for types in kernel.signatures}

warm_up()
known = signatures()
from tree_cases import FEATURES, two_trees, wild
matrix = wild(1000, FEATURES, seed=0)
matrix.flags.writeable = False
arrays = two_trees()
for array in arrays.values():
    array.flags.writeable = False
trees = Trees(arrays, FEATURES)
trees.score(matrix)
trees.score(matrix.astype("float32"))
trees.score(matrix[::2])
trees.shares(matrix[1])
print(len(known), sorted(signatures() - known))
"""


def test_real_trees_use_the_kernels_that_the_warm_up_has_compiled() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=Path(__file__).parent, capture_output=True, text=True, timeout=280,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (0, "2 []\n"), done.stderr
