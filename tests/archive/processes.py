"""Runs pieces of Python in processes of their own."""

import subprocess
import sys
from pathlib import Path

PRELUDE = """
import os, resource, sys, time
from askagain.archive import Archive, Scope
from askagain.errors import AskagainError
from askagain.question import Mark, Question, Verdict
path = sys.argv[1]
"""


def start(code: str, path: Path) -> subprocess.Popen[str]:
    """A process that runs the code with `path` set; it can be talked to through its pipes."""
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(code: str, path: Path) -> str:
    """What the code prints; an error in it fails the test."""
    with start(code, path) as process:
        printed, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return printed.strip()
