"""`askagain compare`: what changed between two runs, query by query."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from askagain.cli.options import AsJson
from askagain.cli.output import print_json


def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help='What "evaluate --save" wrote for one system.')],
    second: Annotated[Path, typer.Argument(metavar="B", help="The same for another system.")],
    metric: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The metric to compare by. Default: the first that both have."),
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="How many queries to show.")] = 10,
    json: AsJson = False,
) -> None:
    """List the queries that changed most between two results, with their texts.

    Example: `askagain compare results/tfidf.jsonl results/bm25.jsonl --metric mrr@10`
    """
    from askagain.evaluation import comparison, saved

    found = comparison.compare(saved.load_results(first), saved.load_results(second), metric, limit)
    if json:
        print_json(found.to_json())
    else:
        sys.stdout.write(found.to_text())
