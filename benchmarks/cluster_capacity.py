"""What does an archive of some size need? Measured at small sizes, fitted, and extrapolated to large ones."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from askagain.cluster.building import create_cluster
from cluster_nodes import cluster_serve, serving
from cluster_overhead import load_script, prepared
from cluster_processes import GATEWAY, RAY, REPLICA, Usage, used_by
from cluster_report import log, table
from resample import real_questions, resample
from service import SECONDS_TO_WARM_UP, benchmark, require_wrk, wrk

SHARDS = (1, 2)
GATEWAYS = 2
SEARCHES = 100
EXTRAPOLATED = (1_000_000, 10_000_000, 100_000_000)
HOURS_OF_A_MONTH = 730


@dataclass(frozen=True)
class Point:
    """What was measured for some questions on some shards; CPU is in seconds of a core for one search.

    `replica_megabytes` are those of one replica and `gateway_megabytes` those of one gateway, while the CPU
    is that of all of them.
    """

    questions: int
    shards: int
    rate: float
    replica_megabytes: float
    gateway_megabytes: float
    ray_megabytes: float
    replica_cpu: float
    gateway_cpu: float
    ray_cpu: float

    @property
    def in_a_shard(self) -> float:
        """The questions of one shard."""
        return self.questions / self.shards


@dataclass(frozen=True)
class Line:
    """A figure that grows by `slope` with each unit, from `start` on."""

    start: float
    slope: float

    @classmethod
    def through(cls, places: Sequence[float], figures: Sequence[float]) -> Line:
        """The line with the least squares; one that falls is noise, and its mean is taken."""
        if len(set(places)) > 1:
            slope, start = np.polyfit(places, figures, 1)
            if slope > 0:
                return cls(float(start), float(slope))
        return cls(float(np.mean(figures)), 0.0)

    def at(self, place: float) -> float:
        """The figure there."""
        return self.start + self.slope * place


@dataclass(frozen=True)
class Model:
    """How needs grow.

    The memory of a replica, and its CPU for a search, grow with the questions of its shard, the memory of a
    gateway with all questions, and the CPU of gateways and of Ray for a search with the number of shards.
    """

    replica_megabytes: Line
    replica_cpu: Line
    gateway_megabytes: Line
    gateway_cpu: Line
    ray_cpu: Line
    ray_megabytes: float

    @classmethod
    def of(cls, points: Sequence[Point]) -> Model:
        """The one that is nearest to what was measured."""
        in_a_shard = [point.in_a_shard for point in points]
        shards = [float(point.shards) for point in points]
        return cls(
            Line.through(in_a_shard, [point.replica_megabytes for point in points]),
            Line.through(in_a_shard, [point.replica_cpu / point.shards for point in points]),
            Line.through([point.questions for point in points], [p.gateway_megabytes for p in points]),
            Line.through(shards, [point.gateway_cpu for point in points]),
            Line.through(shards, [point.ray_cpu for point in points]),
            float(np.mean([point.ray_megabytes for point in points])),
        )


@dataclass(frozen=True)
class Need:
    """What a cluster needs to hold some questions, and the cores for each 100 searches a second."""

    shards: int
    gigabytes: float
    gigabytes_of_a_gateway: float
    cores: float


def need(model: Model, questions: int, per_shard: int, replicas: int) -> Need:
    """Every search asks each shard once, whichever replica; each gateway knows the words of all questions.

    There are as many gateways as keep a core busy each.
    """
    shards = max(1, -(-questions // per_shard))
    searching = SEARCHES * shards * model.replica_cpu.at(questions / shards)
    answering = SEARCHES * model.gateway_cpu.at(shards)
    between = SEARCHES * model.ray_cpu.at(shards)
    gateway = model.gateway_megabytes.at(questions)
    megabytes = shards * replicas * model.replica_megabytes.at(questions / shards)
    megabytes += math.ceil(answering) * gateway + model.ray_megabytes
    return Need(shards, megabytes / 1024, gateway / 1024, searching + answering + between)


def capacity(options: argparse.Namespace) -> str:
    require_wrk()
    points = [measured(size, shards, options) for size in options.sizes for shards in SHARDS]
    model = Model.of(points)
    return "\n\n".join([_introduction(options), _points(points), _lines(model), _needs(model, options)])


def measured(size: int, shards: int, options: argparse.Namespace) -> Point:
    titles = [query.title for query in benchmark().queries]
    with TemporaryDirectory(prefix="askagain-") as name:
        folder = Path(name)
        questions = resample(real_questions("askubuntu-titles"), size, options.seed)
        path = prepared(folder, questions, options.system)
        create_cluster(folder / "cluster", path, shards, system=options.system)
        script = load_script(folder, titles, explain=True)
        command = cluster_serve(folder / "cluster", folder / "copies", "--workers", str(GATEWAYS))
        usage = Usage()
        with serving(command) as address:
            wrk(address, script, SECONDS_TO_WARM_UP, options.connections)
            with used_by(address, usage):
                load = wrk(address, script, options.seconds, options.connections)
    searches = load.rate * options.seconds
    found = Point(
        size,
        shards,
        load.rate,
        usage.megabytes_each(REPLICA),
        usage.megabytes_each(GATEWAY),
        usage.megabytes[RAY],
        usage.cpu[REPLICA] / searches,
        usage.cpu[GATEWAY] / searches,
        usage.cpu[RAY] / searches,
    )
    log(str(found))
    return found


def _introduction(options: argparse.Namespace) -> str:
    return (
        f"Resampled titles, system `{options.system}`, matches with reasons, {GATEWAYS} gateways, one "
        f"replica of each shard, {options.connections} connections for {options.seconds} s. Memory is what "
        "is resident, files that are mapped included. Cores are those that were busy, for each 100 searches "
        "a second."
    )


def _points(points: Sequence[Point]) -> str:
    head = ["questions", "shards", "searches/s", "MB of a replica", "MB of a gateway"]
    head += ["cores of replicas", "cores of gateways", "cores of Ray"]
    rows: list[list[object]] = [
        [
            point.questions,
            point.shards,
            f"{point.rate:.1f}",
            f"{point.replica_megabytes:.0f}",
            f"{point.gateway_megabytes:.0f}",
            *(f"{SEARCHES * cpu:.2f}" for cpu in (point.replica_cpu, point.gateway_cpu, point.ray_cpu)),
        ]
        for point in points
    ]
    return table(head, rows)


def _lines(model: Model) -> str:
    rows: list[list[object]] = [
        ["MB of a replica", *_per_100k(model.replica_megabytes, 1), "100K questions of its shard"],
        [
            "cores of the replicas of a shard",
            *_per_100k(model.replica_cpu, SEARCHES),
            "100K of its questions",
        ],
        ["MB of a gateway", *_per_100k(model.gateway_megabytes, 1), "100K questions of the cluster"],
        ["cores of gateways", *_per_shard(model.gateway_cpu), "shard"],
        ["cores of Ray", *_per_shard(model.ray_cpu), "shard"],
    ]
    text = "Lines through these points; cores are those for 100 searches a second:"
    return f"{text}\n\n{table(['', 'always', 'and', 'for each'], rows)}"


def _per_100k(line: Line, factor: float) -> tuple[str, str]:
    return f"{factor * line.start:.2f}", f"{100_000 * factor * line.slope:.2f}"


def _per_shard(line: Line) -> tuple[str, str]:
    return f"{SEARCHES * line.start:.2f}", f"{SEARCHES * line.slope:.2f}"


def _needs(model: Model, options: argparse.Namespace) -> str:
    rows = [
        _need_row(questions, need(model, questions, options.questions_per_shard, options.replicas), options)
        for questions in EXTRAPOLATED
    ]
    head = ["questions", "shards", "GB", "GB of one gateway", "dollars a month", "GB per million"]
    head += ["dollars a month per million", "cores for 100 searches/s", "dollars a month for 100 searches/s"]
    text = (
        "**Extrapolated** along these lines, not measured. Shards have up to "
        f"{options.questions_per_shard:,} questions and {options.replicas} replicas; the largest that was "
        f"measured has {max(options.sizes):,} questions. Cores are fully used. "
        f"A core-hour is assumed to cost {options.core_price} dollars (`--core-price`) and a GB-hour "
        f"{options.memory_price} (`--memory-price`); a month has {HOURS_OF_A_MONTH} hours."
    )
    return f"{text}\n\n{table(head, rows)}"


def _need_row(questions: int, needed: Need, options: argparse.Namespace) -> list[object]:
    holding = HOURS_OF_A_MONTH * needed.gigabytes * options.memory_price
    searching = HOURS_OF_A_MONTH * needed.cores * options.core_price
    millions = questions / 1e6
    return [
        questions,
        needed.shards,
        f"{needed.gigabytes:.1f}",
        f"{needed.gigabytes_of_a_gateway:.1f}",
        f"{holding:,.0f}",
        f"{needed.gigabytes / millions:.2f}",
        f"{holding / millions:,.2f}",
        f"{needed.cores:.1f}",
        f"{searching:,.0f}",
    ]
