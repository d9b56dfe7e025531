"""`askagain systems`: what there is to choose from."""

from __future__ import annotations

from askagain.cli.options import AsJson
from askagain.cli.output import console, print_json, text
from askagain.systems import DEFAULT_SYSTEM, SYSTEMS, load_system


def systems(json: AsJson = False) -> None:
    """List the systems that come with the package.

    Example: `askagain systems`
    """
    recipes = [load_system(name) for name in SYSTEMS]
    if json:
        shown = [{"name": recipe.name, "description": recipe.description} for recipe in recipes]
        print_json({"default": DEFAULT_SYSTEM, "systems": shown})
        return
    width = max(map(len, SYSTEMS))
    for recipe in recipes:
        note = " (default)" if recipe.name == DEFAULT_SYSTEM else ""
        console().print(text(f"{recipe.name:{width}}  {recipe.description}{note}"), soft_wrap=True)
