"""What tests of every folder share and cannot get as a fixture."""

import os

import pytest


def require(present: bool, what: str) -> None:
    """A missing component fails the run in CI and skips the test, with the remedy, elsewhere."""
    if present:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"missing in CI: {what}")
    pytest.skip(what)


AS_ANYBODY = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.getuid() == 0 else []
"""Begins a command for which permissions hold, as they do for everybody but root."""
