"""How good are the systems that judge pairs? SemEval's task 3B: U16 tables 2 and 3, and Q17's dev figures.

python benchmarks/semeval.py [--splits dev test2016] [--seeds 5] [--work results]

For dev they learn from train, for the test splits from train and dev. Settings were chosen by
cross-validation over the queries of train (`askagain evaluate semeval --folds 5`). Networks learn with
several seeds; their word vectors are the GloVe vectors at hand, joined with skip-gram on the text of all
sets. Models and the run files of test2017, which has no labels here, are kept in the folder --work. Prints
Markdown.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import tomli_w

from askagain.cli.judging import judge_trained_on
from askagain.evaluating import Run, run_all
from askagain.evaluation.benchmarks import Benchmark, load
from askagain.evaluation.results import report
from askagain.evaluation.runs import write_run
from askagain.rerank.recipe import MatchingSettings, PairSystem, VoteSettings
from askagain.systems import PAIR_SYSTEMS, load_system
from learning import DATA, GLOVE, REPOSITORY, SEEDS, log, word_vectors

SET = DATA / "semeval"
FIELDS: tuple[str, ...] = ("title", "body")
BASELINES = ("given", "random", "oracle")
UNLABELLED = "test2017"

PUBLISHED = {
    "dev": "MAP / AvgRec / MRR: SS1 70.06 85.95 77.33, SS2 68.96 85.58 74.00, CNN 72.71 87.86 79.33, vote "
    "73.13 88.93 80.00 (U16, accuracy 68.80, 64.60, 75.20, 72.20); SCIR-QA 70.8 87.5 77.25 (Q17)",
    "test2016": "MAP / AvgRec / MRR: SS1 71.11 85.71 81.20, SS2 72.95 88.51 82.26, CNN 73.04 87.72 82.21, "
    "vote 70.20 86.21 78.58 (U16, accuracy 70.00, 70.29, 73.43, 74.57)",
}


SPLITS = (*PUBLISHED, UNLABELLED)


def with_vectors(name: str, vectors: Path, folder: Path) -> PairSystem:
    """A system with GloVe's and other vectors of words; a vote gets members that have them, as files."""
    system = load_system(name)
    assert isinstance(system, PairSystem)
    if isinstance(system.judge, VoteSettings):
        members = [_as_file(with_vectors(member, vectors, folder), folder) for member in system.judge.members]
        return replace(system, judge=VoteSettings(members=tuple(map(str, members))))
    if not isinstance(system.judge, MatchingSettings):
        return system
    words = replace(system.judge.words, own=False, files=(str(GLOVE), str(vectors)))
    return replace(system, judge=replace(system.judge, words=words))


def _as_file(system: PairSystem, folder: Path) -> Path:
    path = folder / f"{system.name}.toml"
    path.write_text(tomli_w.dumps(system.to_table()), encoding="utf-8")
    return path


def learns_by_chance(system: PairSystem) -> bool:
    """Whether another seed makes another model."""
    return isinstance(system.judge, MatchingSettings | VoteSettings)


def runs_of(system: PairSystem, benchmark: Benchmark, seeds: Sequence[int], work: Path) -> list[Run]:
    """One run for each seed that makes a difference."""
    runs: list[Run] = []
    for seed in seeds if learns_by_chance(system) else seeds[:1]:
        started = time.perf_counter()
        folder = judge_trained_on(
            system, SET, FIELDS, seed, work / "models", lambda *done: None, with_dev=benchmark.split != "dev"
        )
        runs += run_all([system], benchmark, seed=seed, models={system.name: folder})
        log(f"{benchmark.split}: {system.name}, seed {seed}: {time.perf_counter() - started:.0f} s")
    return runs


def table(split: str, seeds: Sequence[int], work: Path) -> str:
    """Every system on a split with labels, beside the published figures."""
    benchmark = load(SET, split, FIELDS)
    runs = run_all(BASELINES, benchmark)
    for name in PAIR_SYSTEMS:
        runs += runs_of(with_vectors(name, word_vectors(work), work), benchmark, seeds, work)
    command = f"`python benchmarks/semeval.py --splits {split} --seeds {len(seeds)}`"
    learned = "train" if split == "dev" else "train and dev"
    return "\n".join([
        f"### semeval, {split}: systems that judge pairs", "",
        f"{command}; learned from {learned}.", "",
        report(runs).to_markdown(), "",
        f"Published: {PUBLISHED[split]}.", "",
    ])  # fmt: skip


def write_runs(split: str, seed: int, work: Path) -> None:
    """The run file of each system for a split whose labels are elsewhere."""
    benchmark = load(SET, split, FIELDS)
    (work / "runs").mkdir(parents=True, exist_ok=True)
    for name in PAIR_SYSTEMS:
        [run] = runs_of(with_vectors(name, word_vectors(work), work), benchmark, [seed], work)
        write_run(run, work / "runs" / f"{split}-{name}.pred")


def made(split: str, seeds: Sequence[int], work: Path) -> str:
    """A table; for the split without labels the run files, and nothing to show."""
    os.environ["ASKAGAIN_CACHE"] = str(work.resolve())
    if split == UNLABELLED:
        write_runs(split, seeds[0], work)
        return ""
    return table(split, seeds, work)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--splits", nargs="*", choices=SPLITS, default=SPLITS)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--work", type=Path, default=REPOSITORY / "results")
    options = parser.parse_args()
    for split in options.splits:
        print(made(split, range(options.seeds), options.work), flush=True)


if __name__ == "__main__":
    main()
