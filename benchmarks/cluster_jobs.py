"""Do jobs on a cluster survive kills? What they make while nodes die, beside what they make undisturbed."""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from askagain.archive import Archive
from askagain.cluster.building import create_cluster
from askagain.question import Verdict
from askagain.sample import forum
from cluster_nodes import KILLS, Nodes, nodes
from cluster_report import log, table
from resample import real_questions, resample

WORKERS = 3
SHARDS = 2
ARCHIVE, CLUSTER, SET, GRID = "forum.db", "forum.cluster", "set", "grid.toml"

_GRID = """
system = "bow-cnn-small"
seeds = 2

[[settings]]
"training.rate" = [0.01, 0.02, 0.05]
"parts.hidden" = [32, 64]
"""

Result = dict[str, str]
Command = list[str | Path]


@dataclass(frozen=True)
class Job:
    """A command of `askagain cluster` on what `prepare` has laid into a folder.

    `result` is what it has made, `covered` for how many questions or trials.
    """

    prepare: Callable[[Path, argparse.Namespace], None]
    command: Callable[[Path, Path], Command]
    result: Callable[[Path], Result]
    covered: Callable[[Path], int | None]


def archive_to_encode(folder: Path, options: argparse.Namespace) -> None:
    with Archive.open(folder / ARCHIVE) as archive:
        archive.put_many(resample(real_questions("askubuntu-titles"), options.encode_questions, options.seed))


def encode_command(folder: Path, out: Path) -> Command:
    return ["encode", folder / ARCHIVE, "--out", out, "--rows-per-part", "500"]


def files_in(folder: Path) -> Result:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def rows_of(folder: Path) -> int:
    return int(json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["rows"])


def cluster_to_mine(folder: Path, options: argparse.Namespace) -> None:
    with Archive.open(folder / ARCHIVE) as archive:
        archive.put_many(resample(real_questions("askubuntu-titles"), options.mine_questions, options.seed))
    create_cluster(folder / CLUSTER, folder / ARCHIVE, SHARDS, system=options.system)


def mine_command(folder: Path, out: Path) -> Command:
    return ["mine", folder / CLUSTER, "--out", out, "--copies", folder / "copies"]


def pairs_in(file: Path) -> Result:
    return {file.suffix: hashlib.sha256(file.read_bytes()).hexdigest()}


def not_told(file: Path) -> None:
    """Pairs do not tell for how many questions they were searched."""


def set_to_learn_from(folder: Path, options: argparse.Namespace) -> None:
    """The sample forum, every third of its marked pairs for dev, and a grid."""
    lines = [json.dumps({"id": each.id, "title": each.title}) for each in forum.questions()]
    same = [mark for mark in forum.marks() if mark.verdict is Verdict.DUPLICATE]
    (folder / SET).mkdir()
    (folder / SET / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for split, some in {"train": [m for n, m in enumerate(same) if n % 3], "dev": same[::3]}.items():
        pairs = "".join(f"{mark.first}\t{mark.second}\n" for mark in some)
        (folder / SET / f"duplicates.{split}.tsv").write_text(pairs, encoding="utf-8")
    (folder / GRID).write_text(_GRID, encoding="utf-8")


def sweep_command(folder: Path, out: Path) -> Command:
    return ["sweep", folder / GRID, folder / SET, "--fields", "title", "--out", out]


def trials_in(folder: Path) -> Result:
    """All but how long each has taken."""
    results = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")}
    return {name: json.dumps(result | {"seconds": 0}, sort_keys=True) for name, result in results.items()}


def count_of_trials(folder: Path) -> int:
    return len(trials_in(folder))


JOBS = {
    "encode": Job(archive_to_encode, encode_command, files_in, rows_of),
    "mine": Job(cluster_to_mine, mine_command, pairs_in, not_told),
    "sweep": Job(set_to_learn_from, sweep_command, trials_in, count_of_trials),
}


@dataclass
class Figures:
    """What was counted for one job."""

    runs: int = 0
    kills: int = 0
    failed: int = 0
    different: int = 0
    undisturbed: float = 0.0
    slowest: float = 0.0
    covered: int | None = None


def jobs_under_kills(options: argparse.Namespace) -> str:
    with TemporaryDirectory(prefix="askagain-") as name, nodes(WORKERS) as cluster:
        for job in options.jobs:
            (Path(name) / job).mkdir()
            JOBS[job].prepare(Path(name) / job, options)
        figures = {job: under_kills(job, Path(name) / job, cluster, options) for job in options.jobs}
    sizes = {
        "encode": f"{options.encode_questions:,} questions",
        "mine": f"{options.mine_questions:,} questions",
        "sweep": "12 trainings",
    }
    rows = [_row(job, each, sizes[job]) for job, each in figures.items()]
    head = ["job", "of", "covered", "kills", "runs with kills", "that failed", "with another result"]
    introduction = (
        f"### Jobs while nodes die\n\nA head, which is not killed, and {WORKERS} nodes; nodes with all their "
        "processes, raylets alone and processes at work are killed in turn, and nodes replaced at once. A "
        "job is run again until it had all its kills; each result is compared, byte by byte, with that of a "
        "run without kills."
    )
    return f"{introduction}\n\n{table([*head, 'seconds undisturbed', 'slowest'], rows)}"


def _row(job: str, figures: Figures, size: str) -> list[object]:
    return [
        f"cluster {job}",
        size,
        "–" if figures.covered is None else figures.covered,
        figures.kills,
        figures.runs,
        figures.failed,
        figures.different,
        f"{figures.undisturbed:.0f}",
        f"{figures.slowest:.0f}",
    ]


def under_kills(name: str, folder: Path, cluster: Nodes, options: argparse.Namespace) -> Figures:
    job = JOBS[name]
    chance = random.Random(options.seed)
    figures = Figures()
    reference = folder / f"{name}-undisturbed"
    began = time.monotonic()
    if started(job, folder, reference, cluster).wait():
        raise SystemExit(f"cluster {name} fails without kills")
    figures.undisturbed = time.monotonic() - began
    figures.covered = job.covered(reference)
    expected = job.result(reference)
    while figures.kills < options.job_kills:
        out = folder / f"{name}-{figures.runs}"
        began = time.monotonic()
        code = _disturbed(started(job, folder, out, cluster), cluster, chance, figures, options)
        figures.slowest = max(figures.slowest, time.monotonic() - began)
        figures.runs += 1
        figures.failed += code != 0
        figures.different += code == 0 and job.result(out) != expected
        log(f"cluster {name}: {figures}")
    return figures


def _disturbed(
    process: subprocess.Popen[bytes],
    cluster: Nodes,
    chance: random.Random,
    figures: Figures,
    options: argparse.Namespace,
) -> int:
    """The exit code of a job during which something is killed again and again."""
    while figures.kills < options.job_kills:
        try:
            return process.wait(chance.uniform(0.5, options.job_pause))
        except subprocess.TimeoutExpired:
            figures.kills += cluster.kill(KILLS[figures.kills % len(KILLS)], chance)
    return process.wait()


def started(job: Job, folder: Path, out: Path, cluster: Nodes) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "askagain", "cluster", *job.command(folder, out)]
    return subprocess.Popen([*command, "--address", cluster.address], stdout=subprocess.DEVNULL)
