"""A parser that remembers what it has parsed, and parses what is new in several processes where that pays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Final

from askagain.rerank.keywords.cache import ParseCache, key_of
from askagain.rerank.keywords.parsing import Parse, Parser, find_parser
from askagain.sources.base import Progress, no_progress

# What one process parses before it is kept.
CHUNK: Final = 500
# A process needs some seconds to load its model: the time in which another one parses about as many.
WORTH_A_PROCESS: Final = 3_000


def cached_parser(name: str = "auto", progress: Progress = no_progress) -> CachedParser:
    """The parser of that name (see `find_parser`) with the cache of all archives."""
    return CachedParser(find_parser(name), ParseCache(), progress)


class CachedParser:
    """Asks the cache first. Progress is reported in sub-sentences that had to be parsed."""

    def __init__(self, parser: Parser, cache: ParseCache, progress: Progress = no_progress) -> None:
        self._parser = parser
        self._cache = cache
        self._progress = progress

    @property
    def name(self) -> str:
        """The name of the parser behind."""
        return self._parser.name

    @property
    def version(self) -> str:
        """The version of the parser behind."""
        return self._parser.version

    def parse(self, sub_sentences: Sequence[str]) -> list[Parse]:
        """One parse per sub-sentence, in order; each different one is parsed once."""
        keys = {text: key_of(self._parser, text) for text in sub_sentences}
        known = self._cache.get(keys.values())
        new = [text for text, key in keys.items() if key not in known]
        done = 0
        for texts, parses in self._parsed(new):
            made = {keys[text]: parse for text, parse in zip(texts, parses, strict=True)}
            self._cache.put(made)
            known.update(made)
            done += len(texts)
            self._progress(done, len(new))
        return [known[keys[text]] for text in sub_sentences]

    def _parsed(self, texts: Sequence[str]) -> Iterator[tuple[Sequence[str], list[Parse]]]:
        chunks = [texts[start : start + CHUNK] for start in range(0, len(texts), CHUNK)]
        processes = min(os.cpu_count() or 1, len(texts) // WORTH_A_PROCESS)
        done = 0
        if processes > 1:
            for chunk, parses in _in_processes(self._parser, chunks, processes):
                yield chunk, parses
                done += 1
        for chunk in chunks[done:]:
            yield chunk, self._parser.parse(chunk)


def _in_processes(
    parser: Parser, chunks: Sequence[Sequence[str]], processes: int
) -> Iterator[tuple[Sequence[str], list[Parse]]]:
    """The chunks in order, as far as processes live: in a script without a `__main__` guard they do not."""
    context = get_context("spawn")  # a forked copy of a program with threads may hang
    pool = ProcessPoolExecutor(processes, mp_context=context)
    try:
        yield from zip(chunks, pool.map(parser.parse, chunks), strict=True)
    except BrokenProcessPool:
        return
    finally:
        pool.shutdown(cancel_futures=True)
