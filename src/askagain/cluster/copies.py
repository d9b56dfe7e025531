"""The copies of shards on a node: made from a snapshot once, and used again by whoever comes next."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import uuid
from collections.abc import Container, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from askagain.cluster.layout import ARCHIVE, ClusterFolder, Generation, shard_name
from askagain.cluster.shard import Shard
from askagain.errors import AskagainError, ClusterError

_LOCK: Final = "in-use"
_FOR_THE_OWNER: Final = 0o700

logger = logging.getLogger(__name__)


class Copy(NamedTuple):
    """A folder with a copy of a shard, made now or left by somebody."""

    folder: Path
    is_new: bool


@contextmanager
def own_shard(root: Path, cluster: ClusterFolder, generation: Generation, number: int) -> Iterator[Shard]:
    """A shard at the end of the log, in a copy that no other process uses, for as long as the block lasts.

    A left copy is thrown away if it is damaged, so old that the log has forgotten what it lacks, or if it has
    followed another log, because the cluster's folder was restored from an earlier copy.
    """
    end = cluster.log.end(generation.snapshot.position)
    while True:
        with ExitStack() as stack:
            copy = stack.enter_context(own_copy(root, cluster, generation, number))
            try:
                shard = stack.enter_context(Shard.open(generation, number, copy.folder, cluster.log))
                if not shard.follows(end):
                    raise ClusterError(f"it has followed another log, to position {shard.position}")
                shard.advance(cluster.log.end(shard.position))
            except AskagainError as error:
                if copy.is_new:
                    raise
                logger.warning("%s is copied anew: %s", copy.folder, error)
                _throw_away(copy.folder)
                continue
            yield shard
            return


@contextmanager
def own_copy(root: Path, cluster: ClusterFolder, generation: Generation, shard: int) -> Iterator[Copy]:
    """A copy of a shard that no other process uses, for as long as the block lasts.

    One that a process has left behind, however it has ended, is taken over: it lacks only what was written
    since.
    """
    mine = root / cluster.id
    mine.mkdir(parents=True, exist_ok=True, mode=_FOR_THE_OWNER)
    _tidy(mine, {f"{each.number:04}" for each in cluster.generations()})
    place = mine / f"{generation.number:04}" / shard_name(shard)
    place.mkdir(parents=True, exist_ok=True)
    left = _free(place)
    descriptor, folder = left or _copied(place, generation, shard)
    try:
        yield Copy(folder, is_new=left is None)
    finally:
        os.close(descriptor)


def _free(place: Path) -> tuple[int, Path] | None:
    for folder in sorted(place.iterdir()):
        if folder.name.startswith(".") or not (folder / ARCHIVE).is_file():
            continue
        descriptor = _locked(folder)
        if descriptor is not None:
            return descriptor, folder
    return None


def _locked(folder: Path) -> int | None:
    """The lock goes when its process does."""
    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _throw_away(folder: Path) -> None:
    """Under another name first, so that nobody takes over what is half gone."""
    shutil.rmtree(folder.rename(folder.with_name(f".{folder.name}")), ignore_errors=True)


def _copied(place: Path, generation: Generation, shard: int) -> tuple[int, Path]:
    descriptor, making = _begun(place)
    try:
        shutil.copytree(generation.snapshot.shard(shard), making, dirs_exist_ok=True)
        return descriptor, making.rename(place / making.name.removeprefix("."))
    except BaseException:
        os.close(descriptor)
        shutil.rmtree(making, ignore_errors=True)
        raise


def _begun(place: Path) -> tuple[int, Path]:
    """An empty folder that is locked; another process may remove one before it is."""
    while True:
        making = place / f".{uuid.uuid4().hex}"
        making.mkdir()
        with suppress(FileNotFoundError):
            descriptor = _locked(making)
            if descriptor is not None:
                return descriptor, making


def _tidy(mine: Path, generations: Container[str]) -> None:
    """Removes half-made copies of killed processes, and copies of generations that are gone."""
    for folder in mine.glob("*/*/*"):
        if not folder.name.startswith(".") and folder.parent.parent.name in generations:
            continue
        with suppress(OSError):
            descriptor = _locked(folder)
            if descriptor is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(descriptor)
