"""Grids: which settings of a system are tried, each one small TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

from askagain.errors import SettingsError
from askagain.tables import check_range

GRIDS: Final = ("bm25", "ib", "dfr", "lmd", "lmj", "bow-cnn", "cnn", "lstm", "rcnn")
"""Those that come with the package."""

MOST_COMBINATIONS: Final = 100_000
MOST_SEEDS: Final = 100

Settings: TypeAlias = dict[str, Any]

_PARTS: Final = ("system", "seeds", "settings")
_PLAIN: Final = (bool, int, float, str)


@dataclass(frozen=True)
class Grid:
    """A system, how many seeds each combination gets, and tables of which each gives all combinations.

    A key of a table is the name of a setting, or several with commas between them that get the same value.
    """

    system: str
    seeds: int
    tables: tuple[Mapping[str, Sequence[Any]], ...]

    def combinations(self) -> Iterator[Settings]:
        """All of them, table by table."""
        for table in self.tables:
            for values in product(*table.values()):
                yield {
                    name.strip(): value
                    for names, value in zip(table, values, strict=True)
                    for name in names.split(",")
                }


def load_grid(name: str) -> Grid:
    """A grid of the package by its name, or one's own by the path of its TOML file."""
    if name in GRIDS:
        text = resources.files("askagain.recipes.grids").joinpath(f"{name}.toml").read_text(encoding="utf-8")
        return parse_grid(text, f"grid {name}")
    if not name.endswith(".toml"):
        raise SettingsError(
            f"no grid is named {name!r}: choose one of {', '.join(GRIDS)}, or give a .toml file"
        )
    try:
        return parse_grid(Path(name).read_text(encoding="utf-8"), name)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read the grid {name}: {error}") from error


def parse_grid(text: str, where: str) -> Grid:
    """A grid's text; an error names the place and what is wrong there."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{where} is not valid TOML: {error}") from error
    for name in table:
        if name not in _PARTS:
            raise SettingsError(f"{where}: nothing is named {name!r}; there are {', '.join(_PARTS)}")
    system, seeds, tables = table.get("system"), table.get("seeds", 1), table.get("settings")
    if not isinstance(system, str):
        raise SettingsError(f'{where} names no system: write system = "bm25", or another one')
    if type(seeds) is not int:
        raise SettingsError(f"{where}: seeds is {str(seeds)[:20]!r}: it must be a whole number")
    check_range(f"{where}: seeds", seeds, 1, MOST_SEEDS)
    if not isinstance(tables, list) or not tables:
        raise SettingsError(f"{where} has no settings to try: write at least one [[settings]]")
    grid = Grid(system, seeds, tuple(_checked(each, where) for each in tables))
    _check_size(grid, where)
    return grid


def _checked(table: Any, where: str) -> dict[str, list[Any]]:
    if not isinstance(table, dict) or not table:
        raise SettingsError(f"{where}: a table of [[settings]] is empty, or no table")
    for name, values in table.items():
        if not isinstance(values, list) or not values or not all(type(each) in _PLAIN for each in values):
            raise SettingsError(
                f'{where}: {name} must be a list of numbers or words, such as "training.rate" = [0.01, 0.1]'
            )
    return table


def _check_size(grid: Grid, where: str) -> None:
    sizes = 0
    for table in grid.tables:
        size = 1
        for values in table.values():
            size *= len(values)
        sizes += size
    if sizes > MOST_COMBINATIONS:
        raise SettingsError(
            f"{where} has {sizes:,} combinations, more than the {MOST_COMBINATIONS:,} allowed"
        )
