"""A writer killed with SIGKILL at 20 random moments; benchmarks/crash.py does it 200 times."""

from pathlib import Path

import pytest
from crashing import CrashRun, LossError, ViewByChanges, crash, operation, perform

from askagain.archive import Archive, Position


def test_nothing_acknowledged_is_lost_and_nothing_is_half_there(tmp_path: Path) -> None:
    run = crash(tmp_path, kills=20, seed=1, check_view=ViewByChanges())
    assert run.kills == 20
    assert run.acknowledged > 20


@pytest.fixture
def acknowledged(tmp_path: Path) -> tuple[CrashRun, list[tuple[int, Position]]]:
    run = CrashRun(tmp_path / "archive.db", seed=1, check_view=ViewByChanges())
    acknowledgements = []
    with Archive.open(run.path) as archive:
        for index in range(20):
            perform(archive, operation(run.seed, index))
            acknowledgements.append((index, archive.sequence))
    return run, acknowledgements


def test_the_check_accepts_an_archive_that_holds_what_was_acknowledged(
    acknowledged: tuple[CrashRun, list[tuple[int, Position]]],
) -> None:
    run, acknowledgements = acknowledged
    run.check(acknowledgements)
    assert run.done >= 20


def test_the_check_notices_a_lost_question(
    acknowledged: tuple[CrashRun, list[tuple[int, Position]]],
) -> None:
    run, acknowledgements = acknowledged
    with Archive.open(run.path) as archive:
        archive.delete(next(archive.questions()).id)
    with pytest.raises(LossError, match="not as acknowledged"):
        run.check(acknowledgements)


def test_the_check_notices_half_a_batch(
    acknowledged: tuple[CrashRun, list[tuple[int, Position]]],
) -> None:
    run, acknowledgements = acknowledged
    index = next(index for index in range(20, 100) if operation(run.seed, index).is_import)
    with Archive.open(run.path) as archive:
        for earlier in range(20, index):
            perform(archive, operation(run.seed, earlier))
            acknowledgements.append((earlier, archive.sequence))
        archive.put(operation(run.seed, index).commits[0][0])
    with pytest.raises(LossError, match="not as acknowledged"):
        run.check(acknowledgements)


def test_the_check_notices_another_history(
    acknowledged: tuple[CrashRun, list[tuple[int, Position]]],
) -> None:
    run, acknowledgements = acknowledged
    index, position = acknowledgements[-1]
    acknowledgements[-1] = (index, Position(position.seq, "another token"))
    with pytest.raises(LossError, match="no longer known"):
        run.check(acknowledgements)
