"""Components that are installed on request: each is asked for where it is needed first."""

from __future__ import annotations

from askagain.errors import MissingExtraError


def check_torch(what: str, extras: str = "neural") -> None:
    """An error with the remedy where torch is not installed."""
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(f"{what} needs torch: pip install 'askagain[{extras}]'") from error
