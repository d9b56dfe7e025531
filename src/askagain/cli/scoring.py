"""`askagain score`: the official figures of a run file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from askagain.cli.options import AsJson
from askagain.cli.output import print_json


def score(
    run_file: Annotated[Path, typer.Argument(metavar="RUN_FILE", help="What a system wrote.")],
    gold_file: Annotated[Path, typer.Argument(metavar="GOLD_FILE", help="The same pairs, rightly labelled.")],
    json: AsJson = False,
) -> None:
    """Score a SemEval run file against the gold labels: the seven official figures, in percent.

    Example: `askagain score bm25.run gold/dev.xml.subtaskB.relevancy`
    """
    from askagain.evaluation.runs import score_run

    figures = score_run(run_file, gold_file)
    if json:
        print_json(figures)
        return
    width = max(map(len, figures))
    for name, value in figures.items():
        sys.stdout.write(f"{name:{width}}  {value:6.2f}\n")
