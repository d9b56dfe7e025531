"""`askagain cluster sweep`: which settings of a system are best on the dev split of a set."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from askagain.cli.clusterencoding import Address, check_ray
from askagain.cli.options import AsJson, Parameters
from askagain.cli.output import console, print_json, remark, text
from askagain.cli.parameters import parsed_parameters
from askagain.cli.progress import shown_progress
from askagain.errors import ClusterError
from askagain.wording import counted

if TYPE_CHECKING:
    from askagain.cluster.sweeping.job import SweepReport
    from askagain.cluster.sweeping.lessons import Lessons

_SHOWN: Final = 20


def sweep(
    grid: Annotated[
        str,
        typer.Argument(
            metavar="GRID",
            help="bm25, ib, dfr, lmd, lmj, bow-cnn, cnn, lstm, rcnn: the papers' grids; or a grid.toml.",
        ),
    ],
    set_dir: Annotated[Path, typer.Argument(metavar="SET_DIR", help="The folder of a question set.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for one result file per trial.")],
    fields: Annotated[
        str, typer.Option(metavar="FIELDS", help="What systems see: title, or title,body.")
    ] = "title,body",
    parameters: Parameters = None,
    seeds: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=100, help="Train each combination so often. Default: as the grid says."
        ),
    ] = None,
    address: Address = None,
    json: AsJson = False,
) -> None:
    """Train a system with every combination of a grid's settings and several seeds, on all workers.

    Each trial learns from the train split and is measured on the dev split; the test split is never looked
    at. A trial whose worker or node dies is done again elsewhere. Each result is a file of its own, and after
    Ctrl-C the same command goes on with what is missing. The table has the mean over the seeds, best first,
    with the standard deviation beside it.

    A grid is a TOML file: `system = "rcnn"`, `seeds = 5`, and below `[[settings]]` a list of values for each
    setting, such as `"training.rate" = [1e-3, 3e-4]`. Every combination is tried; several `[[settings]]` are
    tried one after the other.

    Example: `askagain cluster sweep bm25 data/askubuntu-titles --fields title --out sweeps/bm25`

    Example: `askagain cluster sweep rcnn data/askubuntu-bodies --out sweeps/rcnn --address head:6379`
    """
    from askagain.cluster.connecting import connected
    from askagain.cluster.sweeping import job
    from askagain.cluster.sweeping.grid import load_grid
    from askagain.cluster.sweeping.lessons import lessons_for
    from askagain.cluster.sweeping.trials import base_system, trials_of

    check_ray(address)
    chosen = load_grid(grid)
    trials = list(trials_of(chosen, parsed_parameters(parameters or []), seeds or chosen.seeds))
    wanted = tuple(field.strip() for field in fields.split(","))
    lessons = lessons_for(base_system(chosen), set_dir, wanted)
    with shown_progress() as progress:
        report = job.sweep(trials, lessons, out, connect=partial(connected, address), progress=progress)
    if json:
        print_json(_as_json(report, chosen.system, lessons))
    else:
        _print(report, chosen.system, lessons)
    if report.failures:
        raise ClusterError(
            f"{len(report.failures)} of {report.trials} trials have failed, the first one "
            f"{report.failures[0]}; run the same command again to try them once more"
        )


def _as_json(report: SweepReport, system: str, lessons: Lessons) -> dict[str, object]:
    return {
        "system": system,
        "set": lessons.dev.name,
        "split": lessons.dev.split,
        "fields": list(lessons.dev.fields),
        "queries": len(lessons.dev.queries),
        "trials": report.trials,
        "made": report.made,
        "settings": [each.to_json() for each in report.tried],
        "failures": report.failures,
    }


def _print(report: SweepReport, system: str, lessons: Lessons) -> None:
    from rich.table import Table

    from askagain.cluster.sweeping.ranking import chosen_by

    if not report.tried:
        return
    metric = chosen_by(report.tried[0].means)
    dev = lessons.dev
    title = f"{system} on {dev.name}, split {dev.split}, {'+'.join(dev.fields)}, {len(dev.queries)} queries"
    console().print(text(title), soft_wrap=True)
    names = list(dict.fromkeys(name for each in report.tried for name in each.settings))
    table = Table(metric, "±", "seeds", *names, box=None, pad_edge=False)
    for each in report.tried[:_SHOWN]:
        settings = [text(str(each.settings.get(name, ""))) for name in names]
        table.add_row(
            f"{each.means[metric]:.2f}", f"{each.spreads[metric]:.2f}", str(len(each.seeds)), *settings
        )
    console().print(table)
    if len(report.tried) > _SHOWN:
        more = counted(len(report.tried), "combination")
        remark(f"the best {_SHOWN} of {more} are shown; --json prints all")
