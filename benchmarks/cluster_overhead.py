"""What does Ray cost? Searches a second of services with and without it, which take turns."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import numpy as np

from askagain.archive import Archive
from askagain.cluster.building import create_cluster
from askagain.engine import Engine
from askagain.question import Question
from askagain.wording import counted
from cluster_nodes import cluster_serve, serving
from cluster_processes import Usage, used_by
from cluster_report import log, table
from resample import real_questions, resample
from service import SECONDS_TO_WARM_UP, Load, benchmark, ours, require_wrk, wrk

PLAIN, CLUSTER = "plain", "cluster"
EXPLAINED = {False: "without reasons", True: "with reasons"}

_SCRIPT = """
local bodies = {}
for line in io.lines("%s") do bodies[#bodies + 1] = line end
local place = 0
local headers = {["Content-Type"] = "application/json"}
function request()
  place = place + 1
  return wrk.format("POST", "/v1/similar", headers, bodies[place %% #bodies + 1])
end
"""


@dataclass(frozen=True)
class Setup:
    """How many shards, and how many processes answer requests in the plain service and in the cluster's."""

    shards: int
    plain: int
    gateways: int


@dataclass
class Turns:
    """The loads of both services in the rounds of one case, and what their processes have used."""

    case: str
    loads: dict[str, list[Load]]
    usage: dict[str, Usage]

    @property
    def ratios(self) -> list[float]:
        """The cluster's searches a second against the plain service's, round by round."""
        pairs = zip(self.loads[CLUSTER], self.loads[PLAIN], strict=True)
        return [cluster.rate / plain.rate for cluster, plain in pairs]


def load_script(folder: Path, titles: Sequence[str], explain: bool) -> Path:
    """Searches as the page sends them; each request asks another question."""
    name = f"explain-{explain}".lower()
    bodies = folder / f"{name}.jsonl"
    asked = (json.dumps({"title": title, "explain": explain}) for title in titles)
    bodies.write_text("\n".join(asked) + "\n", encoding="utf-8")
    script = folder / f"{name}.lua"
    script.write_text(_SCRIPT % bodies, encoding="utf-8")
    return script


def overhead(options: argparse.Namespace) -> str:
    require_wrk()
    loaded = benchmark()
    questions = loaded.questions[: options.questions]
    titles = [query.title for query in loaded.queries]
    sections = [one_shard(questions, titles, options)] if options.questions else []
    if options.million:
        sections.append(million(titles, options))
    return "\n\n".join(sections)


def one_shard(questions: Sequence[Question], titles: Sequence[str], options: argparse.Namespace) -> str:
    with TemporaryDirectory(prefix="askagain-") as name:
        path = prepared(Path(name), questions, options.system)
        setup = Setup(1, options.workers, options.workers)
        turns = measured(Path(name), path, setup, titles, options)
    introduction = (
        f"### One shard\n\n{len(questions):,} titles of askubuntu-titles, system `{options.system}`, "
        f"{options.workers} processes that answer requests in both services, {options.connections} "
        "connections. The cluster has one shard with one replica."
    )
    return "\n\n".join([introduction, rendered(turns, options)])


def million(titles: Sequence[str], options: argparse.Namespace) -> str:
    count = options.million_questions
    with TemporaryDirectory(prefix="askagain-") as name:
        questions = resample(real_questions("askubuntu-titles"), count, options.seed)
        path = prepared(Path(name), questions, options.system)
        turns = measured(Path(name), path, Setup(2, 1, options.gateways), titles, options)
    introduction = (
        f"### Two shards\n\n{count:,} resampled titles, system `{options.system}`: one process that does "
        f"everything, and two shards with {counted(options.gateways, 'gateway')}; "
        f"{options.connections} connections."
    )
    profile = (
        "Cores that were busy on average, by what the processes are. Where they add up to all cores of the "
        "machine, a shard more cannot bring more searches."
    )
    return "\n\n".join([introduction, rendered(turns, options), profile, profiles(turns)])


def prepared(folder: Path, questions: Sequence[Question] | Iterator[Question], system: str) -> Path:
    """An archive with its indexes."""
    path = folder / "forum.db"
    with Archive.open(path) as archive:
        archive.put_many(questions)
    Engine.open(path, system).close()
    return path


@contextmanager
def both(folder: Path, path: Path, setup: Setup, options: argparse.Namespace) -> Iterator[dict[str, str]]:
    """The addresses of the plain service and of the cluster's."""
    create_cluster(folder / "cluster", path, setup.shards, system=options.system)
    plain = [*ours(path, setup.plain), "--system", options.system]
    cluster = cluster_serve(folder / "cluster", folder / "copies", "--workers", str(setup.gateways))
    with ExitStack() as stack:
        # The moderators' queue is made when a service has nothing else to do, as here while others have.
        yield {
            PLAIN: stack.enter_context(serving(plain, ASKAGAIN_SERVE_QUEUE="false")),
            CLUSTER: stack.enter_context(serving(cluster)),
        }


def measured(
    folder: Path,
    path: Path,
    setup: Setup,
    titles: Sequence[str],
    options: argparse.Namespace,
) -> list[Turns]:
    with both(folder, path, setup, options) as addresses:
        return [
            take_turns(case, addresses, load_script(folder, titles, explain), options)
            for explain, case in EXPLAINED.items()
        ]


def take_turns(case: str, addresses: dict[str, str], script: Path, options: argparse.Namespace) -> Turns:
    turns = Turns(case, {name: [] for name in addresses}, {name: Usage() for name in addresses})
    for address in addresses.values():
        wrk(address, script, SECONDS_TO_WARM_UP, options.connections)
    for _ in range(options.rounds):
        for name, address in addresses.items():
            with used_by(address, turns.usage[name]):
                turns.loads[name].append(wrk(address, script, options.seconds, options.connections))
            require_whole(address)
    log(f"{case}: {turns.ratios}")
    return turns


def require_whole(address: str) -> None:
    """Answers without all shards would be quick, and no answers."""
    answer = httpx.post(f"{address}/v1/similar", json={"title": "boot from usb"}, timeout=30).json()
    if answer.get("partial"):
        sys.exit(f"{answer['missing']} did not answer: nothing was measured")


def rendered(many: Sequence[Turns], options: argparse.Namespace) -> str:
    head = ["", "plain, searches/s", "cluster, searches/s", "ratio", "least and most", "p99 plain, ms"]
    rows = [_row(turns) for turns in many]
    remark = (
        f"Medians of {options.rounds} rounds of {options.seconds} s, in which the services took turns; both "
        "were running all the time."
    )
    return f"{table([*head, 'p99 cluster, ms', 'errors'], rows)}\n\n{remark}"


def _row(turns: Turns) -> list[object]:
    plain, cluster = turns.loads[PLAIN], turns.loads[CLUSTER]
    return [
        turns.case,
        f"{np.median([load.rate for load in plain]):.1f}",
        f"{np.median([load.rate for load in cluster]):.1f}",
        f"{np.median(turns.ratios):.2f}",
        f"{min(turns.ratios):.2f}–{max(turns.ratios):.2f}",
        f"{np.median([load.p99 for load in plain]):.0f}",
        f"{np.median([load.p99 for load in cluster]):.0f}",
        sum(load.errors for load in (*plain, *cluster)),
    ]


def profiles(many: Sequence[Turns]) -> str:
    rows: list[list[object]] = [
        [turns.case, name, role, f"{cores:.2f}"]
        for turns in many
        for name, usage in turns.usage.items()
        for role, cores in sorted(usage.cores().items())
    ]
    return table(["", "service", "processes", "cores"], rows)
