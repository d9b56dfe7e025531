"""What a call of the service can end with other than a result: one class per kind."""

from __future__ import annotations

from dataclasses import dataclass

from askagain.errors import AskagainError


@dataclass(frozen=True, slots=True)
class Fault:
    """One member of a request that was refused, such as `body.title`, and why."""

    path: str
    detail: str


class ServiceError(AskagainError):
    """Base of all that follows. `status` is None if no reply came, or none was needed to know.

    `retry_after` are the seconds that the service asks to wait; `request_id` finds the call in its log.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        detail: str = "",
        faults: tuple[Fault, ...] = (),
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.detail = detail or message
        self.faults = faults
        self.request_id = request_id
        self.retry_after = retry_after


class UnreachableError(ServiceError):
    """No connection, or it broke or took too long before the reply was there."""


class UnexpectedReplyError(ServiceError):
    """What replied does not speak as the service does: another program, or another version."""


class InvalidRequestError(ServiceError):
    """The call is wrong in itself; `faults` says which parts of it (400, 422 and other 4xx)."""


class UnauthorizedError(ServiceError):
    """The key is missing, unknown, revoked or expired (401)."""


class ForbiddenError(ServiceError):
    """The key is good, but not for this (403)."""


class NotFoundError(ServiceError):
    """There is no such question (404)."""


class AlreadyExistsError(ServiceError):
    """The question that was to be new is there with other content (409)."""


class ChangedMeanwhileError(ServiceError):
    """The question is no longer what the ETag stands for (412).

    A first try of the same call may have done it, if its reply was lost.
    """


class TooLargeError(ServiceError):
    """The request is larger than the service takes (413)."""


class TooManyRequestsError(ServiceError):
    """More requests than a client may send; they were not looked at (429)."""


class ServerError(ServiceError):
    """The service has failed (5xx)."""


class UnavailableError(ServerError):
    """The service starts, stops or has too much to do (503)."""
