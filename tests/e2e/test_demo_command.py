"""`askagain demo` with the real executable."""

import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import httpx
import pytest
from executable import ASKAGAIN

from askagain import Archive, Question
from askagain.cli.demo import OTHER_WORDS, SEARCHES
from askagain.systems import DEFAULT_SYSTEM
from commands import refused, succeeded


@pytest.fixture(scope="module")
def printed() -> str:
    return succeeded("demo", "--tour")


def test_it_shows_counts_searches_figures_and_the_next_steps(printed: str) -> None:
    assert "357 questions" in printed
    for search in SEARCHES:
        assert f"Somebody asks: {search.title}" in printed
    assert "acc@10" in printed
    assert "askagain import questions.jsonl duplicates.tsv --archive forum.db" in printed


def test_every_search_finds_what_it_should_first(printed: str) -> None:
    for search in SEARCHES:
        table = printed.split(f"Somebody asks: {search.title}")[1].splitlines()
        assert table[2].split()[0] == "1"
        assert table[2].split()[-1] == search.wanted


def test_other_words_are_found_too(printed: str) -> None:
    shown = printed.split(OTHER_WORDS.title)[1]

    assert shown.splitlines()[2].split()[-1] == OTHER_WORDS.wanted
    assert f"{OTHER_WORDS.wanted} has the answer, but not one word in common" in " ".join(shown.split())


def test_the_default_system_is_measured_and_can_be_trained(printed: str) -> None:
    [system] = re.findall(r"askagain train (\S+) --archive forum.db", printed)

    assert system == DEFAULT_SYSTEM
    assert re.search(rf"^{system} +\d", printed, flags=re.MULTILINE)


def test_it_fits_into_80_columns(printed: str) -> None:
    assert max(map(len, printed.splitlines())) <= 80


def test_it_says_the_same_every_time_and_takes_an_archive_of_its_own(
    printed: str, sample_archive: Path, tmp_path: Path
) -> None:
    path = tmp_path / "demo.db"
    shutil.copy(sample_archive, path)

    again = succeeded("demo", "--tour", "--archive", path)

    ending = "Or look around"
    assert again.split(ending)[0] == printed.split(ending)[0]
    assert str(path.name) in again.split(ending)[1].replace("\n", "")


def test_it_never_mixes_the_sample_into_another_forum(tmp_path: Path) -> None:
    path = tmp_path / "forum.db"
    with Archive.open(path) as archive:
        archive.add(Question("Mine", id="1"))

    assert "questions of another forum" in refused("demo", "--archive", path)


def test_it_ends_with_a_page_where_the_key_on_the_screen_works(tmp_path: Path) -> None:
    said = tmp_path / "said.txt"
    with said.open("w") as output:
        process = subprocess.Popen([ASKAGAIN, "demo"], stdout=output, stderr=output)
    try:
        address = wait_for(r"serving on (http://\S+)", said, process)
        key = wait_for(r"(ask_[\w-]+)", said, process)
        assert "Has this been asked before?" in httpx.get(address).text
        feedback = {"title": SEARCHES[0].title, "id": SEARCHES[0].wanted, "verdict": "duplicate"}
        reply = httpx.post(
            f"{address}/v1/feedback", json=feedback, headers={"Authorization": f"Bearer {key}"}, timeout=30
        )
        assert reply.status_code == 202
    finally:
        process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert "Traceback" not in said.read_text()


def wait_for(pattern: str, file: Path, process: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + 120
    while time.monotonic() < end and process.poll() is None:
        if found := re.search(pattern, file.read_text()):
            return found[1]
        time.sleep(0.1)
    raise AssertionError(file.read_text())
