"""All trials of a grid on all workers, one result file each; what is there already is not done again."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from askagain.cluster.connecting import Failed, results
from askagain.cluster.sweeping.lessons import Lessons
from askagain.cluster.sweeping.ranking import Tried, ranked
from askagain.cluster.sweeping.trials import Trial, measured
from askagain.cluster.wholefile import write_whole
from askagain.errors import OutputError
from askagain.evaluating import NamedProgress, no_named_progress

_WHAT: Final = "trials"


@dataclass(frozen=True)
class SweepReport:
    """The settings, best first; `made` counts trials that were not there before, `failures` are in words."""

    tried: list[Tried]
    trials: int
    made: int
    failures: list[str]


def sweep(
    trials: Sequence[Trial],
    lessons: Lessons,
    out: Path,
    *,
    connect: Callable[[], AbstractContextManager[None]],
    progress: NamedProgress = no_named_progress,
) -> SweepReport:
    """Fills a folder with results; `connect` gets to Ray, which is not needed where nothing is left to do."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder {out}: {error.strerror}; choose another") from error
    files = {_file(out, trial, lessons): trial for trial in trials}
    missing = {path: trial for path, trial in files.items() if _result(path) is None}
    failures: list[str] = []
    if missing:
        with connect():
            failures = list(_tried(missing.values(), lessons, out, len(files), progress))
    found = [result for path in files if (result := _result(path)) is not None]
    return SweepReport(ranked(found), len(files), len(missing) - len(failures), failures)


def _tried(
    missing: Collection[Trial], lessons: Lessons, out: Path, total: int, progress: NamedProgress
) -> Iterator[str]:
    """Writes the results; gives what has failed."""
    done = total - len(missing)
    progress(_WHAT, done, total)
    for trial, outcome in results(measured, lessons, missing):
        done += 1
        progress(_WHAT, done, total)
        if isinstance(outcome, Failed):
            yield f"{trial.settings}, seed {trial.seed}: {outcome.reason}"
        else:
            write_whole(_file(out, trial, lessons), json.dumps(outcome, indent=1).encode() + b"\n")


def _file(out: Path, trial: Trial, lessons: Lessons) -> Path:
    return out / f"{trial.name(lessons)}.json"


def _result(path: Path) -> dict[str, Any] | None:
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return result if isinstance(result, dict) and "metrics" in result else None
