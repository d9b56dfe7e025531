"""The page and its files, under a policy that lets nothing run but our own scripts."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Final

from fastapi import APIRouter
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
WEB: Final = Path(str(resources.files("askagain.service") / "web"))

router = APIRouter(include_in_schema=False)
_HEADERS: Final = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}


@router.get("/")
async def page() -> Response:
    """The page; its parts are told apart by what stands behind the #."""
    return FileResponse(WEB / "index.html", headers=_HEADERS)


class WebFiles(StaticFiles):
    """Scripts, styles and the example page."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file with the policy."""
        response = await super().get_response(path, scope)
        response.headers.update(_HEADERS)
        # Forums load the script for their forms from here.
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response
