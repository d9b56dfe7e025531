"""Does hostile input crash or hang anything? Feeds posts and files to every target, each with a time limit.

python benchmarks/fuzz.py [--inputs N] [--json]

--inputs is per target. Without it, each text target gets 100,000 posts; each reader gets 15,000 files, which
makes more than 100,000 in all; the importer gets 5,000 files, as it makes a new archive on disk for each.
"""

import argparse
import faulthandler
import json
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.archive import Archive
from askagain.errors import SourceError
from askagain.importing import import_file
from askagain.question import Mark, Question
from askagain.sources.base import Record, Skipped
from askagain.sources.detect import detect, source_named
from askagain.text import TextOptions, clean, tokenize
from example_files import EXAMPLES
from hostile import hostile_post
from hostile_files import Files, hostile_7z, hostile_files

SECONDS_PER_INPUT = 10.0
MEMORY_BYTES = 4 * 2**30
LONGEST_MESSAGE = 1000

POSTS = 100_000
FILES = 15_000
PACKED_FILES = 10_000
IMPORTS = 5_000

_KEEP_CODE = TextOptions(block_code=True, inline_code=True)
_DROP_CODE = TextOptions(block_code=False, inline_code=False)
_EVERYTHING = Analyzer(AnalyzerSettings(stop_words="english", ngrams=3, text=_KEEP_CODE))
_FORMATS = list(EXAMPLES)


class HangError(BaseException):
    """The input took longer than the limit. No Exception, lest the target catches it."""


class BrokenPromiseError(Exception):
    """The target came back with something that it must never give."""


@dataclass(frozen=True)
class Target:
    """What is fed (`make` gives the input of a number), and how many inputs a full run has."""

    name: str
    make: Callable[[int], Any]
    run: Callable[[Any], object]
    inputs: int


@dataclass
class Case:
    """What became of a target's inputs."""

    name: str
    inputs: int = 0
    crashes: int = 0
    hangs: int = 0
    slowest_ms: float = 0.0


def targets(folder: Path) -> list[Target]:
    """Everything that meets text from strangers; files are written into `folder`."""
    return [
        Target("text: clean", hostile_post, clean, POSTS),
        Target("text: clean, no code kept", hostile_post, lambda post: clean(post, _DROP_CODE), POSTS),
        Target("text: tokenize raw posts", hostile_post, tokenize, POSTS),
        Target("analysis: clean, stop, stem, 3-grams", hostile_post, _EVERYTHING.terms, POSTS),
        *(
            Target(f"reader: {format}", partial(hostile_files, format), partial(_read, format, folder), FILES)
            for format in _FORMATS
        ),
        Target(
            "reader: stackexchange, 7z", hostile_7z, partial(_read, "stackexchange", folder), PACKED_FILES
        ),
        Target("detect: files of all formats", _file_of_any_format, partial(_detect, folder), FILES),
        Target(
            "import: all formats, a new archive each", _file_of_any_format, partial(_import, folder), IMPORTS
        ),
    ]


def _read(format: str, folder: Path, files: Files) -> None:
    with _clear_errors():
        for record in source_named(format).records(_written(files, folder)):
            check_record(record)


def _file_of_any_format(number: int) -> tuple[str, Files]:
    turn, format = divmod(number, len(_FORMATS))
    return _FORMATS[format], hostile_files(_FORMATS[format], turn)


def _detect(folder: Path, given: tuple[str, Files]) -> None:
    with _clear_errors():
        detect(_written(given[1], folder))


def _import(folder: Path, given: tuple[str, Files]) -> None:
    format, files = given
    with TemporaryDirectory(dir=folder) as home, Archive.open(Path(home) / "archive.db") as archive:
        _import_into(archive, _written(files, Path(home)), format)


def _import_into(archive: Archive, path: Path, format: str) -> None:
    with _clear_errors():
        report = import_file(archive, path, source_named(format), batch=3)
        if not report.added == len(archive) == sum(1 for _ in archive.questions()):
            raise BrokenPromiseError(f"{report.added} questions were added, but {len(archive)} are there")


def _written(files: Files, folder: Path) -> Path:
    for name, content in files.items():
        # Some file systems wait for the disk when a file is overwritten, but not when it is new.
        (folder / name).unlink(missing_ok=True)
        (folder / name).write_bytes(content)
    return folder / next(iter(files))


@contextmanager
def _clear_errors() -> Iterator[None]:
    """A SourceError is no crash, as long as it is a message for a person."""
    try:
        yield
    except SourceError as error:
        _check_message(str(error))


def check_record(record: Record) -> None:
    """A BrokenPromiseError unless a reader may give this."""
    match record:
        case Skipped(line=line, reason=reason) if line >= 0:
            _check_message(reason)
        case Question(id=id, title=title) if id and title.strip():
            pass
        case Mark(first=first, second=second) if first and second and first != second:
            pass
        case _:
            raise BrokenPromiseError(f"not a record to be given: {record!r:.200}")


def _check_message(message: str) -> None:
    if len(message) > LONGEST_MESSAGE or len(message.splitlines()) != 1:
        raise BrokenPromiseError(f"not one line for a person: {message!r:.200}")


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises HangError inside the block when the time is over."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise HangError

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def fuzz(target: Target, inputs: int, seconds: float = SECONDS_PER_INPUT) -> Case:
    """Every failure is told on standard error with the number that the target makes its input from."""
    case = Case(target.name, inputs)
    for number in range(inputs):
        given = target.make(number)
        started = time.perf_counter()
        try:
            with time_limit(seconds):
                target.run(given)
        except HangError:
            case.hangs += 1
            print(f"{target.name}: input {number} hangs", file=sys.stderr)
        except Exception as error:
            case.crashes += 1
            print(f"{target.name}: input {number} raises {error!r:.500}", file=sys.stderr)
        case.slowest_ms = max(case.slowest_ms, round((time.perf_counter() - started) * 1000, 1))
    return case


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--inputs", type=int, help="per target")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    with TemporaryDirectory(prefix="askagain-fuzz-") as folder:
        cases = [fuzz(target, options.inputs or target.inputs) for target in targets(Path(folder))]
    if options.json:
        print(json.dumps({"cases": [asdict(case) for case in cases]}))
    else:
        _print_table(cases)
    return 1 if any(case.crashes or case.hangs for case in cases) else 0


def _print_table(cases: list[Case]) -> None:
    print(f"{'target':40} {'inputs':>9} {'crashes':>8} {'hangs':>6} {'slowest ms':>11}")
    for case in [*cases, _total(cases)]:
        print(f"{case.name:40} {case.inputs:9,} {case.crashes:8} {case.hangs:6} {case.slowest_ms:11,}")


def _total(cases: list[Case]) -> Case:
    return Case(
        "total",
        inputs=sum(case.inputs for case in cases),
        crashes=sum(case.crashes for case in cases),
        hangs=sum(case.hangs for case in cases),
        slowest_ms=max(case.slowest_ms for case in cases),
    )


if __name__ == "__main__":
    sys.exit(main())
