"""The Python client of the service: it needs the standard library alone."""

from askagain.client.client import Client
from askagain.client.errors import (
    AlreadyExistsError,
    ChangedMeanwhileError,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    ServerError,
    ServiceError,
    TooLargeError,
    TooManyRequestsError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedReplyError,
    UnreachableError,
)
from askagain.client.wire import Deletion

__all__ = [
    "AlreadyExistsError",
    "ChangedMeanwhileError",
    "Client",
    "Deletion",
    "ForbiddenError",
    "InvalidRequestError",
    "NotFoundError",
    "ServerError",
    "ServiceError",
    "TooLargeError",
    "TooManyRequestsError",
    "UnauthorizedError",
    "UnavailableError",
    "UnexpectedReplyError",
    "UnreachableError",
]
