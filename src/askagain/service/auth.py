"""Who may do what: keys in the header `Authorization: Bearer KEY`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Final

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException

from askagain.archive.records import Key, Scope
from askagain.service.state import Service

_ASK: Final = {"WWW-Authenticate": "Bearer"}
_scheme = HTTPBearer(auto_error=False, description="Made by: askagain keys add NAME --scope SCOPE")
_Sent = Annotated[HTTPAuthorizationCredentials | None, Security(_scheme)]


async def service_of(request: Request) -> Service:
    """The service that answers, once it is ready."""
    service: Service | None = getattr(request.app.state, "service", None)
    if service is None:
        raise HTTPException(503, "the service is starting: try again", {"Retry-After": "1"})
    return service


Served = Annotated[Service, Depends(service_of)]


async def reader(service: Served, sent: _Sent) -> Key | None:
    """Whoever may search: anybody, unless reads are keyed."""
    if service.settings.reads == "open" and sent is None:
        return None
    return _checked(service, sent, Scope.READ)


async def writer(service: Served, sent: _Sent) -> Key:
    """Whoever may add, edit and delete questions."""
    return _checked(service, sent, Scope.WRITE)


async def moderator(service: Served, sent: _Sent) -> Key:
    """Whoever may set marks."""
    return _checked(service, sent, Scope.MODERATE)


async def contributor(service: Served, sent: _Sent) -> Key:
    """Whoever may give feedback: writers and moderators."""
    return _checked(service, sent, Scope.WRITE, Scope.MODERATE)


def valid_key(service: Service, sent: str) -> Key | None:
    """What is known about a key that is not expired; None for all others."""
    key = service.archive.find_key(sent)
    return None if key is None or key.is_expired(datetime.now(UTC)) else key


def _checked(service: Service, sent: HTTPAuthorizationCredentials | None, *wanted: Scope) -> Key:
    if sent is None:
        raise HTTPException(401, "this needs a key: send it as Authorization: Bearer KEY", _ASK)
    key = valid_key(service, sent.credentials)
    if key is None:
        raise HTTPException(401, "this key is unknown, revoked or expired: ask for another one", _ASK)
    if not any(key.scope.allows(scope) for scope in wanted):
        scopes = " or ".join(wanted)
        raise HTTPException(403, f"this needs a key with the scope {scopes}; yours has {key.scope}")
    return key


Reader = Annotated[Key | None, Depends(reader)]
Writer = Annotated[Key, Depends(writer)]
Moderator = Annotated[Key, Depends(moderator)]
Contributor = Annotated[Key, Depends(contributor)]
