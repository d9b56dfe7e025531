"""`askagain cluster create|serve|change|snapshot|status|stop`: an archive on many machines."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from askagain.cli.clusterencoding import Address, check_ray
from askagain.cli.compiling import announce_compiling
from askagain.cli.options import ArchivePath, AsJson
from askagain.cli.output import print_json, remark
from askagain.cli.progress import shown_progress
from askagain.cli.serving import Host, Port, Workers, announce
from askagain.cluster.placing import MOST_SHARDS
from askagain.extras import check_serve
from askagain.wording import counted

ClusterPath = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="The cluster's folder, which all nodes see.")
]
SystemName = Annotated[str | None, typer.Option(metavar="NAME", help="The system. Default: as it is now.")]
ModelPath = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="A model of the system, made by askagain train.")
]


def create(
    folder: ClusterPath,
    archive: ArchivePath,
    shards: Annotated[int, typer.Option(metavar="N", min=1, max=MOST_SHARDS, help="How many shards.")] = 2,
    system: SystemName = None,
    model: ModelPath = None,
) -> None:
    """Make a cluster from an archive: its questions in shards, each with its indexes. The archive stays.

    Example: `askagain cluster create forum.cluster --archive forum.db --shards 4`
    """
    announce_compiling()
    from askagain.cluster.building import create_cluster

    with shown_progress() as progress:
        made = create_cluster(
            folder, archive, shards, system=system, model=model, progress=partial(progress, "splitting")
        )
    snapshot = made.current.snapshot
    remark(f"{counted(snapshot.questions, 'question')} in {counted(shards, 'shard')} at {folder}")


def serve(
    folder: ClusterPath,
    address: Address = None,
    host: Host = None,
    port: Port = None,
    workers: Workers = None,
    replicas: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="How many replicas each shard has.")
    ] = 1,
    most_replicas: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=100, help="How many it may have under load. Default: always the same."
        ),
    ] = 0,
    cpus: Annotated[
        float, typer.Option(metavar="N", min=0.0, help="How many cores a replica reserves on its node.")
    ] = 0.0,
    copies: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            help="Where a node keeps its copies. Default: in its folder for temporary files.",
        ),
    ] = "",
    grace: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0.0, help="How long the shards of a replaced generation stay."),
    ] = 120.0,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="More settings of the HTTP service: see docs/service.md."),
    ] = None,
) -> None:
    """Serve a cluster over HTTP: searches, and writes that are durable when they are answered.

    Shards that have one replica more than may fail go on answering; one without any is named in the answers,
    which are marked as partial.

    Example: `askagain cluster serve forum.cluster --address 10.0.0.1:6379 --replicas 2`
    """
    check_serve()
    check_ray(address)
    from askagain.cluster.serving import serve_cluster
    from askagain.cluster.settings import ClusterSettings
    from askagain.service.settings import read_settings

    options = {"host": host, "port": port, "workers": workers}
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    cluster = ClusterSettings(
        folder=str(folder),
        address=address or "",
        replicas=replicas,
        most_replicas=most_replicas,
        cpus=cpus,
        copies=copies,
        grace_seconds=grace,
    )
    serve_cluster(cluster, read_settings(config, os.environ, given), partial(announce, open_page=False))


def change(
    folder: ClusterPath,
    shards: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=MOST_SHARDS, help="Another number of shards.")
    ] = None,
    system: SystemName = None,
    model: ModelPath = None,
) -> None:
    """Make another generation, with more shards or another model, and serve it from then on.

    It is made beside the one that is served; services that run start its shards and then change over. A
    search is answered by the one or by the other.

    Example: `askagain cluster change forum.cluster --shards 8`
    """
    announce_compiling()
    from askagain.cluster.building import next_generation
    from askagain.cluster.layout import ClusterFolder

    opened = ClusterFolder.open(folder)
    with shown_progress() as progress:
        made = next_generation(
            opened, shards=shards, system=system, model=model, progress=partial(progress, "splitting")
        )
    opened.choose(made)
    remark(f"generation {made.number} with {counted(made.shards, 'shard')} and {made.system} is chosen")


def snapshot(folder: ClusterPath) -> None:
    """Keep all shards as they are now, so that new replicas have little to catch up with.

    Older snapshots and the part of the log that nobody needs any more are removed.

    Example: `askagain cluster snapshot forum.cluster`
    """
    announce_compiling()
    from askagain.cluster.building import take_snapshot
    from askagain.cluster.layout import ClusterFolder

    taken = take_snapshot(ClusterFolder.open(folder))
    remark(f"{counted(taken.questions, 'question')} at position {taken.position}")


def stop(
    folder: ClusterPath,
    address: Annotated[
        str,
        typer.Option(metavar="HOST:PORT", help="The head of a Ray cluster, or auto for one that runs here."),
    ] = "auto",
) -> None:
    """End the shards of a cluster that were started on a Ray cluster: they outlive the command that serves.

    Services that still run start them again. With other options (--replicas, --cpus) they begin anew, too.

    Example: `askagain cluster stop forum.cluster --address 10.0.0.1:6379`
    """
    check_ray(address)
    from askagain.cluster.connecting import connected
    from askagain.cluster.layout import ClusterFolder

    opened = ClusterFolder.open(folder)
    with connected(address):
        from askagain.cluster.far import stop as stop_shards

        ended = stop_shards(opened)
    remark(f"the shards of {counted(ended, 'generation')} have ended")


def status(folder: ClusterPath, json: AsJson = False) -> None:
    """Show the generations of a cluster, their snapshots, and how long the log is.

    Example: `askagain cluster status forum.cluster`
    """
    from askagain.cluster.layout import ClusterFolder

    opened = ClusterFolder.open(folder)
    current = opened.current
    end = opened.log.end(current.snapshot.position)
    generations: list[dict[str, Any]] = [
        {
            "number": generation.number,
            "chosen": generation.number == current.number,
            "shards": generation.shards,
            "system": generation.system,
            "snapshots": [
                {"position": each.position, "questions": each.questions} for each in generation.snapshots()
            ],
        }
        for generation in opened.generations()
    ]
    if json:
        print_json({"position": end, "generations": generations})
        return
    for told in generations:
        mark = "chosen" if told["chosen"] else "not chosen"
        newest = told["snapshots"][-1]
        remark(
            f"generation {told['number']} ({mark}): {counted(told['shards'], 'shard')}, {told['system']}, "
            f"snapshot of {counted(newest['questions'], 'question')} at position {newest['position']}"
        )
    remark(f"the log ends at position {end}")
