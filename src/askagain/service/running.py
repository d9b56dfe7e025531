"""Runs the service: one process, or several on one socket."""

from __future__ import annotations

import errno
import logging
import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Final

from uvicorn import Config, Server
from uvicorn.supervisors import Multiprocess

from askagain.errors import SettingsError
from askagain.forking import can_be_forked, go_on_alone
from askagain.service import logs
from askagain.service.protocol import GuardedProtocol
from askagain.service.settings import FIGURES, ServiceSettings

_BACKLOG: Final = 2048
_FAULTS_OF_A_PORT: Final = (errno.EADDRINUSE, errno.EACCES)
_SPARE_CONNECTIONS: Final = 100

logger = logging.getLogger(__name__)


class Supervisor(Multiprocess):
    """Starts workers, and others in place of those that end."""

    def keep_subprocess_alive(self) -> None:
        """Looks after each worker; that one had to be replaced is worth a warning."""
        before = list(self.processes)
        super().keep_subprocess_alive()
        for old, new in zip(before, self.processes, strict=True):
            if new is not old:
                told = (old.pid, old.exitcode, new.pid)
                logger.warning("worker %s has died (exit code %s): worker %s takes its place", *told)


def serve(
    settings: ServiceSettings,
    on_listening: Callable[[str], None],
    application: str = "askagain.service.app:app_from_environment",
) -> None:
    """Until SIGINT or SIGTERM; finishes what it has accepted. `on_listening` is told the address.

    `application` names what makes the application in each process, from the settings in the environment.
    """
    listening = _bound(settings)
    # uvicorn sends the signal once more when it is done; it must not kill us before the folder is gone.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    logs.set_up()
    with TemporaryDirectory(prefix="askagain-") as figures:
        os.environ |= settings.to_environment() | {FIGURES: figures}
        config = Config(
            application,
            factory=True,
            http=GuardedProtocol,
            loop="uvloop",
            ws="none",
            workers=settings.workers,
            log_config=None,
            access_log=False,
            server_header=False,
            forwarded_allow_ips=settings.proxies,
            limit_concurrency=_last_resort(settings),
            timeout_graceful_shutdown=round(settings.shutdown_seconds),
            timeout_worker_healthcheck=30,
        )
        on_listening(_address(listening))
        if settings.workers > 1:
            _share_what_is_loaded()
            Supervisor(config, [listening]).run()
        else:
            with suppress(KeyboardInterrupt):
                Server(config).run([listening])


def _last_resort(settings: ServiceSettings) -> int:
    """So many connections leave the gate enough of them to refuse requests politely, and to say how it is."""
    return 2 * settings.connections + _SPARE_CONNECTIONS


def _share_what_is_loaded() -> None:
    """Workers begin as copies of this process: they are ready at once, and share its memory."""
    if not can_be_forked():
        return
    from uvicorn import _subprocess

    import askagain.service.app  # noqa: F401

    # There is no setting for it. In a version that does not look here, workers begin from nothing.
    _subprocess.spawn = multiprocessing.get_context("fork")  # type: ignore[assignment]
    os.register_at_fork(after_in_child=_end_by_default)
    os.register_at_fork(after_in_child=go_on_alone)


def _end_by_default() -> None:
    """Until a worker listens to signals itself; its parent's way to deal with them is not its own."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_DFL)


def _bound(settings: ServiceSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        option = "--port" if error.errno in _FAULTS_OF_A_PORT else "--host"
        raise SettingsError(
            f"cannot serve on {settings.host}:{settings.port}: {error.strerror}; choose another {option}"
        ) from error
    listening.listen(_BACKLOG)
    listening.set_inheritable(True)
    return listening


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
