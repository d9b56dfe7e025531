"""Kills a writer at random moments, and checks each time what the archive has kept.

The writer follows an endless plan of operations that the seed alone decides, so the checker can work
out every state that the archive may be in: that after the acknowledged operations, or that after some
of the commits of the one operation that was under way. Anything else is a loss.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from askagain.archive import Archive, Position
from askagain.importing import import_file
from askagain.question import Mark, Question, Verdict
from askagain.sources.base import Progress, no_progress

IDS = [f"q{number}" for number in range(300)]
IMPORT_BATCH = 20
IMPORT_BATCHES = 3
LONGEST_DELAY = 0.12


class LossError(Exception):
    """The archive is not in any state that it may be in after the crash."""


@dataclass(frozen=True)
class Deletion:
    id: str


@dataclass(frozen=True)
class Withdrawal:
    first: str
    second: str


Write = Question | Deletion | Mark | Withdrawal


@dataclass(frozen=True)
class Operation:
    """Writes that are acknowledged together; each of the `commits` is all or nothing."""

    is_import: bool
    commits: list[list[Write]]


@dataclass
class State:
    """What an archive holds: the model that the real one is compared with."""

    questions: dict[str, Question] = field(default_factory=dict)
    marks: dict[tuple[str, str], Mark] = field(default_factory=dict)

    def after(self, commit: list[Write]) -> State:
        state = State(dict(self.questions), dict(self.marks))
        for write in commit:
            state._apply(write)
        return state

    def _apply(self, write: Write) -> None:
        match write:
            case Question():
                self.questions[write.id] = write
            case Deletion():
                self.questions.pop(write.id, None)
            case Mark() if {write.first, write.second} <= self.questions.keys():
                self.marks[write.first, write.second] = write
            case Withdrawal() if {write.first, write.second} <= self.questions.keys():
                self.marks.pop((write.first, write.second), None)

    @classmethod
    def of(cls, archive: Archive) -> State:
        marks = archive.marks(include_deleted=True)
        return cls(
            {question.id: question for question in archive.questions()},
            {(mark.first, mark.second): mark for mark in map(_in_order, marks)},
        )


def _in_order(mark: Mark) -> Mark:
    first, second = sorted((mark.first, mark.second))
    return Mark(first, second, mark.verdict, mark.who, mark.when)


def operation(seed: int, index: int) -> Operation:
    """The operation number `index` of the plan."""
    chance = random.Random(f"{seed}/{index}")
    if chance.random() < 0.3:
        questions = [_question(chance, id) for id in chance.sample(IDS, IMPORT_BATCH * IMPORT_BATCHES)]
        starts = range(0, len(questions), IMPORT_BATCH)
        return Operation(True, [list(questions[start : start + IMPORT_BATCH]) for start in starts])
    return Operation(False, [[_write(chance) for _ in range(chance.choice([1, 1, 1, 5]))]])


def _write(chance: random.Random) -> Write:
    first, second = sorted(chance.sample(IDS, 2))
    writes: list[Write] = [
        _question(chance, first),
        Deletion(first),
        Mark(first, second, chance.choice(list(Verdict)), "a moderator", "2020-01-01"),
        Withdrawal(first, second),
    ]
    return chance.choice(writes)


def _question(chance: random.Random, id: str) -> Question:
    body = f"{chance.random()} " * chance.randrange(1, 200)
    return Question(id=id, title=f"title {chance.random()}", body=body, tags=("usb", "boot"))


@dataclass(frozen=True)
class _PlannedSource:
    """A source that reads no file."""

    planned: Operation
    name: str = "planned"

    def recognises(self, path: Path, head: bytes) -> bool:
        return False

    def records(self, path: Path, progress: Progress = no_progress) -> Iterator[Question]:
        for commit in self.planned.commits:
            for write in commit:
                assert isinstance(write, Question)
                yield write


def perform(archive: Archive, planned: Operation) -> None:
    """Carries out an operation on a real archive."""
    if planned.is_import:
        import_file(archive, Path("plan"), _PlannedSource(planned), batch=IMPORT_BATCH)
        return
    for commit in planned.commits:
        with archive.transaction():
            for write in commit:
                _perform(archive, write)


def _perform(archive: Archive, write: Write) -> None:
    match write:
        case Question():
            archive.put(write)
        case Deletion():
            archive.delete(write.id)
        case Mark() if write.first in archive and write.second in archive:
            archive.mark(write)
        case Withdrawal():
            archive.withdraw(write.first, write.second)


def write_until_killed(path: Path, log: Path, seed: int, start: int) -> None:
    """The writer: performs the plan from operation `start` on, and acknowledges each one in the log."""
    print("opening", flush=True)
    acknowledgements = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    archive = Archive.open(path)
    for index in range(start, sys.maxsize):
        perform(archive, operation(seed, index))
        position = archive.sequence
        # One write() call, which outlives the process; nothing is buffered here.
        os.write(acknowledgements, f"{index} {position.seq} {position.token}\n".encode())


@dataclass
class CrashRun:
    """A series of kills of writers to one archive, and what came of them."""

    path: Path
    seed: int
    check_view: Callable[[Archive], None]
    kills: int = 0
    acknowledged: int = 0
    interrupted_imports: int = 0
    unacknowledged_commits: int = 0
    state: State = field(default_factory=State)
    done: int = 0

    def kill_once(self, delay: float) -> None:
        """Starts a writer, kills it `delay` seconds after it began to open the archive, and checks."""
        log = self.path.with_name(f"acknowledged-{self.kills}")
        arguments = [str(self.path), str(log), str(self.seed), str(self.done)]
        command = [sys.executable, __file__, *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(delay)
            if writer.poll() is not None:
                raise LossError(f"the writer ended by itself with code {writer.returncode}")
            writer.send_signal(signal.SIGKILL)
        self.kills += 1
        self.check(_acknowledgements(log))

    def check(self, acknowledgements: list[tuple[int, Position]]) -> None:
        """Reopens the archive and compares it with what was acknowledged."""
        for index, _ in acknowledgements:
            for commit in operation(self.seed, index).commits:
                self.state = self.state.after(commit)
            self.done = index + 1
        self.acknowledged += len(acknowledgements)
        with Archive.open(self.path) as archive:
            self._settle(State.of(archive))
            _check_history(archive, [position for _, position in acknowledgements])
            self.check_view(archive)
        check_file(self.path)

    def _settle(self, found: State) -> None:
        """Finds out how far the operation under way had come; the next writer goes on from there."""
        under_way = operation(self.seed, self.done)
        possible = [self.state]
        for commit in under_way.commits:
            possible.append(possible[-1].after(commit))
        if found not in possible:
            raise LossError(
                f"after kill {self.kills} and operation {self.done - 1}: {_loss(self.state, found)}"
            )
        commits = possible.index(found)
        self.unacknowledged_commits += commits
        self.interrupted_imports += 0 < commits < len(under_way.commits)
        if commits == len(under_way.commits):
            self.done += 1
            self.state = found


def _acknowledgements(log: Path) -> list[tuple[int, Position]]:
    if not log.exists():
        return []
    fields = [line.split() for line in log.read_text().splitlines()]
    return [(int(index), Position(int(seq), token)) for index, seq, token in fields]


def _loss(expected: State, found: State) -> str:
    wrong = [id for id in IDS if expected.questions.get(id) != found.questions.get(id)]
    pairs = [
        pair for pair in expected.marks | found.marks if expected.marks.get(pair) != found.marks.get(pair)
    ]
    return f"questions {wrong[:5]} and marks {pairs[:5]} are not as acknowledged"


def _check_history(archive: Archive, positions: list[Position]) -> None:
    for position in [*positions, archive.sequence]:
        if not archive.has_seen(position.seq, position.token):
            raise LossError(f"the acknowledged position {position} is no longer known")
    numbers = [position.seq for position in positions]
    if numbers != sorted(numbers) or (numbers and archive.sequence.seq < numbers[-1]):
        raise LossError(f"sequence numbers went back: {numbers[-5:]}, now {archive.sequence.seq}")


def check_file(path: Path) -> None:
    """The file itself: sound, no mark without its questions, no sequence number given out twice."""
    with closing(sqlite3.connect(path)) as connection:
        problems = connection.execute("PRAGMA integrity_check").fetchall()
        if problems != [("ok",)] or connection.execute("PRAGMA foreign_key_check").fetchall():
            raise LossError(f"{path} is damaged: {problems}")
        rows, distinct, largest = connection.execute(
            """SELECT count(*), count(DISTINCT seq), ifnull(max(seq), 0)
               FROM (SELECT seq FROM questions UNION ALL SELECT seq FROM marks)"""
        ).fetchone()
        (last,) = connection.execute("SELECT ifnull(max(seq), 0) FROM commits").fetchone()
        if rows != distinct or largest > last:
            raise LossError(
                f"{rows} rows have {distinct} sequence numbers up to {largest}, committed is {last}"
            )


class ViewByChanges:
    """The smallest view of an archive: catches up by `changes_since` and must then equal the archive."""

    def __init__(self) -> None:
        self._questions: dict[int, Question] = {}
        self._position: Position | None = None

    def __call__(self, archive: Archive) -> None:
        seen = self._position
        if seen is not None and not archive.has_seen(seen.seq, seen.token):
            raise LossError(f"the archive no longer knows the position {seen} of its view")
        self._position = archive.sequence
        for change in archive.changes_since(seen.seq if seen else 0):
            self._questions.pop(change.number, None)
            if change.question is not None:
                self._questions[change.number] = change.question
        if [self._questions[number] for number in sorted(self._questions)] != list(archive.questions()):
            raise LossError("the view did not catch up with the archive")


def crash(folder: Path, kills: int, seed: int, check_view: Callable[[Archive], None]) -> CrashRun:
    """Kills `kills` writers of one archive; `check_view` is called with the archive after each kill."""
    run = CrashRun(folder / "crashed.db", seed, check_view)
    chance = random.Random(seed)
    for _ in range(kills):
        run.kill_once(chance.uniform(0, LONGEST_DELAY))
    return run


if __name__ == "__main__":
    write_until_killed(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
