"""All shards of a generation as one: asked together, at one position of the log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from askagain.closing import Closing
from askagain.cluster.layout import ClusterFolder, Generation
from askagain.cluster.log import Entry, Write, WriteLog
from askagain.cluster.shard import Answer, Call, Change
from askagain.errors import ClusterError, UnreachableError
from askagain.lexical.index import Whole
from askagain.views import LexicalKey

SECONDS_TO_SETTLE: Final = 10.0

Result = TypeVar("Result")


class MovedOnError(ClusterError):
    """Others have written while a question was being answered: it must be asked again."""


def settled(work: Callable[[], Result], give_up_at: float | None = None) -> Result:
    """Does something again as long as others write in between, and not for ever."""
    deadline = time.monotonic() + SECONDS_TO_SETTLE if give_up_at is None else give_up_at
    while True:
        try:
            return work()
        except MovedOnError as error:
            if time.monotonic() >= deadline:
                raise UnreachableError("others write faster than this can be answered: try again") from error


class Transport(Protocol):
    """How shards are reached."""

    @property
    def shards(self) -> int:
        """How many there are."""

    def ask(self, position: int, calls: Mapping[int, Sequence[Call]]) -> dict[int, Answer]:
        """Asks some of the shards at once; whoever cannot be reached has no answer."""

    def close(self) -> None:
        """Let go of the shards."""


class StatisticsKeeper(Protocol):
    """Whoever must know how the statistics of the whole have changed."""

    def begin(self, parts: Iterable[dict[LexicalKey, Whole]]) -> None:
        """The statistics of all shards, in place of all that was known."""

    def follow(self, change: Change) -> None:
        """A change of one shard."""


@dataclass
class _Together:
    """Calls that go out together, and what came back."""

    calls: list[Call] = field(default_factory=list)
    answers: dict[int, tuple[Any, ...]] | None = None


class Shards(Closing):
    """Asks shards, and keeps track of where they stand and of who was missing.

    One thread at a time may use it.
    """

    def __init__(self, transport: Transport, log: WriteLog, position: int, next_number: int) -> None:
        self._transport = transport
        self._log = log
        self.position = position
        self._next_number = next_number
        self._known: dict[int, int] = {}
        self._keepers: list[StatisticsKeeper] = []
        self.missing: set[int] = set()
        self._together = _Together()
        self._stays = False

    @property
    def count(self) -> int:
        """How many shards there are."""
        return self._transport.shards

    def close(self) -> None:
        """Let go of the shards."""
        self._transport.close()

    def tell(self, keeper: StatisticsKeeper) -> None:
        """From now on the keeper is told of all changes; it begins with all statistics."""
        self._keepers.append(keeper)
        self._known.clear()

    # Asking

    def ask_all(self, call: Call) -> dict[int, Any]:
        """What each shard says; whoever is missing is noted. Calls that wait go out with this one."""
        return self.ask_later(call)()

    def ask_later(self, call: Call) -> Callable[[], dict[int, Any]]:
        """The same, to be called for: calls that wait go out together when the first of them is wanted."""
        together = self._together
        together.calls.append(call)
        place = len(together.calls) - 1

        def answers() -> dict[int, Any]:
            if together.answers is None:
                self._together = _Together()
                together.answers = self._asked(dict.fromkeys(range(self.count), together.calls))
            return {shard: results[place] for shard, results in together.answers.items()}

        return answers

    def begin_anew(self) -> None:
        """Before a search: nothing waits, and nobody is missing yet."""
        self.missing.clear()
        self._together = _Together()

    @contextmanager
    def at_one_position(self) -> Iterator[None]:
        """For a search: it begins at the end of the log, and stays there whatever others write."""
        self.begin_anew()
        self.catch_up()
        self._stays = True
        try:
            yield
        finally:
            self._stays = False

    def ask(self, calls: Mapping[int, Call]) -> dict[int, Any]:
        """What some shards say to one call each."""
        asked = {shard: [call] for shard, call in calls.items()}
        return {shard: results[0] for shard, results in self._asked(asked).items()}

    def _asked(self, calls: Mapping[int, Sequence[Call]]) -> dict[int, tuple[Any, ...]]:
        answers = self._transport.ask(self.position, calls)
        self.missing.update(calls.keys() - answers.keys())
        for shard, answer in answers.items():
            if answer.position != self.position:
                raise MovedOnError(
                    f"shard {shard} stands at {answer.position} and was asked at {self.position}: ask again"
                )
        return {shard: answer.results for shard, answer in answers.items()}

    # Following the log

    def catch_up(self) -> None:
        """Go to the end of the log, and learn what has changed; not in the middle of a search."""
        if self._stays:
            return
        self.position, self._next_number = self._end()
        if not self._keepers:
            return
        behind = {shard for shard in range(self.count) if self._known.get(shard) != self.position}
        if not behind:
            return
        if not self._known:
            self._begin()
            return
        calls = {shard: [Call("changes_since", (self._known.get(shard, -1),))] for shard in behind}
        answers = self._asked(calls)
        if any(changes is None for (changes,) in answers.values()):
            # One that began anew, or was away for too long, cannot tell what has changed.
            self._begin()
            return
        for shard, (changes,) in answers.items():
            for change in changes:
                for keeper in self._keepers:
                    keeper.follow(change)
            self._known[shard] = self.position

    def _begin(self) -> None:
        self._known.clear()
        parts = self._asked({shard: [Call("statistics")] for shard in range(self.count)})
        for keeper in self._keepers:
            keeper.begin(part for (part,) in parts.values())
        self._known = dict.fromkeys(parts, self.position)

    def _end(self) -> tuple[int, int]:
        end = self._log.end(self.position)
        if end == self.position:
            return self.position, self._next_number
        return end, self._log.read(end).next_number

    # Writing

    def write(self, decide: Callable[[int], Sequence[Write]], give_up_at: float | None = None) -> int:
        """Appends writes to the log; gives their position, or the present one if there are none.

        `decide` is given the next new number, and may ask the shards what is there. It is called again if
        others have written in the meantime: what it saw still holds when its writes happen. Nothing is
        written after `give_up_at`, a time of the monotonic clock: whoever waited was told that it failed.
        """

        def written() -> int:
            self.catch_up()
            writes = tuple(decide(self._next_number))
            if not writes:
                return self.position
            if give_up_at is not None and time.monotonic() >= give_up_at:
                raise UnreachableError("this took too long, and was not written: try again")
            entry = Entry(self.position + 1, self._next_number + len(writes), writes)
            if not self._log.append(entry):
                raise MovedOnError(f"another has written at position {entry.position}: ask again")
            return entry.position

        return settled(written, give_up_at)


def opened(folder: ClusterFolder, generation: Generation, transport: Transport) -> Shards:
    """The shards of a generation, at the position of its snapshot."""
    snapshot = generation.snapshot
    return Shards(transport, folder.log, snapshot.position, snapshot.next_number)
