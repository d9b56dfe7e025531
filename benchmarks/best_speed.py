"""How long does a search with the default system take? With reasons, warm, on one core.

OMP_NUM_THREADS=1 python benchmarks/best_speed.py [--million] [--json]

The peer is what people build: all-MiniLM-L6-v2 encodes the title, and numpy searches all vectors. Its vectors
of the archive are random ones, which take as long to search. --million adds an archive of a million resampled
titles.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from askagain.archive import Archive
from askagain.engine import Engine
from askagain.question import Question
from cases import OURS, Case, render
from encoder_inference import MINILM, load_minilm
from resample import real_questions, resample

SET = "askubuntu-titles"
QUERIES, WARM_UPS = 200, 50
DIMENSION = 384
MOST_PEER_ROWS = 44_142


def median_milliseconds(search: Callable[[Question], object], asked: Sequence[Question]) -> float:
    for question in asked[:WARM_UPS]:
        search(question)
    times = []
    for question in asked[WARM_UPS:]:
        start = time.perf_counter()
        search(question)
        times.append(time.perf_counter() - start)
    return 1000 * float(np.median(times))


def minilm_search(rows: int) -> Callable[[Question], object] | None:
    encode = load_minilm()
    if encode is None:
        return None
    generator = np.random.default_rng(0)
    vectors = generator.standard_normal((rows, DIMENSION), dtype=np.float32)

    def search(question: Question) -> object:
        scores = vectors @ np.asarray(encode([question]), dtype=np.float32).reshape(-1, DIMENSION)[0]
        return np.argpartition(-scores, 10)[:10]

    return search


def searching_case(name: str, questions: Sequence[Question], asked: Sequence[Question]) -> Case:
    case = Case(f"{name}: a search, with reasons", "ms")
    with tempfile.TemporaryDirectory(prefix="askagain-") as folder:
        path = Path(folder) / "forum.db"
        with Archive.open(path) as archive:
            archive.put_many(questions)
        with Engine.open(path, "best") as engine:
            case.values[OURS] = median_milliseconds(engine.search, asked)
    peer = minilm_search(len(questions)) if len(questions) <= MOST_PEER_ROWS else None
    if peer is not None:
        case.values[MINILM] = median_milliseconds(peer, asked)
    return case


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    real = real_questions(SET)
    asked = [Question(question.title) for question in resample(real, QUERIES + WARM_UPS, seed=7)]
    cases = [searching_case(f"{len(real):,} titles", real, asked)]
    if options.million:
        cases.append(searching_case("1,000,000 titles", list(resample(real, 1_000_000, seed=8)), asked))
    if options.json:
        print(json.dumps({"cases": [case.to_json() for case in cases]}))
    else:
        print(render(cases, [[MINILM]]))


if __name__ == "__main__":
    main()
