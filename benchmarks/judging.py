"""How fast are features, parses, and systems that judge pairs?

python benchmarks/judging.py [--parts features parses systems]

Features: every measure on every field, the six lexical scores and the rank, on all pairs of SemEval's train
split. Parses: the sub-sentences of the same questions, none from the cache. Both in one thread, by the
seconds that its core has worked, since this machine is shared. Systems: each learns from train and judges
dev once, one after the other, with nothing kept from before.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

from askagain.evaluating import benchmark_views
from askagain.evaluation.benchmarks import RerankingBenchmark, load
from askagain.question import Question
from askagain.rerank.extraction import RANK, FeatureExtractor
from askagain.rerank.features.table import FEATURES
from askagain.rerank.keywords.parsing import find_parser
from askagain.rerank.keywords.subsentences import sub_sentences
from askagain.rerank.making import extractor_of
from askagain.systems import LEXICAL_SYSTEMS, PAIR_SYSTEMS
from learning import REPOSITORY, word_vectors
from semeval import FIELDS, SET, runs_of, with_vectors

SENTENCES = 5_000


def lists_of(split: str) -> RerankingBenchmark:
    benchmark = load(SET, split, FIELDS)
    assert isinstance(benchmark, RerankingBenchmark)
    return benchmark


def features() -> str:
    """Pairs per second and core, all features: with words that were never met, and with known ones."""
    benchmark = lists_of("train")
    names = [*(feature.name for feature in FEATURES), *LEXICAL_SYSTEMS, RANK]
    pairs = sum(len(list_.candidates) for list_ in benchmark.lists)
    with benchmark_views(benchmark) as views:
        extractor = extractor_of(names, views)
        extractor.matrix(Question("What is loaded once?"), [Question("Is it?")])
        new, known = (pairs / _seconds_to_extract(extractor, benchmark) for _ in range(2))
    return (
        f"{len(names)} features: {known:,.0f} pairs per second and core (bar: 300); the first time, when "
        f"each word is looked up in WordNet, {new:,.0f}"
    )


def _seconds_to_extract(extractor: FeatureExtractor, benchmark: RerankingBenchmark) -> float:
    """Texts are prepared anew each time: only some hundreds of the latest are remembered."""
    started = time.process_time()
    for list_ in benchmark.lists:
        extractor.matrix(list_.query, [entry.question for entry in list_.candidates])
    return time.process_time() - started


def parses() -> str:
    """Sub-sentences per second and core."""
    parser = find_parser()
    questions = {entry.question for list_ in lists_of("train").lists for entry in list_.candidates}
    sentences = [text for question in sorted(questions, key=str) for text in sub_sentences(question)]
    parser.parse(sentences[:10])
    started = time.process_time()
    parser.parse(sentences[:SENTENCES])
    taken = time.process_time() - started
    return (
        f"{parser.name}: {len(sentences[:SENTENCES]) / taken:,.0f} sentences per second and core (bar: 250)"
    )


def systems() -> str:
    """Minutes to train and evaluate all systems."""
    benchmark, vectors = lists_of("dev"), word_vectors(REPOSITORY / "results")
    started = time.perf_counter()
    with TemporaryDirectory() as folder:
        os.environ["ASKAGAIN_CACHE"] = folder
        for name in PAIR_SYSTEMS:
            runs_of(with_vectors(name, vectors, Path(folder)), benchmark, [0], Path(folder))
    minutes = (time.perf_counter() - started) / 60
    return f"{len(PAIR_SYSTEMS)} systems learn and judge in {minutes:.1f} minutes (bar: 20)"


PARTS = {"features": features, "parses": parses, "systems": systems}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=list(PARTS))
    for part in parser.parse_args().parts:
        print(PARTS[part](), flush=True)


if __name__ == "__main__":
    main()
