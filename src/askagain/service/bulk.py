"""A stream of JSON Lines: taken in batches, each durable before the next."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Final

import orjson
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request

from askagain.service.gate import MOST_BYTES
from askagain.service.schemas import BulkResult, Id, NewQuestion, Rejected

MEDIA_TYPE: Final = "application/x-ndjson"

_BATCH: Final = 500
_MOST_REJECTED: Final = 1000


class Identified(NewQuestion):
    """A question whose id the forum has given."""

    id: Id


class Deletion(BaseModel):
    """Takes a question away."""

    model_config = ConfigDict(strict=True, extra="forbid")

    delete: Id


Line = Identified | Deletion
Write = Callable[[list[Line], BulkResult], Awaitable[None]]
"""Writes lines, perhaps none; the result is told what became of them, and the last change's number."""

BODY: Final = {
    "requestBody": {
        "required": True,
        "description": 'A question a line, or {"delete": "ID"}',
        "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
    }
}
"""For the OpenAPI document."""

_LINE: Final[TypeAdapter[Line]] = TypeAdapter(Annotated[Line, "a line"])


@dataclass
class _Batch:
    """Lines that wait to be written together."""

    lines: list[Line] = field(default_factory=list)
    bytes: int = 0


def check_media_type(request: Request) -> None:
    """Refuses what is not announced as JSON Lines."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != MEDIA_TYPE:
        raise HTTPException(415, f"send the lines as {MEDIA_TYPE}")


async def take(stream: AsyncIterator[bytes], write: Write) -> BulkResult:
    """Writes all good lines in their order."""
    result = BulkResult()
    batch = _Batch()
    number = 0
    async for line in _lines(stream):
        number += 1
        parsed = _parsed(line, number, result)
        if parsed is not None:
            batch.lines.append(parsed)
            batch.bytes += len(line)
        if len(batch.lines) >= _BATCH or batch.bytes >= MOST_BYTES:
            await write(batch.lines, result)
            batch = _Batch()
    # Also if nothing is left: the result is to tell where the history stands.
    await write(batch.lines, result)
    return result


async def _lines(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Lines without their ends; of one that is too long the first bytes, which no parser takes."""
    rest = b""
    async for piece in stream:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line
        rest = rest[: MOST_BYTES + 1]
    yield rest


def _parsed(line: bytes, number: int, result: BulkResult) -> Line | None:
    if not line.strip():
        return None
    if len(line) > MOST_BYTES:
        _reject(result, number, f"the line has more than {MOST_BYTES:,} bytes")
        return None
    try:
        value = orjson.loads(line)
        if isinstance(value, dict):
            return _LINE.validate_python(value)
        _reject(result, number, "a line must be an object: a question, or the deletion of one")
    except orjson.JSONDecodeError as error:
        _reject(result, number, f"not JSON: {error}")
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(map(str, first["loc"][1:]))[:200]
        _reject(result, number, f"{path}: {first['msg']}" if path else str(first["msg"]))
    return None


def _reject(result: BulkResult, number: int, detail: str) -> None:
    if len(result.rejected) < _MOST_REJECTED:
        result.rejected.append(Rejected(line=number, detail=detail.encode("utf-8", "replace").decode()))
