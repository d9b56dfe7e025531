"""Progress of long work on standard error: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from askagain.cli.output import remark
from askagain.evaluation.rendering import plain

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

SECONDS_BEFORE_BAR: Final = 0.5
SECONDS_BETWEEN_LINES: Final = 2.0

# Called with (what is being done, how much is done, how much there is; 0 = unknown).
NamedProgress = Callable[[str, int, int], None]


@contextmanager
def shown_progress() -> Iterator[NamedProgress]:
    """Shows whatever is reported inside, unless it is over at once."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    bars = _Bars()
    try:
        yield bars
    finally:
        bars.close()


class _Lines:
    """A line every few seconds, for logs."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._began: dict[str, tuple[float, int]] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        began, before = self._began.setdefault(what, (now, done))
        if now - self._last >= SECONDS_BETWEEN_LINES:
            self._last = now
            left = _time_left(now - began, done - before, total - done)
            remark(f"{what}: {done / total:.0%}{left}" if total else f"{what}: {done:,}")


def _time_left(seconds: float, done: int, left: int) -> str:
    if done <= 0 or left <= 0:
        return ""
    minutes, rest = divmod(round(seconds * left / done), 60)
    return f", about {minutes} min left" if minutes else f", about {rest} s left"


class _Bars:
    """One bar for each thing that is being done; short work shows none."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._display: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        if time.monotonic() - self._started < SECONDS_BEFORE_BAR:
            return
        if self._display is None:
            self._display = _display()
            self._display.start()
        if what not in self._tasks:
            self._tasks[what] = self._display.add_task(plain(what), completed=done, total=total or None)
        self._display.update(self._tasks[what], completed=done, total=total or None)

    def close(self) -> None:
        if self._display is not None:
            self._display.stop()


def _display() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
