"""`askagain search`: the earlier questions for a new one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from askagain.cli.compiling import announce_compiling
from askagain.cli.matches import match_json, match_table, percent
from askagain.cli.options import ArchivePath, AsJson
from askagain.cli.output import console, print_json, remark, text
from askagain.cli.progress import shown_progress
from askagain.engine import Engine, Explain
from askagain.errors import SettingsError
from askagain.question import Match, Question
from askagain.ranker import CalibratedRanker, Ranker


def search(
    title: Annotated[
        str, typer.Argument(metavar="TITLE", help="The question, as one would write its title.")
    ],
    archive: ArchivePath,
    body: Annotated[str, typer.Option(metavar="TEXT", help="The rest of the question.")] = "",
    k: Annotated[
        int, typer.Option("-k", metavar="N", min=1, max=10_000, help="How many matches to show.")
    ] = 10,
    system: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help='The system: one of "askagain systems", or your own recipe.toml. Default: what was last '
            'trained on the archive or chosen with "askagain use", else best.',
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The model folder of a trained system, if it lies elsewhere."),
    ] = None,
    min_probability: Annotated[
        float | None,
        typer.Option(
            metavar="P",
            min=0.0,
            max=1.0,
            help="Show matches that are at least so likely duplicates; 0 shows all. Default: the threshold "
            "that training has chosen, else 0.",
        ),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show all words with their weights, and what the score is made of."),
    ] = False,
    json: AsJson = False,
) -> None:
    """Find earlier questions that the same answer may settle.

    The first search of an archive builds its index; later ones take over what has changed since.

    Example: `askagain search "How do I boot from USB?" --archive forum.db`
    """
    question = Question(title=title, body=body)
    if not (title.strip() or body.strip()):
        raise SettingsError("the question is empty: give a title, or a text with --body")
    announce_compiling()
    with (
        shown_progress() as progress,
        Engine.open(archive, system, model=model, progress=partial(progress, "indexing")) as engine,
    ):
        if min_probability is not None and not isinstance(engine.ranker, CalibratedRanker):
            raise SettingsError(f"{engine.ranker.name} gives no probabilities: leave --min-probability out")
        how: Explain = "all" if explain else "words"
        matches = engine.search(question, k, explain=how, min_probability=min_probability)
        least = engine.threshold if min_probability is None else min_probability
        best = [] if matches else engine.search(question, 1, explain="none", min_probability=0.0)
        ranker = engine.ranker
    if json:
        _print_json(question, ranker.name, matches)
    elif matches:
        console().print(match_table(matches, explain=explain))
        _remark_on_probabilities(ranker, archive)
    else:
        console().print(text(_nothing(ranker.name, best, least)), soft_wrap=True)


def _remark_on_probabilities(ranker: Ranker, archive: Path) -> None:
    """What was learned elsewhere need not hold here: people should know."""
    if isinstance(ranker, CalibratedRanker) and not ranker.is_calibrated:
        remark(
            "These probabilities come from other forums; with enough marks, "
            f"askagain train {ranker.name} --archive {archive} calibrates them."
        )


def _nothing(system: str, best: list[Match], least: float) -> str:
    """Why nothing is shown."""
    if not best or best[0].probability is None:
        return f"Nothing found: {system} knows no word of this question from the archive."
    likeliest = f"the likeliest match has a probability of {percent(best[0].probability)}"
    if least < 1:
        return (
            f"Nothing is similar enough: {likeliest}, below {percent(least)}. "
            "Show it with --min-probability 0."
        )
    return (
        f"Nothing is sure enough: {likeliest}, and on this archive's marks no probability was enough for "
        "the wished precision. Show it with --min-probability 0."
    )


def _print_json(question: Question, system: str, matches: list[Match]) -> None:
    asked = {"title": question.title, "body": question.body}
    print_json({"query": asked, "system": system, "matches": [match_json(match) for match in matches]})
