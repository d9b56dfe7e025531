"""`askagain features`: what two questions have in common, by every measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from askagain.cli.options import AsJson
from askagain.cli.output import console, print_json, remark, text
from askagain.errors import AskagainError
from askagain.question import Question

if TYPE_CHECKING:
    from askagain.rerank.features.table import Feature

Values = dict[str, float | None]


def features(
    first: Annotated[str, typer.Argument(metavar="A", help="The title of a question.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The title of another one.")],
    body_a: Annotated[str, typer.Option("--body-a", metavar="TEXT", help="The body of A.")] = "",
    body_b: Annotated[str, typer.Option("--body-b", metavar="TEXT", help="The body of B.")] = "",
    json: AsJson = False,
) -> None:
    """Show what two questions have in common, by every measure that a system can learn from.

    A feature's name is its column and its row, such as `title.jaccard.words`. Values are from 0, nothing
    in common, to 1, the same.

    Example: `askagain features "How do I boot from USB?" "Booting from a USB stick"`
    """
    from askagain.cli.compiling import announce_compiling
    from askagain.rerank.features.table import FEATURES

    announce_compiling()
    values = _values(Question(first, body_a), Question(second, body_b), FEATURES)
    if json:
        print_json(values)
        return
    for kind in dict.fromkeys(feature.kind for feature in FEATURES):
        _print_table(kind, [feature for feature in FEATURES if feature.kind == kind], values)


def _values(first: Question, second: Question, wanted: Sequence[Feature]) -> Values:
    """All values by name; None, and a remark, where something that it needs is missing."""
    from askagain.rerank.features.texts import prepare

    query, candidate = prepare(first), prepare(second)
    values: Values = {}
    missing: dict[str, None] = {}
    for feature in wanted:
        try:
            values[feature.name] = feature.value(query, candidate)
        except AskagainError as error:
            values[feature.name] = None
            missing[str(error)] = None
    for reason in missing:
        remark(reason)
    return values


def _print_table(kind: str, group: Sequence[Feature], values: Values) -> None:
    """One line for each measure, with a column for each field."""
    descriptions = {feature.measure: feature.description for feature in group}
    fields = list(dict.fromkeys(feature.field for feature in group))
    width = max(map(len, descriptions))
    out = console()
    out.print(
        text(f"{kind:{width}}{''.join(f'{field:>7}' for field in fields)}", style="bold"), soft_wrap=True
    )
    for measure, description in descriptions.items():
        figures = "".join(f"{_shown(values[f'{field}.{measure}']):>7}" for field in fields)
        out.print(text(f"{measure:{width}}{figures}  {description}"), soft_wrap=True)
    out.print()


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
