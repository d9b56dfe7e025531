"""Replies of the service into results."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import TypeVar

from askagain.client.errors import UnexpectedReplyError
from askagain.client.reading import read
from askagain.client.results import BulkCounts, Redirect, Stored, Written
from askagain.client.transport import Reply

Result = TypeVar("Result")


def result(kind: type[Result], reply: Reply) -> Result:
    """The body as a value."""
    return read(kind, _json(reply))


def stored(reply: Reply) -> Stored:
    """A question with its ETag."""
    return read(Stored, {"question": _json(reply), "etag": reply.headers.get("etag")})


def written(reply: Reply) -> Written:
    """What a write did, with the ETag of what is there now."""
    body = _json(reply)
    return read(Written, {**body, "etag": reply.headers.get("etag")} if isinstance(body, dict) else body)


def redirects(reply: Reply) -> list[Redirect]:
    """The rows of a CSV file, without the apostrophes that keep spreadsheets from running their cells."""
    text = io.StringIO(reply.body.decode(errors="replace"), newline="")
    return [
        read(Redirect, {name: cell.removeprefix("'") for name, cell in row.items()})
        for row in csv.DictReader(text)
    ]


def total(before: BulkCounts, batch: BulkCounts, lines: int) -> BulkCounts:
    """Both together; the service counts the batch's lines from 1, and there were `lines` before it."""
    return BulkCounts(
        added=before.added + batch.added,
        changed=before.changed + batch.changed,
        unchanged=before.unchanged + batch.unchanged,
        deleted=before.deleted + batch.deleted,
        rejected=before.rejected + tuple(replace(each, line=each.line + lines) for each in batch.rejected),
        sequence=batch.sequence,
    )


def _json(reply: Reply) -> object:
    try:
        value: object = json.loads(reply.body)
    except ValueError as error:
        raise UnexpectedReplyError(
            f"the reply with status {reply.status} is no JSON: check that the address is that of the service",
            status=reply.status,
        ) from error
    return value
