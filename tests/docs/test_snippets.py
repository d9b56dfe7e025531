"""The pages keep their word: what they show is run, and must print what they say.

`python` blocks are run in this process, each by itself, beside an archive `forum.db` and a set `myset` made
of the sample forum. A `text` block right after one is its output. The `console` blocks of a page are one
session, with the output after each `$ ` line: the README's in a shell, those of the other pages in this
process where a line needs no shell. A block with a file's name behind its language (`json questions.jsonl`)
is written to that file first. All other blocks are for reading only.

What a network learns differs a little from machine to machine. So whatever comes after the first training of
a page, or of a `python` block, is compared without its figures, letters of significance and shares of words.
"""

import gzip
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

import pytest

from askagain import Archive, Verdict
from askagain.sample import forum
from askagain.sources.jsonl import dump_record
from commands import TERMINAL, on_one_screen

REPOSITORY = Path(__file__).parent.parent.parent
PAGES = [
    REPOSITORY / "README.md",
    *(REPOSITORY / "docs" / f"{u}.md" for u in ("operator", "engineer", "researcher")),
]

_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
# Both depend on how fast the machine is: lines of progress, and the last column of an evaluation.
_PROGRESS = re.compile(r".+: \d+%(?:, about \d+ (?:s|min) left)?|(?:[\w. -]+: )?\w[\w. -]*: [\d,]+")
_SECONDS = re.compile(r"(?<=  )\d+\.\d$")
_TRAINING = re.compile(r"\btrain\b|-small\b|\bown\.toml")
_FIGURE = re.compile(r"(?<![\w@-])-?\d[\d.,]*")  # and not the number of a name, such as cooking-10
_LETTERS = re.compile(r"(?<=N) [a-z]{1,3}(?= N| S|$)")
_SHARE = re.compile(r".+ in (?:title|body|text) N N%")
_KEPT_IN = re.compile(r"(?<=is kept in )\S+")


class Block(NamedTuple):
    """A fenced block of a page, with the `text` block that follows it."""

    page: Path
    line: int
    language: str
    file: str | None
    content: str
    output: str | None


class Command(NamedTuple):
    """What is typed, and what must come back."""

    typed: str
    printed: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, *found.groups())
        for found in _BLOCK.finditer(text)
    ]


def commands(session: str) -> list[Command]:
    parts = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    return [Command(*part.split("\n", 1)) for part in parts]


PYTHON = [block for page in PAGES for block in blocks(page) if block.language == "python"]


@pytest.fixture(scope="session", autouse=True)
def _ready(compiled_kernels: None) -> None:
    """No command says that it has to compile its kernels."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the sample forum as an archive and as a question set."""
    with Archive.open(tmp_path / "forum.db") as archive:
        forum.load_into(archive)
    (tmp_path / "myset").mkdir()
    with gzip.open(tmp_path / "myset" / "questions.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(dump_record(question) + "\n" for question in forum.questions())
    pairs = [f"{m.first}\t{m.second}\n" for m in forum.marks() if m.verdict is Verdict.DUPLICATE]
    (tmp_path / "myset" / "duplicates.tsv").write_text("".join(pairs))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASKAGAIN_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize("block", PYTHON, ids=lambda block: f"{block.page.name}:{block.line}")
def test_python_runs_and_prints_what_the_page_says(
    block: Block, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(block.page, folder)
    exec(compile(block.content, f"{block.page}:{block.line}", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    if block.output is not None:
        learned = _TRAINING.search(block.content) is not None
        assert comparable(printed, learned) == comparable(block.output, learned)


def test_commands_of_the_readme_print_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").symlink_to(REPOSITORY / "src")
    monkeypatch.setenv("ASKAGAIN_CACHE", str(tmp_path / "cache"))
    check_session(REPOSITORY / "README.md", tmp_path, in_a_shell)


def test_commands_for_operators_print_what_they_say(folder: Path) -> None:
    check_session(REPOSITORY / "docs" / "operator.md", folder, in_this_process)


def test_commands_for_researchers_print_what_they_say(folder: Path, data_dir: Path) -> None:
    (folder / "semeval").symlink_to(data_dir.resolve() / "semeval")
    check_session(REPOSITORY / "docs" / "researcher.md", folder, in_this_process)


def test_commands_of_a_cluster_print_what_its_page_says(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "token")  # each line has a shell of its own
    monkeypatch.setenv("RAY_AUTH_TOKEN", token_hex(32))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # Ray then listens on loopback only
    try:
        check_session(REPOSITORY / "docs" / "cluster.md", folder, in_a_shell)
    finally:
        for started in folder.glob("*.pid"):
            with suppress(ProcessLookupError):
                os.kill(int(started.read_text()), signal.SIGTERM)


def check_session(page: Path, folder: Path, run: Callable[[str, Path], str]) -> None:
    write_files(page, folder)
    session = [c for block in blocks(page) if block.language == "console" for c in commands(block.content)]
    assert session
    learned = False
    for command in session:
        learned = learned or _TRAINING.search(command.typed) is not None
        printed = comparable(run(command.typed, folder), learned)
        assert printed == comparable(command.printed, learned), command.typed


def write_files(page: Path, folder: Path) -> None:
    for block in blocks(page):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.content, encoding="utf-8")


def in_this_process(typed: str, folder: Path) -> str:
    """The same as in a shell, without the seconds that each start takes."""
    if not typed.startswith("askagain ") or re.search(r"[|>*]", re.sub(r'"[^"]*"', "", typed)):
        return in_a_shell(typed, folder)
    return on_one_screen(*shlex.split(typed)[1:])


def in_a_shell(typed: str, folder: Path) -> str:
    """What a person at a terminal of 80 columns sees."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    settings = {**TERMINAL, "PATH": path, "LC_ALL": "C.UTF-8"}
    settings["OMP_NUM_THREADS"] = "1"  # several threads take longer for such small networks
    done = subprocess.run(
        ["sh", "-c", typed],
        cwd=folder,
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=180,
        check=False,
    )
    return done.stdout


def comparable(output: str, learned: bool) -> list[str]:
    """The lines without trailing blanks, and without what depends on the machine or its speed."""
    lines = [_SECONDS.sub("S", line.rstrip()) for line in output.rstrip().splitlines()]
    kept = [line for line in lines if not _PROGRESS.fullmatch(line)]
    if not learned:
        return kept
    return [line for line in map(without_figures, kept) if not _SHARE.fullmatch(line)]


def without_figures(line: str) -> str:
    """Columns grow with their figures, so blanks do not count either."""
    masked = " ".join(_FIGURE.sub("N", _KEPT_IN.sub("FOLDER", line)).split())
    return _LETTERS.sub("", masked)
