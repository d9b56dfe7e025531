"""Where a page of groups ends, so that the next one begins there, even if groups have changed meanwhile."""

from __future__ import annotations

from typing import NamedTuple

from starlette.exceptions import HTTPException

from askagain.mining.groups import Group


class Place(NamedTuple):
    """Groups with something to confirm come first, then the larger and the surer ones."""

    confirmed: bool
    fewer: int
    unsure: float
    id: str


def place_of(group: Group) -> Place:
    """Where a group stands among all."""
    unsure = -1.0 if group.weakest is None else -group.weakest
    return Place(group.confirmed, -len(group.members), unsure, group.members[0])


def to_cursor(place: Place) -> str:
    """As clients send it back."""
    return f"{int(place.confirmed)}:{place.fewer}:{place.unsure!r}:{place.id}"


def from_cursor(cursor: str) -> Place:
    """422 unless it is one of ours."""
    try:
        confirmed, fewer, unsure, id = cursor.split(":", 3)
        return Place(bool(int(confirmed[:1])), int(fewer[:20]), float(unsure[:40]), id)
    except ValueError as error:
        raise HTTPException(422, "after is not the `next` of a page") from error
