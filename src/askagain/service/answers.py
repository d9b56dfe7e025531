"""Answers in JSON."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.responses import Response


class JsonAnswer(Response):
    """Plain values as JSON, written by orjson."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The body."""
        return orjson.dumps(content)
