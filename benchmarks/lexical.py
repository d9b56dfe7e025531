"""How fast is a lexical search? BM25, top 10, one thread, beside bm25s, tantivy and Lucene in the same run.

python benchmarks/lexical.py [--questions 1000000] [--queries 500] [--rounds 3] [--json]

Every engine gets the same terms (askagain's default analyzer) in one field. Three collections: the titles of
askubuntu-titles with title queries; cooking with titles and bodies, queries as long as questions; a million
titles resampled from askubuntu-titles (see resample.py), with the real titles as queries. Engines take turns,
round by round, so that a busy machine slows all of them alike; the best round of each counts.

`batch` hands all queries over at once, where an engine has a way for that; `one by one` is a call per query.
A ratio compares us with the best peer; above 1 means that we are faster, or smaller. The index's size counts
its arrays and its vocabulary in memory for askagain and bm25s, and its files for tantivy and Lucene, which
compress them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from askagain.analysis import Analyzer
from askagain.lexical.index import LexicalIndex, Scoring
from askagain.lexical.similarities import Bm25
from askagain.question import Question
from cases import OURS, Case, best_seconds, render
from peers import K1, PEERS, B, Peer, Tokens
from resample import real_questions, resample

TOP = 10
FASTEST = [peer.name for peer in PEERS if peer.name != "lucene"]


class Askagain(Peer):
    """Our index, over one field."""

    name = OURS
    SCORING = Scoring(Bm25(k1=K1, b=B), (1.0,))

    @staticmethod
    def missing() -> str | None:
        """Nothing."""
        return None

    def build(self, documents: list[list[str]]) -> None:
        """Indexes the documents in one segment."""
        start = time.perf_counter()
        self._index = LexicalIndex(["text"])
        self._index.add((number, (terms,)) for number, terms in enumerate(documents))
        self._index.compact()
        self.build_seconds = time.perf_counter() - start

    def search_many(self, queries: Sequence[Tokens], k: int) -> list[list[int]]:
        """One compiled loop over all queries."""
        return [hits.numbers.tolist() for hits in self._index.search(queries, self.SCORING, k)]

    def memory_bytes(self) -> int:
        """All arrays, statistics included, and the vocabulary's dictionary with its strings."""
        statistics = sum(array.nbytes for array in self._index.statistics.arrays)
        arrays = sum(
            array.nbytes
            for segment in self._index.segments
            for array in (*segment.documents, *segment.postings, segment.alive)
        )
        vocabulary = self._index.vocabulary
        return arrays + statistics + sys.getsizeof(vocabulary) + sum(map(sys.getsizeof, vocabulary))


def terms_of(questions: Iterable[Question], *, bodies: bool) -> list[list[str]]:
    analyzer = Analyzer()
    return [analyzer.terms(q.title) + (analyzer.terms(q.body) if bodies else []) for q in questions]


def best_rates(
    engines: Sequence[Peer], run: Callable[[Peer], object], queries: int, rounds: int
) -> dict[str, float]:
    """Queries per second of each engine's best round."""
    seconds = best_seconds({engine.name: partial(run, engine) for engine in engines}, rounds)
    return {name: queries / best for name, best in seconds.items()}


def measure(name: str, documents: list[list[str]], queries: list[list[str]], rounds: int) -> list[Case]:
    """Speed of search and of building, and size, on one collection."""
    engines = [Askagain(), *(peer() for peer in PEERS if peer.missing() is None)]
    engines[0].build(documents[:100])  # so that no compilation is in the time of the real build
    for engine in engines:
        engine.build(documents)
    agreement = agreement_of(engines, queries)
    print(f"{name}: top {TOP} shared with ours: {agreement}", file=sys.stderr)
    batch = best_rates(engines, lambda engine: engine.search_many(queries, TOP), len(queries), rounds)
    single = best_rates(
        engines, lambda engine: [engine.search(query, TOP) for query in queries], len(queries), rounds
    )
    return [
        Case(f"{name}: batch", "queries/s", batch),
        Case(f"{name}: one by one", "queries/s", single),
        Case(f"{name}: building", "s", {engine.name: engine.build_seconds for engine in engines}),
        Case(f"{name}: size", "MB", {engine.name: engine.memory_bytes() / 1e6 for engine in engines}),
    ]


def agreement_of(engines: Sequence[Peer], queries: Sequence[Tokens]) -> str:
    """How much of our top k each peer finds too; ties at the cut make it a little less than all."""
    ours, *others = [engine.search_many(queries[:200], TOP) for engine in engines]
    shares = [
        np.mean([len(set(a) & set(b)) / max(1, len(a)) for a, b in zip(ours, other, strict=True)])
        for other in others
    ]
    return ", ".join(f"{engine.name} {share:.1%}" for engine, share in zip(engines[1:], shares, strict=True))


def growth(documents: list[list[str]], queries: list[list[str]], rounds: int) -> Case:
    """How our time per query grows when the collection is ten times as large."""
    rates = []
    for size in (len(documents) // 10, len(documents)):
        engine = Askagain()
        engine.build(documents[:size])
        run = best_rates([engine], lambda one: one.search_many(queries, TOP), len(queries), rounds)
        rates.append(run[OURS])
    return Case("ten times as many questions: time per query grows", "×", {OURS: rates[0] / rates[1]})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--questions", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    chance = random.Random(options.seed)

    titles = terms_of(real_questions("askubuntu-titles"), bodies=False)
    title_queries = chance.sample(titles, options.queries)
    cases = measure("askubuntu-titles, titles", titles, title_queries, options.rounds)
    texts = terms_of(real_questions("cooking"), bodies=True)
    cases += measure("cooking, title + body", texts, chance.sample(texts, options.queries), options.rounds)
    million = resample(real_questions("askubuntu-titles"), options.questions, options.seed)
    many = terms_of(million, bodies=False)
    cases += measure(f"{options.questions:,} titles", many, title_queries, options.rounds)
    cases.append(growth(many, title_queries, options.rounds))

    if options.json:
        print(json.dumps({"cases": [case.to_json() for case in cases]}))
    else:
        print(render(cases, [FASTEST, ["lucene"]]))


if __name__ == "__main__":
    main()
