"""The recipe of a lexical system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from askagain.analysis import AnalyzerSettings
from askagain.errors import SettingsError
from askagain.lexical.limits import LONGEST_QUERY
from askagain.naming import system_name

_DEFAULT_SIMILARITY: Final = "bm25"

_LEAST_WEIGHT: Final = 1e-6
_MOST_WEIGHT: Final = 1e6

_PARTS: Final = ("name", "description", "similarity", "fields", "analyzer", "options")
_OPTIONS: Final = ("most_terms", "coarse_lengths")


@dataclass(frozen=True, slots=True)
class LexicalSystem:
    """A lexical recipe: which similarity, over which fields with which weights, on which terms.

    `most_terms` limits a long query to its most telling terms; `coarse_lengths` sees lengths as Lucene does.
    """

    name: str
    description: str
    similarity: Mapping[str, Any]
    fields: Mapping[str, float]
    analyzer: AnalyzerSettings
    most_terms: int | None = None
    coarse_lengths: bool = False

    def restricted_to(self, fields: Sequence[str]) -> LexicalSystem:
        """The same system over some of its fields only."""
        kept = {field: weight for field, weight in self.fields.items() if field in fields or field == "text"}
        if not kept:
            raise SettingsError(
                f"{self.name} has none of the fields {', '.join(fields)}: {', '.join(self.fields)}"
            )
        return replace(self, fields=kept)

    def with_parameters(self, parameters: Mapping[str, Any]) -> LexicalSystem:
        """The same system with other parameters of its similarity; those that it has not are an error."""
        # Imported here: compiled kernels take a moment to load, which reading recipes need not pay.
        from askagain.lexical.similarities import similarity

        changed = {**self.similarity, **parameters}
        try:
            similarity(changed["name"], {name: value for name, value in changed.items() if name != "name"})
        except SettingsError as error:
            raise SettingsError(f"system {self.name}: {error}") from error
        return replace(self, similarity=changed)


def read_lexical_system(recipe: Mapping[str, Any], where: str) -> LexicalSystem:
    """The system that a recipe describes; an error names the place and the setting."""
    _check_names(recipe, _PARTS, where)
    options = _table(recipe, "options", where)
    _check_names(options, _OPTIONS, f"{where}, [options]")
    return LexicalSystem(
        name=system_name(recipe, where),
        description=str(recipe.get("description", "")),
        similarity={"name": _DEFAULT_SIMILARITY} | _table(recipe, "similarity", where),
        fields=_weights(_table(recipe, "fields", where) or {"title": 1.0, "body": 1.0}, where),
        analyzer=AnalyzerSettings.from_dict(_table(recipe, "analyzer", where)),
        most_terms=_most_terms(options.get("most_terms"), where),
        coarse_lengths=_switch(options, "coarse_lengths", where),
    )


def _check_names(found: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for name in found:
        if name not in known:
            raise SettingsError(
                f"{where} has an unknown setting {name!r}: the settings are {', '.join(known)}"
            )


def _table(recipe: Mapping[str, Any], name: str, where: str) -> dict[str, Any]:
    table = recipe.get(name, {})
    if not isinstance(table, dict):
        raise SettingsError(f"{where}: {name} = {table!r} must be a table, written as [{name}]")
    return table


def _weights(fields: Mapping[str, Any], where: str) -> dict[str, float]:
    for field, weight in fields.items():
        number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not number or not _LEAST_WEIGHT <= weight <= _MOST_WEIGHT:
            raise SettingsError(
                f"{where}: the weight {str(weight)[:20]} of field {field} must be a number "
                f"from {_LEAST_WEIGHT:g} to {_MOST_WEIGHT:g}"
            )
    return {field: float(weight) for field, weight in fields.items()}


def _most_terms(value: Any, where: str) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if value is None or (whole and 1 <= value <= LONGEST_QUERY):
        return cast(int | None, value)
    raise SettingsError(
        f"{where}: most_terms = {str(value)[:20]} must be a whole number from 1 to {LONGEST_QUERY}"
    )


def _switch(options: Mapping[str, Any], name: str, where: str) -> bool:
    value = options.get(name, False)
    if not isinstance(value, bool):
        raise SettingsError(f"{where}: {name} = {str(value)[:20]!r} must be true or false")
    return value
