"""Other processes that search, too: copies of this one, which share its indexes in memory."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import NamedTuple

from askagain.closing import Closing
from askagain.engine import Engine
from askagain.forking import can_be_forked, go_on_alone
from askagain.mining.pairs import LikelyMatch, likely_matches
from askagain.question import Question

logger = logging.getLogger(__name__)


class _Helper(NamedTuple):
    """A process, and the pipe to it."""

    process: BaseProcess
    pipe: Connection


class SearchHelpers(Closing):
    """Shares the search for many questions among this process and its helpers, one for each further core.

    A helper that dies is not replaced: its share is searched for here.
    """

    def __init__(self, engine: Engine, cores: int | None = None) -> None:
        self._engine = engine
        wanted = (cores or len(os.sched_getaffinity(0))) - 1 if can_be_forked() else 0
        gc.freeze()  # what a collector does not touch stays shared
        self._helpers = [_start(engine) for _ in range(wanted)]

    def __call__(self, questions: Sequence[Question]) -> list[list[LikelyMatch]]:
        """For each question what is likely enough."""
        helpers = list(self._helpers)
        shares = len(helpers) + 1
        parts = [questions[number::shares] for number in range(shares)]
        for helper, part in zip(helpers, parts[1:], strict=True):
            with suppress(OSError):  # then there will be no answer
                helper.pipe.send(list(part))
        found = [likely_matches(self._engine.ranker, parts[0])]
        for helper, part in zip(helpers, parts[1:], strict=True):
            answer = self._answer(helper)
            found.append(likely_matches(self._engine.ranker, part) if answer is None else answer)
        return [found[place % shares][place // shares] for place in range(len(questions))]

    def _answer(self, helper: _Helper) -> list[list[LikelyMatch]] | None:
        try:
            answer: list[list[LikelyMatch]] = helper.pipe.recv()
        except (EOFError, OSError):
            logger.warning("a process that helped to search has ended: going on without it")
            self._helpers.remove(helper)
            helper.pipe.close()
            helper.process.join()
            return None
        return answer

    def close(self) -> None:
        """End the helpers."""
        for helper in self._helpers:
            helper.pipe.close()
        for helper in self._helpers:
            helper.process.join()
        gc.unfreeze()


def _start(engine: Engine) -> _Helper:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_help, args=(engine, ours, theirs), daemon=True)
    process.start()
    theirs.close()
    return _Helper(process, ours)


def _help(engine: Engine, ours: Connection, pipe: Connection) -> None:
    """Answers until the pipe is closed."""
    # Ctrl-C is for the process that was started; it ends its helpers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ours.close()
    go_on_alone()
    engine.archive.begin_anew()
    with suppress(EOFError, OSError):
        while True:
            pipe.send(likely_matches(engine.ranker, pipe.recv()))
