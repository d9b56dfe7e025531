"""Copies of this process."""

import subprocess
import sys
from types import ModuleType

import pytest

from askagain.forking import can_be_forked


@pytest.mark.parametrize("library", ["torch", "ray"])
def test_a_process_that_has_loaded_such_a_library_may_not(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("torch", "ray"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert can_be_forked()

    monkeypatch.setitem(sys.modules, library, ModuleType(library))

    assert not can_be_forked()


_COPIED = """
import multiprocessing
import faiss
import numpy as np
from askagain.forking import can_be_forked, go_on_alone

vectors = np.random.default_rng(0).normal(size=(20_000, 64)).astype(np.float32)
index = faiss.IndexFlatIP(64)
index.add(vectors)
faiss.omp_set_num_threads(4)
index.search(vectors[:2000], 3)

def search(pipe):
    go_on_alone()
    pipe.send(index.search(vectors[:2000], 3)[1][:, 0].tolist())

assert can_be_forked()
context = multiprocessing.get_context("fork")
ours, theirs = context.Pipe()
copy = context.Process(target=search, args=(theirs,), daemon=True)
copy.start()
assert ours.poll(60), "the copy hangs"
assert ours.recv() == list(range(2000))
copy.join()
"""


def test_a_copy_of_a_process_that_searches_with_faiss_goes_on_alone() -> None:
    subprocess.run([sys.executable, "-c", _COPIED], check=True, timeout=120)
