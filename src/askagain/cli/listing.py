"""`askagain systems`: what there is to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from askagain.cli.options import AsJson
from askagain.cli.output import console, print_json, text
from askagain.systems import DEFAULT_SYSTEM, READY_TO_USE, SYSTEMS, TRAINABLE_SYSTEMS, System, load_system


def systems(json: AsJson = False) -> None:
    """List the systems that come with the package, and say which of them must learn first.

    Example: `askagain systems`
    """
    recipes = [load_system(name) for name in SYSTEMS]
    if json:
        shown = [
            {
                "name": recipe.name,
                "description": recipe.description,
                "ready": recipe.name in READY_TO_USE,
                "trainable": recipe.name in TRAINABLE_SYSTEMS,
            }
            for recipe in recipes
        ]
        print_json({"default": DEFAULT_SYSTEM, "systems": shown})
        return
    _print_systems(
        f"Ready to use (askagain train {DEFAULT_SYSTEM} lets {DEFAULT_SYSTEM} learn from your marks, too):",
        [recipe for recipe in recipes if recipe.name in READY_TO_USE],
    )
    _print_systems(
        "Systems that must learn, so askagain train NAME comes first (NAME-small is a toy, to try things "
        "out):",
        [recipe for recipe in recipes if recipe.name not in READY_TO_USE],
    )


def _print_systems(headline: str, recipes: Sequence[System]) -> None:
    console().print(text(headline), soft_wrap=True)
    width = max(map(len, SYSTEMS))
    for recipe in recipes:
        note = " (default)" if recipe.name == DEFAULT_SYSTEM else ""
        console().print(text(f"  {recipe.name:{width}}  {recipe.description}{note}"), soft_wrap=True)
