"""What do kills do to a cluster? Searches and writes while nodes die, and jobs whose workers die."""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import numpy as np

from askagain.archive import Archive
from askagain.archive.records import Scope
from askagain.cluster.building import create_cluster
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.log import Delete, Entry
from askagain.engine import Engine
from askagain.question import Question
from cluster_equality import Edit, Ranking, change_archive, random_edits, ranking
from cluster_jobs import jobs_under_kills
from cluster_load import TOP, Answer, Clients, kept, searched
from cluster_nodes import KILLS, Nodes, cluster_serve, nodes, serving
from cluster_report import log, table
from service import benchmark

WORKERS = 3
REPLICAS = 2
SHARDS = 2
CPUS_OF_A_REPLICA = 0.5  # the head has none, so that every replica is on a node that may die
CALM_SECONDS = 6.0  # Ray Serve looks for dead replicas every two seconds
SECONDS_TO_RECOVER = 300.0
MOST_REPLAYED = 2000


@dataclass
class Run:
    """All that was seen while nodes died."""

    kills: list[tuple[float, str]] = field(default_factory=list)
    seconds_to_recover: list[float] = field(default_factory=list)
    seconds: float = 0.0
    answers: list[Answer] = field(default_factory=list)
    acknowledged: list[Edit] = field(default_factory=list)
    refused: int = 0
    lost: list[Edit] = field(default_factory=list)
    final: list[Answer] = field(default_factory=list)
    wrong_meanwhile: int = 0
    replayed: int = 0
    wrong_after: int = 0


def faults(options: argparse.Namespace) -> str:
    sections = []
    if options.kills:
        sections.append(rendered(search_under_kills(options)))
    if options.job_kills:
        sections.append(jobs_under_kills(options))
    return "\n\n".join(sections)


def search_under_kills(options: argparse.Namespace) -> Run:
    loaded = benchmark()
    questions = loaded.questions[: options.questions]
    titles = [query.title for query in loaded.queries[: options.queries]]
    edits = random_edits(questions, min(options.writes, len(questions)), options.seed)
    with TemporaryDirectory(prefix="askagain-") as name:
        path = Path(name) / "forum.db"
        with Archive.open(path) as archive:
            archive.put_many(questions)
        folder = create_cluster(Path(name) / "cluster", path, SHARDS, system=options.system)
        run = _run(folder, Path(name) / "copies", titles, edits, options)
        check_meanwhile(run, path, options.system, list(folder.log.after(0)))
        own = Path(name) / "one.db"
        with Archive.open(own) as archive:
            archive.put_many(questions)
        check_after(run, own, options.system)
    return run


def _run(
    folder: ClusterFolder,
    copies: Path,
    titles: Sequence[str],
    edits: Sequence[Edit],
    options: argparse.Namespace,
) -> Run:
    with Archive.open(folder.keys) as keys:
        key = keys.add_key("benchmark", Scope.WRITE)
    run = Run()
    with nodes(WORKERS) as cluster:
        settings = ["--address", cluster.address, "--replicas", str(REPLICAS)]
        command = cluster_serve(folder.path, copies, *settings, "--cpus", str(CPUS_OF_A_REPLICA))
        with serving(command) as url:
            _wait_until_calm()
            with Clients(url, key, titles, edits, options) as clients:
                _kill_again_and_again(cluster, run, options)
            run.answers, run.acknowledged, run.refused = (
                clients.answers,
                clients.acknowledged,
                clients.refused,
            )
            with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as client:
                run.lost = [edit for edit in run.acknowledged if not kept(client, edit)]
                run.final = [searched(client, title) for title in titles]
    return run


def _kill_again_and_again(cluster: Nodes, run: Run, options: argparse.Namespace) -> None:
    chance = random.Random(options.seed)
    began = time.monotonic()
    for number in range(options.kills):
        time.sleep(chance.uniform(0.0, options.pause))
        kind = KILLS[number % len(KILLS)]
        run.kills.append((time.monotonic(), kind))
        cluster.kill(kind, chance)
        run.seconds_to_recover.append(_wait_until_calm())
        log(f"kill {number + 1} ({kind}): all replicas again after {run.seconds_to_recover[-1]:.1f} s")
    run.seconds = time.monotonic() - began


def _wait_until_calm() -> float:
    """Until all replicas have been there for a while; gives the seconds before that."""
    began = calm_since = time.monotonic()
    while time.monotonic() - calm_since < CALM_SECONDS:
        if not _all_there():
            calm_since = time.monotonic()
        if time.monotonic() - began > SECONDS_TO_RECOVER:
            raise SystemExit(f"the replicas were not there after {SECONDS_TO_RECOVER:.0f} s")
        time.sleep(0.25)
    return calm_since - began


def _all_there() -> bool:
    from ray import serve

    deployments = [
        (name, deployment)
        for application in serve.status().applications.values()
        for name, deployment in application.deployments.items()
    ]
    shards = [dict(deployment.replica_states) for name, deployment in deployments if name.startswith("shard")]
    return len(shards) == SHARDS and all(states == {"RUNNING": REPLICAS} for states in shards)


def check_meanwhile(run: Run, path: Path, system: str, entries: Sequence[Entry]) -> None:
    """Every whole answer must be what one machine answers at the same position of the log."""
    whole = [answer for answer in run.answers if answer.whole]
    sample = random.Random(0).sample(whole, min(len(whole), MOST_REPLAYED))
    left = iter(entries)
    position = 0
    with Engine.open(path, system) as engine:
        for answer in sorted(sample, key=lambda each: each.position):
            while position < answer.position:
                entry = next(left)
                _apply(engine.archive, entry)
                position = entry.position
            run.wrong_meanwhile += answer.ranking != _expected(engine, answer.title)
    run.replayed = len(sample)


def _apply(archive: Archive, entry: Entry) -> None:
    for write in entry.writes:
        change_archive(archive, write if isinstance(write, Delete) else write.question)


def check_after(run: Run, path: Path, system: str) -> None:
    """The final answers must be those of one machine that got the writes that were acknowledged."""
    with Engine.open(path, system) as engine:
        for edit in run.acknowledged:
            change_archive(engine.archive, edit)
        run.wrong_after = sum(
            not answer.whole or answer.ranking != _expected(engine, answer.title) for answer in run.final
        )


def _expected(engine: Engine, title: str) -> Ranking:
    return ranking(engine.search(Question(title=title), TOP, explain="none", min_probability=0.0))


def rendered(run: Run) -> str:
    kinds = Counter(kind for _, kind in run.kills)
    introduction = (
        "### Searches and writes while nodes die\n\n"
        f"A head, which is not killed, and {WORKERS} nodes on this machine; {SHARDS} shards with {REPLICAS} "
        f"replicas each. {len(run.kills)} random kills (SIGKILL): {kinds['node']} of a node with all its "
        f"processes, {kinds['raylet']} of its raylet alone, {kinds['process']} of one process at work. A "
        "node that died is replaced by a new one, and the next kill comes when all replicas are there again."
    )
    return f"{introduction}\n\n{table(['', ''], _rows(run))}"


def _rows(run: Run) -> list[list[object]]:
    seconds = np.array([answer.seconds for answer in run.answers])
    return [
        ["kills", len(run.kills)],
        ["minutes", f"{run.seconds / 60:.1f}"],
        ["seconds until all replicas are there again, median", f"{np.median(run.seconds_to_recover):.1f}"],
        ["slowest", f"{max(run.seconds_to_recover):.1f}"],
        ["searches", len(run.answers)],
        ["answered by all shards", _share(answer.whole for answer in run.answers)],
        ["answered at all", _share(answer.status == 200 for answer in run.answers)],
        ["the others, by the kill before", _after_which_kill(run)],
        ["milliseconds of a search, median", f"{1000 * np.median(seconds):.0f}"],
        ["99.9% of them", f"{1000 * np.quantile(seconds, 0.999):.0f}"],
        ["slowest", f"{1000 * seconds.max():.0f}"],
        ["acknowledged writes", len(run.acknowledged)],
        ["tries that were not acknowledged", run.refused],
        ["acknowledged writes that are lost", len(run.lost)],
        ["answers by all shards that were compared with one machine", run.replayed],
        ["of these wrong", run.wrong_meanwhile],
        ["answers compared after the last recovery", len(run.final)],
        ["of these wrong or missing", run.wrong_after],
    ]


def _share(good: Iterable[bool]) -> str:
    each = list(good)
    return f"{sum(each):,} ({100 * sum(each) / max(1, len(each)):.3f}%)"


def _after_which_kill(run: Run) -> str:
    others = [answer for answer in run.answers if not answer.whole]
    kinds = Counter(
        next((kind for at, kind in reversed(run.kills) if at < answer.began + answer.seconds), "none")
        for answer in others
    )
    return ", ".join(f"{kind} {count}" for kind, count in kinds.items()) or "–"
