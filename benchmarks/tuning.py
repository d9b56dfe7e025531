"""Chooses a similarity's parameters on a dev split: every setting of a small grid, by MRR@10."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from askagain.analysis import AnalyzerSettings
from askagain.evaluation.benchmarks import RetrievalBenchmark
from askagain.lexical.index import Scoring
from askagain.lexical.recipe import LexicalSystem
from askagain.lexical.similarities import similarity
from askagain.views import Views

TOP = 10
LENGTHS = [
    {"normalisation": "h1", "parameter": c} for c in (1.0, 4.0)
] + [
    {"normalisation": "h2", "parameter": c} for c in (0.5, 1.0, 2.0, 5.0, 10.0)
] + [
    {"normalisation": "z", "parameter": z} for z in (0.1, 0.2, 0.3)
] + [{"normalisation": "h3", "parameter": mu} for mu in (20.0, 100.0, 800.0)]  # fmt: skip

GRIDS: Mapping[str, list[dict[str, Any]]] = {
    "tfidf": [{}],
    "bm25": [
        {"k1": k1, "b": b} for k1, b in product((0.2, 0.4, 0.8, 1.2, 2.0, 3.0), (0.0, 0.25, 0.5, 0.75, 1.0))
    ],
    "ib": [
        {"distribution": distribution, "rate": rate, **length}
        for distribution, rate, length in product(("ll", "spl"), ("df", "ttf"), LENGTHS)
    ],
    "dfr": [
        {"basic_model": model, "after_effect": effect, **length}
        for model, effect, length in product(("g", "if", "in", "ine"), ("l", "b"), LENGTHS)
    ],
    "lmd": [{"mu": mu} for mu in (5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0)],
    "lmj": [{"smoothing": share} for share in (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)],
}
FIELDS = [{"title": 1.0, "body": weight} for weight in (0.25, 0.5, 1.0, 2.0)] + [{"text": 1.0}]
ANALYZERS = [
    AnalyzerSettings(stop_words=stop, ngrams=ngrams)
    for stop, ngrams in product(("none", "english"), (1, 2, 3))
]


def variants(system: LexicalSystem, fields: tuple[str, ...]) -> Iterator[LexicalSystem]:
    """Every setting to be tried: parameters and field weights; for TF-IDF, which has none, analyzers."""
    weights = FIELDS if "body" in fields else [{"title": 1.0}]
    analyzers = ANALYZERS if system.name == "tfidf" else [system.analyzer]
    for parameters, weight, analyzer in product(GRIDS[system.name], weights, analyzers):
        yield replace(system.with_parameters(parameters), fields=weight, analyzer=analyzer)


def tuned(system: LexicalSystem, dev: RetrievalBenchmark, views: Views) -> LexicalSystem:
    """The variant with the best MRR@10 on the dev split; the first of equals."""
    return max(variants(system, dev.fields), key=lambda variant: reciprocal_rank(variant, dev, views))


def reciprocal_rank(system: LexicalSystem, benchmark: RetrievalBenchmark, views: Views) -> float:
    """MRR@10, straight from the index, all queries at once."""
    view = views.lexical(tuple(system.fields), system.analyzer)
    parameters = {name: value for name, value in system.similarity.items() if name != "name"}
    scoring = Scoring(similarity(system.similarity["name"], parameters), tuple(system.fields.values()))
    queries = [view.query_terms(benchmark.by_id[query.id]) for query in benchmark.queries]
    numbers = views.archive.numbers([question.id for question in benchmark.questions])
    ranks = []
    for query, hits in zip(benchmark.queries, view.index.search(queries, scoring, TOP + 1), strict=True):
        found = [number for number in hits.numbers.tolist() if number != numbers[query.id]][:TOP]
        relevant = {numbers[other] for other in benchmark.relevant[query.id]}
        ranks.append(next((1 / rank for rank, number in enumerate(found, 1) if number in relevant), 0.0))
    return float(np.mean(ranks))


def described(system: LexicalSystem) -> str:
    """The settings in short."""
    parts = [f"{name} {value}" for name, value in system.similarity.items() if name != "name"]
    if set(system.fields) != {"title"}:
        parts += ["one field" if "text" in system.fields else f"body × {system.fields['body']:g}"]
    if system.name == "tfidf":
        parts += [f"stop words {system.analyzer.stop_words}", f"n-grams up to {system.analyzer.ngrams}"]
    return ", ".join(parts) or "no parameters"
