"""The place in a list of pairs behind which the next page begins, as a short text."""

from __future__ import annotations

import base64
import binascii
import struct
from typing import Final, NamedTuple

from askagain.errors import SettingsError

_LAYOUT: Final = struct.Struct(">dqq")


class Place(NamedTuple):
    """A pair's probability and the numbers of its questions: all that the order of pairs depends on."""

    probability: float
    first: int
    second: int


START: Final = Place(2.0, 0, 0)
"""In front of every pair."""


def to_cursor(place: Place) -> str:
    """32 characters that may stand in a URL."""
    return base64.urlsafe_b64encode(_LAYOUT.pack(*place)).decode("ascii")


def from_cursor(cursor: str) -> Place:
    """The place that `to_cursor` was given."""
    try:
        place = Place(*_LAYOUT.unpack(base64.b64decode(cursor, altchars=b"-_", validate=True)))
    except (binascii.Error, ValueError, struct.error) as error:
        raise _broken(cursor) from error
    if not 0.0 <= place.probability <= 1.0:
        raise _broken(cursor)
    return place


def _broken(cursor: str) -> SettingsError:
    return SettingsError(f"the cursor {cursor[:40]!r} is broken: take it from the page before, or begin anew")
