"""The files for systemd and for containers: what can be said about them without either."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from running_service import RunningService
from support import require

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
DOCKERFILE = (EXAMPLES / "Dockerfile").read_text()


def _health_check(url: str) -> subprocess.CompletedProcess[bytes]:
    found = re.search(r"HEALTHCHECK.*?CMD (\[.*?\])$", DOCKERFILE, re.DOTALL | re.MULTILINE)
    assert found
    _, *arguments = json.loads(found[1])
    at = [argument.replace("http://127.0.0.1:8017", url) for argument in arguments]
    return subprocess.run([sys.executable, *at], capture_output=True, timeout=30)


def test_the_container_is_healthy_as_long_as_the_service_answers(archive_service: RunningService) -> None:
    assert _health_check(archive_service.url).returncode == 0


def test_the_container_is_not_healthy_when_nothing_answers() -> None:
    assert _health_check("http://127.0.0.1:9").returncode == 1


def test_the_container_does_not_run_as_root() -> None:
    assert re.search(r"^USER (?!root)\w+$", DOCKERFILE, re.MULTILINE)


def test_the_unit_is_understood_by_systemd_and_shut_off_well() -> None:
    require(shutil.which("systemd-analyze") is not None, "no systemd-analyze here: install systemd")
    command = [
        "systemd-analyze",
        "security",
        "--offline=true",
        "--threshold=20",
        str(EXAMPLES / "askagain.service"),
    ]

    done = subprocess.run(command, capture_output=True, text=True, timeout=30)

    assert done.returncode == 0, done.stdout
    assert "Unknown" not in done.stderr
