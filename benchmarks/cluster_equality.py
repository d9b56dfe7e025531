"""Is a cluster's answer that of one machine? Every ranking and score, before, during and after live edits."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from askagain.archive import Archive
from askagain.cluster.building import create_cluster
from askagain.cluster.desk import Desk
from askagain.cluster.gateway import Asked, ShardedEngine
from askagain.cluster.log import Delete
from askagain.cluster.near import NearShards
from askagain.engine import Engine
from askagain.question import Match, Question
from askagain.systems import LEXICAL_SYSTEMS
from cluster_report import log, table
from resample import resample
from service import benchmark

SYSTEMS = (*LEXICAL_SYSTEMS, "shipped", "best")
SHARDS = (1, 2, 4, 7)
TOP = 100
TOGETHER = 16
ADDED, EDITED = 0.5, 0.8  # shares of a random number; what is left are deletions

Edit = Question | Delete
Ranking = list[tuple[str, float, float | None]]
Search = Callable[[Sequence[Question]], list[Ranking]]
Change = Callable[[Edit], object]


@dataclass(frozen=True)
class Answers:
    """The rankings of all queries before and after the edits, and of one query after each edit."""

    before: list[Ranking]
    during: list[Ranking]
    after: list[Ranking]


@dataclass(frozen=True)
class Difference:
    """Rankings with other questions or in another order, and the largest difference of a score at a rank."""

    rankings: int
    differing: int
    largest: float


def random_edits(questions: Sequence[Question], count: int, seed: int) -> list[Edit]:
    """New questions, other texts for old ones, and deletions, in a random order."""
    chance = random.Random(seed)
    fresh = resample(questions, count, seed)
    old = chance.sample(list(questions), count)
    return [_edit(chance.random(), question, new) for question, new in zip(old, fresh, strict=True)]


def _edit(drawn: float, old: Question, new: Question) -> Edit:
    if drawn < ADDED:
        return new
    return replace(new, id=old.id) if drawn < EDITED else Delete(old.id)


def answers_of(search: Search, change: Change, queries: Sequence[Question], edits: Sequence[Edit]) -> Answers:
    before = search(queries)
    during = []
    for number, edit in enumerate(edits):
        change(edit)
        during += search([queries[number % len(queries)]])
    return Answers(before, during, search(queries))


def ranking(matches: Sequence[Match]) -> Ranking:
    return [(match.id, match.score, match.probability) for match in matches]


def difference(ours: Sequence[Ranking], theirs: Sequence[Ranking]) -> Difference:
    differing, largest = 0, 0.0
    for one, other in zip(ours, theirs, strict=True):
        differing += [id_ for id_, *_ in one] != [id_ for id_, *_ in other]
        for (_, *figures), (_, *others) in zip(one, other, strict=False):
            distances = [abs(a - b) for a, b in known_pairs(figures, others)]
            largest = max(largest, *distances)
    return Difference(len(ours), differing, largest)


def known_pairs(
    figures: Sequence[float | None], others: Sequence[float | None]
) -> Iterator[tuple[float, float]]:
    for one, other in zip(figures, others, strict=True):
        if (one is None) != (other is None):
            yield 0.0, float("inf")
        elif one is not None and other is not None:
            yield one, other


def change_archive(archive: Archive, edit: Edit) -> None:
    if isinstance(edit, Delete):
        archive.delete(edit.id)
    else:
        archive.put(edit)


def change_cluster(desk: Desk, edit: Edit) -> None:
    if isinstance(edit, Delete):
        desk.delete(edit.id, _anything)
    else:
        desk.put(edit, _anything)


def _anything(present: Question | None) -> None:
    """Whatever is there may be written over."""


def on_one_machine(
    path: Path, system: str, queries: Sequence[Question], edits: Sequence[Edit], top: int
) -> Answers:
    with Engine.open(path, system) as engine:

        def search(some: Sequence[Question]) -> list[Ranking]:
            found = [engine.search(query, top, explain="none", min_probability=0.0) for query in some]
            return list(map(ranking, found))

        return answers_of(search, partial(change_archive, engine.archive), queries, edits)


@contextmanager
def near_cluster(path: Path, system: str, shards: int) -> Iterator[tuple[ShardedEngine, Desk]]:
    """A cluster of an archive whose shards are in this process."""
    with TemporaryDirectory(prefix="askagain-") as name:
        folder = create_cluster(Path(name) / "cluster", path, shards, system=system)
        generation = folder.current
        with (
            NearShards(folder, generation, Path(name) / "copies") as transport,
            ShardedEngine(folder, generation, transport) as engine,
            Desk(folder, generation, transport) as desk,
        ):
            yield engine, desk


def on_shards(
    path: Path, system: str, shards: int, queries: Sequence[Question], edits: Sequence[Edit], top: int
) -> Answers:
    with near_cluster(path, system, shards) as (engine, desk):

        def search(some: Sequence[Question]) -> list[Ranking]:
            rankings: list[Ranking] = []
            for first in range(0, len(some), TOGETHER):
                asked = [Asked(query, top, 0.0) for query in some[first : first + TOGETHER]]
                rankings += [ranking(found.matches) for found in engine.search_together(asked)]
            return rankings

        return answers_of(search, partial(change_cluster, desk), queries, edits)


def compared(
    questions: Sequence[Question],
    queries: Sequence[Question],
    edits: Sequence[Edit],
    system: str,
    shards: Sequence[int],
    top: int,
) -> Iterator[tuple[int, Difference, Difference]]:
    """For each number of shards the differences before the edits, and from the first edit on."""
    with TemporaryDirectory(prefix="askagain-") as name:
        path, own = Path(name) / "forum.db", Path(name) / "one.db"
        for each in (path, own):
            with Archive.open(each) as archive:
                archive.put_many(questions)
        expected = on_one_machine(own, system, queries, edits, top)
        for count in shards:
            found = on_shards(path, system, count, queries, edits, top)
            yield (
                count,
                difference(found.before, expected.before),
                difference([*found.during, *found.after], [*expected.during, *expected.after]),
            )


def equality(options: argparse.Namespace) -> str:
    loaded = benchmark()
    questions = loaded.questions[: options.questions]
    queries = loaded.queries[: options.queries]
    edits = random_edits(questions, options.edits, options.seed)
    rows = []
    for system in options.systems:
        for shards, before, live in compared(questions, queries, edits, system, options.shards, options.top):
            log(f"{system} on {shards} shards: {before}, {live}")
            rows.append([system, shards, *shown(before), *shown(live)])
    head = ["system", "shards", "rankings", "that differ", "largest difference of a score"]
    live_head = ["rankings with live edits", "that differ", "largest difference of a score"]
    introduction = (
        f"{len(questions):,} titles of askubuntu-titles, {len(queries):,} queries of its dev split, the best "
        f"{options.top} questions of each. {len(edits)} random live edits: after each one a search, and "
        "after all of them all queries again. Shards are in one process, which answers up to "
        f"{TOGETHER} queries together, as a service does under load. Each ranking is compared with that of "
        "one machine: its order, and its scores and probabilities without rounding."
    )
    return "\n\n".join([introduction, table([*head, *live_head], rows)])


def shown(found: Difference) -> list[object]:
    return [found.rankings, found.differing, f"{found.largest:.1g}"]
