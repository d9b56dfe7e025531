"""The recipe of a system whose model is there already: nothing is learned from the archive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from askagain.encoders.recipe import SearchSettings
from askagain.errors import SettingsError
from askagain.naming import system_name
from askagain.tables import like, read_table

Kind = Literal["shipped", "sentences"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadySettings:
    """`kind`: the encoder that ships with the package, or a sentence encoder (extra `transformer`).

    `folder` is one's own sentence encoder, as sentence-transformers saves it; without one it is the one that
    the extra brings.
    """

    kind: Kind = "shipped"
    folder: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadySystem:
    """A system that searches by the vectors of a given encoder."""

    name: str
    description: str
    ready: ReadySettings = field(default_factory=ReadySettings)
    search: SearchSettings = field(default_factory=SearchSettings)

    def restricted_to(self, fields: Sequence[str]) -> ReadySystem:
        """The same system: where questions have no body, there is none to look at."""
        return self

    def with_parameters(self, parameters: Mapping[str, Any]) -> ReadySystem:
        """The same system with other settings of its search: `search.depth`, …"""
        table = asdict(self)
        for name, value in parameters.items():
            section, _, key = name.partition(".")
            if section != "search" or key not in table["search"]:
                raise SettingsError(
                    f"{self.name} has no setting {name!r}: write search.method or search.depth"
                )
            table["search"][key] = like(table["search"][key], value)
        return read_ready_system(table, f"system {self.name}")


def read_ready_system(recipe: Mapping[str, Any], where: str) -> ReadySystem:
    """The system that a recipe describes; an error names the place and the setting."""
    known = ("name", "description", "ready", "search")
    for name in recipe:
        if name not in known:
            raise SettingsError(f"{where}: no setting is named {name!r}; the settings are {', '.join(known)}")
    return ReadySystem(
        name=system_name(recipe, where),
        description=str(recipe.get("description", "")),
        ready=read_table(ReadySettings, recipe["ready"], f"{where}, [ready]"),
        search=read_table(SearchSettings, recipe.get("search", {}), f"{where}, [search]"),
    )
