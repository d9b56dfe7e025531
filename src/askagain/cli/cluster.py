"""`askagain cluster`: what runs on Ray."""

from __future__ import annotations

import typer

from askagain.cli import clusterencoding, clustermining, clusterserving, clustersweeping

app = typer.Typer(help="Past one machine: large jobs on a Ray cluster, or on all cores of this machine.")
app.command("create")(clusterserving.create)
app.command("serve")(clusterserving.serve)
app.command("change")(clusterserving.change)
app.command("snapshot")(clusterserving.snapshot)
app.command("status")(clusterserving.status)
app.command("stop")(clusterserving.stop)
app.command("mine")(clustermining.mine)
app.command("encode")(clusterencoding.encode)
app.command("sweep")(clustersweeping.sweep)
