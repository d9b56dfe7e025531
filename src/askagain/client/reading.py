"""JSON into typed values, checked member by member; members that are not known are passed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from askagain.client.errors import UnexpectedReplyError

Value = TypeVar("Value")


def read(kind: type[Value], json: object) -> Value:
    """A dataclass from a JSON object; an UnexpectedReplyError says which member is not as it should be."""
    value: Value = _read(kind, json, kind.__name__)
    return value


def _read(kind: Any, json: object, where: str) -> Any:
    if is_dataclass(kind):
        return _read_object(kind, json, where)
    if get_origin(kind) is tuple:
        return _read_array(get_args(kind)[0], json, where)
    if NoneType in get_args(kind):
        return None if json is None else _read(get_args(kind)[0], json, where)
    return _read_scalar(kind, json, where)


def _read_object(kind: Any, json: object, where: str) -> Any:
    if not isinstance(json, Mapping):
        raise _unexpected(where, "an object", json)
    return kind(**{name: _read(part, json.get(name), f"{where}.{name}") for name, part in _parts(kind)})


def _read_array(kind: Any, json: object, where: str) -> tuple[Any, ...]:
    if not isinstance(json, list):
        raise _unexpected(where, "an array", json)
    return tuple(_read(kind, part, f"{where}[{place}]") for place, part in enumerate(json))


def _read_scalar(kind: type, json: object, where: str) -> object:
    if kind is float and type(json) is int:
        return float(json)
    if type(json) is not kind:
        raise _unexpected(where, f"of type {kind.__name__}", json)
    return json


@cache
def _parts(kind: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((field.name, hints[field.name]) for field in fields(kind))


def _unexpected(where: str, wanted: str, found: object) -> UnexpectedReplyError:
    return UnexpectedReplyError(
        f"the reply is not the service's: {where} should be {wanted} and is {str(found)[:60]!r}; "
        f"check the address, and that client and service are of the same version"
    )
