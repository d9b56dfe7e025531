"""The notice about the first search."""

import subprocess
import sys

CODE = """
from askagain.cli.compiling import announce_compiling
announce_compiling()
import numba
for type in (int, float):
    numba.njit(lambda value: value + 1)(type(1))
"""


def test_compiling_is_announced_once() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, encoding="utf-8", check=True)

    assert done.stderr == "preparing the search kernels, once per installation…\n"
