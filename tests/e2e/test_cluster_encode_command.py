"""`askagain cluster encode` with the real executable, which starts Ray for itself."""

import gzip
import json
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from executable import ASKAGAIN, environment, json_of, refused, succeeded

from support import require

WITHOUT_RAY = """
import sys

sys.modules["ray"] = None
from askagain.cli import main
main()
"""

SHOWS_HELP = """
import sys

from askagain.cli.app import run
run(["cluster", "encode", "--help"])
print("ray" in sys.modules)
"""


@pytest.fixture(scope="module")
def encoded(sample_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample forum and a file with a bad row, after an interruption."""
    require(find_spec("ray") is not None, "no Ray; pip install 'askagain[cluster]'")
    folder = tmp_path_factory.mktemp("encoded")
    lines = b'{"id": "a", "title": "One"}\nnonsense\n{"id": "c", "title": "Three"}\n'
    (folder / "more.jsonl.gz").write_bytes(gzip.compress(lines))
    command = command_for(sample_archive, folder)
    interrupted = subprocess.Popen(
        [ASKAGAIN, *map(str, command)], env=environment(), stderr=subprocess.PIPE, text=True
    )
    wait_for(folder / "out" / "parts")
    interrupted.send_signal(signal.SIGINT)
    _, said = interrupted.communicate(timeout=60)
    assert interrupted.returncode == 130, said
    assert said.endswith("askagain: interrupted; run the same command again to go on\n")
    assert "Traceback" not in said
    succeeded(*command)
    return folder


def command_for(archive: Path, folder: Path) -> list[object]:
    sources = [archive, folder / "more.jsonl.gz"]
    return ["cluster", "encode", *sources, "--out", folder / "out", "--rows-per-part", 1]


def wait_for(path: Path) -> None:
    until = time.monotonic() + 100
    while not path.exists():
        assert time.monotonic() < until, f"{path} does not come"
        time.sleep(0.05)


def test_after_an_interruption_all_parts_are_there_and_the_bad_row_is_told(encoded: Path) -> None:
    manifest = json.loads((encoded / "out" / "manifest.json").read_text())
    skipped = json.loads((encoded / "out" / "skipped.jsonl").read_text())

    assert (manifest["rows"], manifest["skipped"], manifest["dimension"]) == (359, 1, 256)
    assert [part["source"] for part in manifest["parts"][-2:]] == ["more.jsonl.gz", "more.jsonl.gz"]
    assert (Path(skipped["file"]).name, skipped["line"]) == ("more.jsonl.gz", 2)


def test_a_second_run_has_nothing_to_do(encoded: Path, sample_archive: Path) -> None:
    told = json_of(*command_for(sample_archive, encoded))

    assert (told["rows"], told["parts"], told["made"], told["skipped"]) == (359, 359, 0, 1)
    assert told["examples"][0]["line"] == 2


def test_another_model_needs_another_folder(encoded: Path, sample_archive: Path) -> None:
    said = refused("cluster", "encode", sample_archive, "--out", encoded / "out", "--rows-per-part", 7)

    assert "name another folder" in said


def test_an_address_where_nobody_listens_is_told_in_seconds(sample_archive: Path, tmp_path: Path) -> None:
    started = time.monotonic()

    said = refused("cluster", "encode", sample_archive, "--out", tmp_path / "v", "--address", "127.0.0.1:1")

    assert "no Ray cluster answers at 127.0.0.1:1" in said
    assert time.monotonic() - started < 40


def test_features_and_an_encoder_do_not_go_together(sample_archive: Path, tmp_path: Path) -> None:
    said = refused(
        "cluster",
        "encode",
        sample_archive,
        "--out",
        tmp_path / "v",
        "--features",
        "all",
        "--system",
        "minilm",
    )

    assert "leave --system and --model out" in said


def test_without_ray_the_error_names_the_remedy(sample_archive: Path, tmp_path: Path) -> None:
    command = ["cluster", "encode", sample_archive, "--out", tmp_path / "v"]

    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_RAY, *map(str, command)],
        env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 2
    assert done.stderr == ("askagain: what runs on a cluster needs ray: pip install 'askagain[cluster]'\n")


def test_ray_is_not_loaded_before_it_is_needed() -> None:
    done = subprocess.run([sys.executable, "-c", SHOWS_HELP], capture_output=True, text=True, check=True)

    assert done.stdout.endswith("\nFalse\n")
