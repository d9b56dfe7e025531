"""Settings from tables of plain values, as TOML and JSON give them, into typed dataclasses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from askagain.errors import SettingsError

Settings = TypeVar("Settings")


def read_table(kind: type[Settings], values: Mapping[str, Any], where: str) -> Settings:
    """The settings with these values; what is not named has its default.

    An unknown name, or a value of the wrong type, is an error that says where it stands.
    """
    if not isinstance(values, Mapping):
        raise SettingsError(f"{where} is {values!r}: it must be a table of settings")
    types = get_type_hints(kind)
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            raise SettingsError(f"{where}: no setting is named {name!r}; the settings are {', '.join(known)}")
    try:
        return kind(
            **{name: _converted(types[name], value, f"{where}, {name}") for name, value in values.items()}
        )
    except SettingsError as error:
        raise SettingsError(str(error) if where in str(error) else f"{where}: {error}") from error


def _converted(kind: Any, value: Any, where: str) -> Any:
    if isinstance(kind, type) and is_dataclass(kind):
        return read_table(kind, value, where)
    if get_origin(kind) is Literal:
        return _chosen(get_args(kind), value, where)
    if get_origin(kind) is tuple:
        return _listed(get_args(kind)[0], value, where)
    if kind is float and type(value) in (int, float):
        return float(value)
    if type(value) is not kind:
        raise SettingsError(f"{where} is {_shortened(value)}: it must be {_NAMES.get(kind, kind.__name__)}")
    return value


_NAMES: Mapping[type, str] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a text in quotes",
}


def _chosen(choices: tuple[Any, ...], value: Any, where: str) -> Any:
    if value not in choices:
        wanted = ", ".join(map(repr, choices))
        raise SettingsError(f"{where} is {_shortened(value)}: it must be one of {wanted}")
    return value


def _listed(kind: Any, value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise SettingsError(f"{where} is {_shortened(value)}: it must be a list")
    return tuple(_converted(kind, item, where) for item in value)


def _shortened(value: Any) -> str:
    return repr(value)[:40]


def check_range(name: str, value: float, least: float, most: float) -> None:
    """Refuses a number outside its range."""
    if not least <= value <= most:
        raise SettingsError(f"{name} is {value:g}: it must be from {least:g} to {most:g}")


def with_value(table: Mapping[str, Any], name: str, value: Any, where: str) -> dict[str, Any]:
    """A copy of a table with another value of the setting `inner.name`, in the setting's own type."""
    first, _, rest = name.partition(".")
    if first not in table:
        raise SettingsError(f"{where}: no setting is named {first!r}; there are {', '.join(table)}")
    old = table[first]
    if not rest:
        return {**table, first: like(old, value)}
    if not isinstance(old, Mapping):
        raise SettingsError(f"{where}: {first} has no settings of its own, such as {rest!r}")
    return {**table, first: with_value(old, rest, value, f"{where}, {first}")}


def like(old: Any, value: Any) -> Any:
    """A value from the command line in the type of the setting; parts of a list have + between them."""
    if isinstance(old, bool) and value in ("true", "false"):
        return value == "true"
    if isinstance(old, tuple | list):
        parts = value.split("+") if isinstance(value, str) else [value]
        return [like(old[0], _number(part)) if _all_numbers(old) else part for part in parts]
    whole = isinstance(old, int) and isinstance(value, float) and value.is_integer()
    return int(value) if whole else value


def _all_numbers(values: Sequence[Any]) -> bool:
    return bool(values) and all(isinstance(value, int | float) for value in values)


def _number(text: Any) -> Any:
    try:
        return float(text)
    except ValueError:
        return text
