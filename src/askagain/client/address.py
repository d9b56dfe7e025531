"""Where the service is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from askagain.errors import SettingsError

_PATH: Final = re.compile("[!-~]*")


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of an address such as `https://forum.example.org/askagain`."""

    secure: bool
    host: str
    port: int | None
    prefix: str

    def connection(self, timeout: float) -> HTTPConnection:
        """A connection that is opened by its first request."""
        kind = HTTPSConnection if self.secure else HTTPConnection
        return kind(self.host, self.port, timeout=timeout)


def parse_address(url: str) -> Address:
    """The parts; a SettingsError, which does not repeat a password, if it is not one of http or https."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise SettingsError(f"the address of the service is not one: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingsError(
            f"the address of the service starts with {url[:8]!r}: it must be like https://HOST or http://HOST:PORT"
        )
    if "@" in parts.netloc or parts.query or parts.fragment or not _PATH.fullmatch(parts.path):
        raise SettingsError(
            f"the address of the service at {parts.hostname!r} has more than host, port and path: "
            f"leave that out, and give the key as `key`"
        )
    return Address(parts.scheme == "https", parts.hostname, port, parts.path.rstrip("/"))
