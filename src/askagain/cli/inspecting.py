"""`askagain inspect`: what becomes of a text, step by step."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.characters import MAX_CHARACTERS
from askagain.cli.options import AsJson
from askagain.cli.output import console, print_json, text
from askagain.text import Step, TextOptions

_LONGEST_CHARACTER_BYTES = 4


def inspect(
    content: Annotated[
        str, typer.Argument(metavar="TEXT", help="The text of a post; - reads standard input.")
    ],
    stemmer: Annotated[str, typer.Option(metavar="NAME", help="A Snowball stemmer, or none.")] = "english",
    stop_words: Annotated[str, typer.Option(metavar="NAME", help="english, or none.")] = "none",
    ngrams: Annotated[int, typer.Option(metavar="N", help="The longest word n-gram, 1 to 3.")] = 1,
    block_code: Annotated[bool, typer.Option("--block-code", help="Keep blocks of code.")] = False,
    json: AsJson = False,
) -> None:
    """Show what becomes of a text, step by step, until it is the terms that are searched.

    Example: `askagain inspect "<p>Booting from <b>USB</b> doesn't work</p>"`
    """
    analyzer = Analyzer(
        AnalyzerSettings(
            stemmer=stemmer, stop_words=stop_words, ngrams=ngrams, text=TextOptions(block_code=block_code)
        )
    )
    raw = _standard_input() if content == "-" else content
    steps = analyzer.steps(raw)
    if json:
        shown = [{"name": step.name, "text": step.text} for step in steps]
        print_json({"settings": analyzer.settings.to_dict(), "steps": shown, "terms": analyzer.terms(raw)})
    else:
        _print(steps)


def _standard_input() -> str:
    """As much as is looked at: one character more, so that cutting shows as a step."""
    content = sys.stdin.buffer.read(_LONGEST_CHARACTER_BYTES * (MAX_CHARACTERS + 1))
    return content.decode("utf-8", "replace")


def _print(steps: list[Step]) -> None:
    """Every step that did something, with what it made of the text; the names of the others."""
    out = console()
    before = None
    for step in steps:
        if step.text == before:
            out.print(text(f"{step.name}: nothing to do", style="dim"))
        else:
            out.print(text(step.name, style="bold"))
            for line in step.text.split("\n"):
                out.print(text(f"    {line}"), soft_wrap=True)
        before = step.text
