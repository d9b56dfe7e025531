"""Progress on a terminal and elsewhere."""

import os
import pty
import sys
from pathlib import Path

import pytest

from askagain.cli import progress
from askagain.cli.progress import shown_progress


def test_elsewhere_there_is_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)

    with shown_progress() as show:
        show("reading", 1, 4)
        show("reading", 1000, 0)

    assert capsys.readouterr().err == "reading: 25%\nreading: 1,000\n"


def test_a_line_tells_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter([0.0, 10.0, 20.0, 310.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(seconds))

    with shown_progress() as show:
        show("reading", 0, 100)
        show("reading", 50, 100)
        show("reading", 60, 100)

    assert capsys.readouterr().err == (
        "reading: 0%\nreading: 50%, about 10 s left\nreading: 60%, about 3 min left\n"
    )


def test_short_work_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress() as show:
        for done in range(1000):
            show("reading", done, 1000)

    assert capsys.readouterr().err == ""


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BEFORE_BAR", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")

    shown = seen_on_terminal(monkeypatch)

    assert "[bold]reading" in shown
    assert "━" in shown
    assert "50%" in shown


def seen_on_terminal(monkeypatch: pytest.MonkeyPatch) -> str:
    """What arrives at the other end of a real terminal."""
    ours, theirs = pty.openpty()
    with Path(f"/dev/fd/{theirs}").open("w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with shown_progress() as show:
            show("[bold]reading\x1b[2J", 1, 2)
        terminal.flush()
    return os.read(ours, 100_000).decode()
