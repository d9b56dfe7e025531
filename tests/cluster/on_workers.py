"""Work for workers."""

import os
import signal
from pathlib import Path

from askagain.errors import TrainingError


def divided(shared: int, number: int) -> float:
    """Some numbers cannot be divided by."""
    if number < 0:
        raise TrainingError("negative numbers are not learned from")
    return shared / number


def killed_once(shared: Path, number: int) -> int:
    """Its worker dies at the first try, as if the machine had run out of memory."""
    tried = shared / str(number)
    if not tried.exists():
        tried.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number
