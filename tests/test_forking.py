"""Whether this process may be copied."""

import sys
from types import ModuleType

import pytest

from askagain.forking import can_be_forked


@pytest.mark.parametrize("library", ["torch", "faiss", "ray"])
def test_a_process_that_has_loaded_such_a_library_may_not(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("torch", "faiss", "ray"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert can_be_forked()

    monkeypatch.setitem(sys.modules, library, ModuleType(library))

    assert not can_be_forked()
