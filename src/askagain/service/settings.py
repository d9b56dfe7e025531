"""The settings of the service: defaults, then a TOML file, then the environment, then the command line."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal, Self, get_type_hints

from askagain.errors import SettingsError
from askagain.tables import check_range, read_table

PREFIX: Final = "ASKAGAIN_SERVE_"
"""Of the variables in the environment: the setting `port` is ASKAGAIN_SERVE_PORT."""

HANDED_ON: Final = "ASKAGAIN_SERVICE"
"""The variable in which a process finds all settings of the one that started it."""

FIGURES: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which processes share figures; Prometheus' library reads it."""

UNSET: Final = -1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """How an archive is served.

    `reads` that are keyed need a key as writes do. `origins` are the sites whose pages may ask (CORS).
    `min_probability` is that of suggestions if a request names none; below 0 it is the system's own.
    Each client may send `rate` requests a second, and `burst` at once; a rate of 0 is no limit. A request is
    given up after `request_seconds`, one that does not arrive whole in `arrival_seconds` is refused. At most
    `waiting` searches wait for their turn in each worker. With `queue` the moderators' queue is built when
    there is nothing else to do.
    """

    archive: str = ""
    system: str = ""
    model: str = ""
    host: str = "127.0.0.1"
    port: int = 8017
    workers: int = 1
    reads: Literal["open", "keyed"] = "open"
    origins: tuple[str, ...] = ()
    proxies: str = "127.0.0.1"
    min_probability: float = UNSET
    rate: float = 50.0
    burst: int = 100
    request_seconds: float = 10.0
    arrival_seconds: float = 10.0
    shutdown_seconds: float = 10.0
    waiting: int = 256
    connections: int = 1000
    queue: bool = True

    def __post_init__(self) -> None:
        check_range("port", self.port, 0, 65535)
        check_range("workers", self.workers, 1, 64)
        check_range("min_probability", self.min_probability, UNSET, 1.0)
        check_range("rate", self.rate, 0.0, 1e6)
        check_range("burst", self.burst, 1, 1_000_000)
        check_range("request_seconds", self.request_seconds, 0.1, 3600.0)
        check_range("arrival_seconds", self.arrival_seconds, 0.1, 3600.0)
        check_range("shutdown_seconds", self.shutdown_seconds, 0.1, 3600.0)
        check_range("waiting", self.waiting, 1, 100_000)
        check_range("connections", self.connections, 1, 1_000_000)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """As another process has handed them on."""
        return read_table(cls, json.loads(environment[HANDED_ON]), HANDED_ON)

    def to_environment(self) -> dict[str, str]:
        """For `from_environment`."""
        return {HANDED_ON: json.dumps(asdict(self))}


def read_settings(
    file: Path | None, environment: Mapping[str, str], given: Mapping[str, Any]
) -> ServiceSettings:
    """The settings from all places; what is `given` on the command line counts most."""
    table = {**_of_file(file), **_of_environment(environment), **given}
    return read_table(ServiceSettings, table, "settings of the service")


def _of_file(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read the settings {path}: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from error


def _of_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    types = get_type_hints(ServiceSettings)
    return {
        field.name: _value(environment[name], types[field.name], name)
        for field in fields(ServiceSettings)
        if (name := f"{PREFIX}{field.name.upper()}") in environment
    }


def _value(text: str, kind: Any, name: str) -> Any:
    """A variable's text in the type of the setting; a list has commas between its parts."""
    if kind is bool:
        if text not in ("true", "false"):
            raise SettingsError(f"{name} is {text[:40]!r}: it must be true or false")
        return text == "true"
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError as error:
            raise SettingsError(f"{name} is {text[:40]!r}: it must be a number") from error
    if kind == tuple[str, ...]:
        return [part.strip() for part in text.split(",") if part.strip()]
    return text
