"""All likely duplicates of a cluster: its questions are searched for part by part, on all workers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, TypeVar

from askagain.cluster.connecting import Failed, results
from askagain.cluster.gateway import ShardedEngine
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.shard import Call
from askagain.cluster.shards import settled
from askagain.cluster.wholefile import write_whole
from askagain.errors import ClusterError, UnreachableError
from askagain.mining.listing import Record, pair_record
from askagain.mining.pairs import likely_matches
from askagain.question import Question
from askagain.sources.base import Progress, no_progress

_QUESTIONS_IN_A_PART: Final = 500
# So few are searched for before others write again.
_QUESTIONS_AT_ONCE: Final = 25
_TRIES: Final = 60
_SECONDS_BETWEEN_TRIES: Final = 1.0
_SECONDS_TO_SETTLE: Final = 120.0


Result = TypeVar("Result")
Numbered = tuple[int, Question]


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker must know."""

    cluster: str
    generation: int
    application: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Part:
    """The questions of a shard with numbers above the first and up to the last."""

    shard: int
    after: int
    last: int
    questions: int

    @property
    def name(self) -> str:
        """Of its file."""
        return f"shard-{self.shard:04}-{self.after:012}-{self.last:012}.jsonl"


def mine(
    folder: ClusterFolder,
    engine: ShardedEngine,
    application: str,
    parts: Path,
    seconds: float,
    progress: Progress = no_progress,
) -> list[Path]:
    """The likely pairs of all questions, a file for each part; parts that are there are not done again.

    Workers ask the shards of an application, which are those of the engine. `progress` is called with
    (questions searched for, questions in all).
    """
    parts.mkdir(parents=True, exist_ok=True)
    job = Job(str(folder.path.resolve()), engine.generation.number, application, seconds)
    every = settled(lambda: parts_of(engine))
    total = sum(part.questions for part in every)
    left = [part for part in every if not (parts / part.name).exists()]
    done = total - sum(part.questions for part in left)
    for part, outcome in results(mine_part, job, left):
        if isinstance(outcome, Failed):
            raise ClusterError(f"{part.name} could not be searched for: {outcome.reason}; run it again")
        write_whole(parts / part.name, outcome)
        done += part.questions
        progress(done, total)
    return [parts / part.name for part in every]


def parts_of(engine: ShardedEngine) -> list[Part]:
    """All questions of all shards, part by part."""
    engine.shards.catch_up()
    ends = engine.shards.ask_all(Call("part_ends", (_QUESTIONS_IN_A_PART,)))
    if len(ends) < engine.shards.count:
        raise UnreachableError("not all shards can be reached: try again later")
    return [
        Part(shard, after, last, questions)
        for shard, some in ends.items()
        for after, (last, questions) in zip([0, *(last for last, _ in some)], some, strict=False)
    ]


def mine_part(job: Job, part: Part) -> bytes:
    """The work of one task: the lines of its file."""
    return b"".join(line_of(record) for record in records_of(_engine(job), part))


def line_of(record: Record) -> bytes:
    """As a part's file has it."""
    return json.dumps(record, ensure_ascii=True, allow_nan=False).encode() + b"\n"


@lru_cache(maxsize=1)
def _engine(job: Job) -> ShardedEngine:
    """One for all tasks of a process."""
    from askagain.cluster.far import reached

    folder = ClusterFolder.open(Path(job.cluster))
    generation = folder.generation(job.generation)
    return ShardedEngine(folder, generation, reached(folder, generation, job.seconds, job.application))


def records_of(engine: ShardedEngine, part: Part) -> Iterator[Record]:
    """The likely pairs of the questions of a part; some questions after the other, each at one position."""
    asked = _complete(engine, lambda: _questions_of(engine, part))
    for first in range(0, len(asked), _QUESTIONS_AT_ONCE):
        some = asked[first : first + _QUESTIONS_AT_ONCE]
        yield from _complete(engine, partial(_records, engine, some))


def _complete(engine: ShardedEngine, work: Callable[[], Result]) -> Result:
    """What the work gives when no shard is missing; shards come back."""

    def at_one_position() -> Result:
        with engine.shards.at_one_position():
            return work()

    for _ in range(_TRIES):
        found = settled(at_one_position, time.monotonic() + _SECONDS_TO_SETTLE)
        if not engine.shards.missing:
            return found
        time.sleep(_SECONDS_BETWEEN_TRIES)
    raise UnreachableError(f"shards {sorted(engine.shards.missing)} cannot be reached: run it again later")


def _questions_of(engine: ShardedEngine, part: Part) -> list[Numbered]:
    answers = engine.shards.ask({part.shard: Call("some", (part.after, part.questions))})
    return [(number, question) for number, question in answers.get(part.shard, []) if number <= part.last]


def _records(engine: ShardedEngine, asked: Sequence[Numbered]) -> list[Record]:
    found = likely_matches(engine.engine.ranker, [question for _, question in asked])
    ids = {match.id for matches in found for match in matches}
    archive = engine.engine.archive
    numbers, questions = archive.numbers(ids), archive.get_many(ids)
    records = []
    for (number, question), matches in zip(asked, found, strict=True):
        for match in matches:
            if match.id not in numbers:
                continue
            pair = sorted([(number, question), (numbers[match.id], questions[match.id])], key=_number)
            told = pair_record(engine.engine, pair[0][1], pair[1][1], match.probability)
            records.append({**told, "numbers": [pair[0][0], pair[1][0]]})
    return records


def _number(numbered: Numbered) -> int:
    return numbered[0]
