"""New generations of a cluster: from an archive, or from the generation before; and later snapshots."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Final

from askagain.archive import Archive, Change
from askagain.archive.opening import USED_FROM_AFAR
from askagain.cluster.layout import ARCHIVE, ClusterFolder, Generation, Snapshot, new_snapshot, shard_name
from askagain.cluster.log import WriteLog
from askagain.cluster.placing import MOST_SHARDS, shard_of
from askagain.cluster.shard import POSITION, Shard
from askagain.engine import Engine
from askagain.question import Question
from askagain.sources.base import Progress, no_progress
from askagain.systems import DEFAULT_SYSTEM, load_system
from askagain.tables import check_range
from askagain.trained import model_folder, trained_system

_BATCH: Final = 1000
_KEPT_SNAPSHOTS: Final = 2


def create_cluster(
    path: Path,
    archive: Path,
    shards: int,
    *,
    system: str | None = None,
    model: Path | None = None,
    progress: Progress = no_progress,
) -> ClusterFolder:
    """A cluster of the questions of an archive, which stays as it is.

    Without a system it is the one that the archive uses; its model is the one that was trained there.
    `progress` is called with (questions taken over, questions in all).
    """
    check_range("shards", shards, 1, MOST_SHARDS)
    chosen = system or trained_system(archive) or DEFAULT_SYSTEM
    with Archive.open(archive, create=False) as source:
        own = model_folder(archive, load_system(chosen).name)
        folder = ClusterFolder.create(path)
        try:
            with folder.new_generation(
                shards, chosen, model or (own if own.is_dir() else None)
            ) as generation:
                _fill(generation, [source], 0, progress)
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
    _make_keys(folder.keys)
    folder.choose(folder.generation(1))
    return folder


def _make_keys(path: Path) -> None:
    with Archive.open(path) as keys:
        keys.note(USED_FROM_AFAR, "yes")
    Archive.open(path).close()  # from now on as the note says


def next_generation(
    folder: ClusterFolder,
    *,
    shards: int | None = None,
    system: str | None = None,
    model: Path | None = None,
    progress: Progress = no_progress,
) -> Generation:
    """The questions of the newest snapshot on other shards, or for another system or model.

    It is not served yet; what was written since the snapshot is in the log, from which its shards take it.
    """
    with folder.changing():
        return _next_generation(folder, shards, system, model, progress)


def _next_generation(
    folder: ClusterFolder, shards: int | None, system: str | None, model: Path | None, progress: Progress
) -> Generation:
    before = folder.current
    check_range("shards", shards or before.shards, 1, MOST_SHARDS)
    snapshot = before.snapshot
    chosen = system or before.recipe
    kept = before.model if system is None else None
    with (
        ExitStack() as stack,
        folder.new_generation(shards or before.shards, chosen, model or kept) as generation,
    ):
        sources = [_copied(snapshot, shard, generation, stack) for shard in range(before.shards)]
        _fill(generation, sources, snapshot.position, progress, snapshot.next_number)
        for source in sources:
            source.close()
        shutil.rmtree(generation.folder / "sources")
    return folder.generation(generation.number)


def take_snapshot(folder: ClusterFolder) -> Snapshot:
    """The shards as they are at the end of the log; what is older is forgotten after that."""
    with folder.changing():
        snapshot = _taken_snapshot(folder)
        _forget(folder, folder.log)
        return snapshot


def _taken_snapshot(folder: ClusterFolder) -> Snapshot:
    generation, log = folder.current, folder.log
    old = generation.snapshot
    end = log.end(old.position)
    if end == old.position:
        return old
    next_number = log.read(end).next_number
    with new_snapshot(generation, end, next_number) as new:
        for number in range(generation.shards):
            shutil.copytree(old.shard(number), new / shard_name(number))
            with Shard.open(generation, number, new / shard_name(number), log) as shard:
                shard.advance(end)
    return generation.snapshot


def _forget(folder: ClusterFolder, log: WriteLog) -> None:
    """Generations that were replaced go, and so does whatever only they and older snapshots need.

    As long as no service has started the shards of the current one, they serve the one before.
    """
    current = folder.current
    oldest = min(current.number, folder.deployed or current.number)
    for generation in folder.generations():
        if generation.number < oldest:
            shutil.rmtree(generation.folder)
    for snapshot in current.snapshots()[:-_KEPT_SNAPSHOTS]:
        shutil.rmtree(snapshot.folder)
    kept = [snapshot for generation in folder.generations() for snapshot in generation.snapshots()]
    log.forget(min(snapshot.position for snapshot in kept))


def _copied(snapshot: Snapshot, shard: int, generation: Generation, stack: ExitStack) -> Archive:
    """A shard's archive to read from: to open one writes beside it, and a snapshot stays as it is."""
    copy = generation.folder / "sources" / f"{shard}.db"
    copy.parent.mkdir(exist_ok=True)
    shutil.copyfile(snapshot.shard(shard) / ARCHIVE, copy)
    return stack.enter_context(Archive.open(copy, create=False))


def _fill(
    generation: Generation,
    sources: Iterable[Archive],
    position: int,
    progress: Progress,
    next_number: int = 1,
) -> None:
    """The first snapshot of a generation."""
    sources = list(sources)
    total = sum(len(source) for source in sources)
    with ExitStack() as stack:
        making = generation.folder / "filling"
        archives = []
        for shard in range(generation.shards):
            (making / shard_name(shard)).mkdir(parents=True)
            archives.append(stack.enter_context(Archive.open(making / shard_name(shard) / ARCHIVE)))
        done = 0
        for source in sources:
            for changes in _batches(source.changes_since(0)):
                _distribute(changes, archives)
                next_number = max(next_number, *(change.number + 1 for change in changes))
                done += len(changes)
                progress(min(done, total), total)
        for archive in archives:
            archive.note(POSITION, str(position))
    with new_snapshot(generation, position, next_number) as folder:
        for shard in range(generation.shards):
            (making / shard_name(shard)).rename(folder / shard_name(shard))
            path = folder / shard_name(shard) / ARCHIVE
            Engine.open(path, generation.recipe, model=generation.model).close()
    making.rmdir()


def _distribute(changes: list[Change], archives: list[Archive]) -> None:
    """Each question to its shard; one that was deleted leaves its number there, which is never used again."""
    parts: dict[int, list[Change]] = {}
    for change in changes:
        parts.setdefault(shard_of(change.id, len(archives)), []).append(change)
    for shard, part in parts.items():
        archive = archives[shard]
        with archive.transaction():
            archive.put_numbered((change.number, change.question or _blank(change.id)) for change in part)
            for change in part:
                if change.question is None:
                    archive.delete(change.id)


def _blank(id: str) -> Question:
    return Question(title="", id=id)


def _batches(changes: Iterable[Change]) -> Iterator[list[Change]]:
    rest = iter(changes)
    while batch := list(islice(rest, _BATCH)):
        yield batch
