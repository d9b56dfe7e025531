"""`askagain cluster mine`: all likely duplicates of a cluster."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from askagain.calibration.wishes import LEAST_LIKELY
from askagain.cli.clusterencoding import Address, check_ray
from askagain.cli.clusterserving import ClusterPath
from askagain.cli.compiling import announce_compiling
from askagain.cli.duplicates import least_wanted, write_pairs
from askagain.cli.files import check_writable
from askagain.cli.progress import shown_progress


def mine(
    folder: ClusterPath,
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="Where to: CSV if it ends in .csv, else JSON Lines (.gz)."),
    ],
    address: Address = None,
    min_probability: Annotated[
        float | None,
        typer.Option(
            metavar="P",
            min=0.0,
            max=1.0,
            help="Leave out what is less likely. Default: the threshold that training has chosen, else 0.05.",
        ),
    ] = None,
    copies: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            help="Where a node keeps its copies. Default: in its folder for temporary files.",
        ),
    ] = "",
) -> None:
    """Find all likely duplicates of a cluster, on all its workers.

    Every question is searched for among all others. After an interruption, or when workers have died, the
    same command goes on, unless something was written since; the parts that are done lie beside the file
    until it is written. The shards of a service that runs are used, else some are started for this.

    Example: `askagain cluster mine forum.cluster --out pairs.jsonl`
    """
    check_ray(address)
    check_writable(out)
    announce_compiling()
    from askagain.cluster.connecting import connected
    from askagain.cluster.layout import ClusterFolder
    from askagain.cluster.merging import merged
    from askagain.cluster.settings import ClusterSettings

    opened = ClusterFolder.open(folder)
    settings = ClusterSettings(folder=str(folder), address=address or "", copies=copies)
    with connected(address):
        from askagain.cluster.far import searching
        from askagain.cluster.mining import mine as mine_parts

        with (
            searching(opened, settings, str(out.resolve())) as (engine, application),
            shown_progress() as progress,
        ):
            engine.get_ready()
            place = f"{engine.generation.number:04}-{engine.shards.position:012}"
            parts = out.with_name(f"{out.name}.parts") / place
            seconds = settings.shard_seconds
            found = mine_parts(opened, engine, application, parts, seconds, partial(progress, "searching"))
            usual = engine.engine.threshold or LEAST_LIKELY
    write_pairs(merged(found, least_wanted(min_probability, usual)), out)
    shutil.rmtree(parts.parent)
