"""The real service on loopback, started as an operator starts it."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from askagain import Archive
from askagain.archive.records import Scope
from askagain.client import Client

ASKAGAIN = shutil.which("askagain", path=str(Path(sys.executable).parent)) or "askagain"
SECONDS_TO_START = 60.0


@dataclass(frozen=True)
class RunningService:
    """A service, and keys for it."""

    url: str
    writer: str
    moderator: str
    pid: int

    def reading(self) -> Client:
        return Client(self.url)

    def writing(self) -> Client:
        return Client(self.url, self.writer)

    def moderating(self) -> Client:
        return Client(self.url, self.moderator)


@contextmanager
def running_service(archive: Path, *options: str) -> Iterator[RunningService]:
    """Serves an archive, with a key that writes and one that moderates, to the end of the block."""
    with Archive.open(archive, create=True) as opened:
        writer, moderator = _new_key(opened, Scope.WRITE), _new_key(opened, Scope.MODERATE)
    log = archive.with_suffix(".log")
    with log.open("w") as stderr:
        command = [ASKAGAIN, "serve", "--archive", str(archive), "--port", "0", *options]
        process = subprocess.Popen(command, stdout=stderr, stderr=stderr)
    try:
        yield RunningService(_when_ready(log, process), writer, moderator, process.pid)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _new_key(archive: Archive, scope: Scope) -> str:
    """In place of the one that an earlier service on the same archive had."""
    name = {Scope.WRITE: "writer", Scope.MODERATE: "moderator"}[scope]
    archive.revoke_key(name)
    return archive.add_key(name, scope)


def _when_ready(log: Path, process: subprocess.Popen[bytes]) -> str:
    """The address in the line that the service prints, once requests are answered there."""
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until and process.poll() is None:
        for line in log.read_text().splitlines():
            _, found, url = line.partition("serving on ")
            if found and _is_ready(url):
                return url
        time.sleep(0.05)
    raise AssertionError(f"the service has not started:\n{log.read_text()}")


def _is_ready(url: str) -> bool:
    try:
        with urlopen(f"{url}/readyz", timeout=SECONDS_TO_START) as reply:
            return bool(reply.status == 200)
    except HTTPError as error:
        error.close()
    except (URLError, ConnectionError):
        pass
    return False
