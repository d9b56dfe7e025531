"""The real `askagain`, run as a user runs it; where its start is not the point, use tests/commands.py."""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from askagain import sample
from commands import TERMINAL, Outcomes

SAMPLE = Path(sample.__file__).parent
ASKAGAIN = shutil.which("askagain", path=str(Path(sys.executable).parent)) or "askagain"


def askagain(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end; nothing depends on the terminal that the tests run in."""
    command = [ASKAGAIN, *map(str, arguments)]
    return subprocess.run(
        command, env=environment(), capture_output=True, text=True, encoding="utf-8", timeout=120, **options
    )


def environment() -> dict[str, str]:
    return {**os.environ, **TERMINAL}


_real = Outcomes(askagain)
succeeded, json_of, refused = _real.succeeded, _real.json_of, _real.refused


def seconds_of_work(command: list[str]) -> float:
    """Processor time of a whole run. Waiting, be it for the disk or for a processor, is no work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment(), capture_output=True, check=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
