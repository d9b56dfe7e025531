"""How good is the default system? Its tables beside its components', its probabilities, and what marks bring.

python benchmarks/best.py [--tables titles bodies cooking english] [--dev] [--transformer] [--work results]
                          [--kinds quality calibration growth ablation]

Systems learn from train splits; cooking and english have none, so there `best` is as it ships. Test splits
are looked at by the last call only; with --dev the dev splits take their place. Models are kept in the folder
--work. Prints Markdown.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from askagain.calibration.summary import CalibrationReport, report_of
from askagain.cli.fusing import fused_trained_on, shipped_judge
from askagain.evaluating import Run, benchmark_views, run_all
from askagain.evaluation.benchmarks import RetrievalBenchmark, load
from askagain.evaluation.protocols import run_retrieval
from askagain.evaluation.results import report
from askagain.fusion.examples import Asked, asked_in, searched_examples
from askagain.fusion.fitting import fit_judge
from askagain.fusion.folder import load_fused
from askagain.fusion.gathering import Gatherer
from askagain.fusion.kernels.alignment import ALIGNMENT_SIGNALS
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.fusion.wordsignals import WORD_SIGNALS
from askagain.models import default_folder
from askagain.question import Match, Question
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import mean_average_precision
from askagain.systems import load_system
from askagain.training.data import TrainingData
from askagain.training.sets import from_set

REPOSITORY = Path(__file__).parent.parent
DATA = Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data"))
SEED = 0
TITLE: tuple[str, ...] = ("title",)
BOTH: tuple[str, ...] = ("title", "body")
MARKS = (0, 50, 500, 5000)
BOTH_SYSTEMS = ("best", "best-transformer")
DEV = "dev"


@dataclass(frozen=True)
class Table:
    """A set with its fields and the split to measure on; without a train split nothing is learned from it."""

    title: str
    set: str
    fields: tuple[str, ...]
    split: str = "test"
    learns: bool = True


TABLES = {
    "titles": Table("askubuntu-titles", "askubuntu-titles", TITLE),
    "bodies": Table("askubuntu-bodies, title + body", "askubuntu-bodies", BOTH),
    "cooking": Table("cooking, title + body, nothing learned from it", "cooking", BOTH, "all", learns=False),
    "english": Table("english, title + body, nothing learned from it", "english", BOTH, "all", learns=False),
}


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class ReciprocalRanks:
    """BM25 and the encoders of a fused system without anything learned: by the sum of reciprocal ranks."""

    def __init__(self, name: str, gatherer: Gatherer) -> None:
        self.name = name
        self._gatherer = gatherer

    def search(self, question: Question, k: int = 10) -> list[Match]:
        """The k best."""
        found = self._gatherer.candidates(question, k)[:k]
        return [replace(match, score=1 / rank) for rank, match in enumerate(found, start=1)]


def fused(name: str) -> FusedSystem:
    system = load_system(name)
    assert isinstance(system, FusedSystem)
    return system


def model_of(table: Table, system: FusedSystem, work: Path) -> Path:
    """What the system has learned from the set's train split, or before."""
    trained = None
    if table.learns:
        trained = fused_trained_on(
            system, DATA / table.set, table.fields, SEED, work / "models", lambda *done: None
        )
    return trained or default_folder(system)


def quality(table: Table, names: Sequence[str], work: Path) -> str:
    """The fused systems and their components."""
    benchmark = load(DATA / table.set, table.split, table.fields)
    assert isinstance(benchmark, RetrievalBenchmark)
    components = sorted({encoder for name in names for encoder in fused(name).fusion.encoders})
    runs: list[Run] = run_all([load_system(name) for name in ("bm25", *components)], benchmark)
    with benchmark_views(benchmark) as views:
        gatherer = gatherer_of(fused("best"), views, {})
        runs.append(run_retrieval(ReciprocalRanks("bm25 + shipped", gatherer), benchmark))
    models = {name: model_of(table, fused(name), work) for name in names}
    for name in names:
        log(f"{table.title}: {name}")
        runs += run_all([fused(name)], benchmark, models=models)
    return report(runs).to_markdown()


def examples_of(table: Table, split: str, gatherer: Gatherer) -> Examples:
    """What a search returns for the questions of a split, with the marks as labels."""
    benchmark = load(DATA / table.set, split, table.fields)
    assert isinstance(benchmark, RetrievalBenchmark)
    by_id = {question.id: question for question in benchmark.questions}
    asked = [
        Asked(by_id[id_], frozenset(found), frozenset(), number)
        for number, (id_, found) in enumerate(benchmark.relevant.items())
    ]
    return searched_examples(gatherer, asked)


def calibration(table: Table, names: Sequence[str], work: Path) -> str:
    """Do the probabilities mean what they say?"""
    benchmark = load(DATA / table.set, table.split, table.fields)
    lines = [
        "| system | pairs | duplicates | ECE | average precision | threshold | precision | recall |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in names:
        learned = load_fused(model_of(table, fused(name), work))
        with benchmark_views(benchmark) as views:
            examples = examples_of(table, table.split, gatherer_of(learned.system, views, learned.encoders))
        lines.append(
            _row(
                name,
                report_of(
                    learned.judge.calibration, learned.judge.scores(examples.features), examples.labels
                ),
            )
        )
    return "\n".join(lines)


def _row(name: str, made: CalibrationReport) -> str:
    precision = made.at_threshold.precision
    shown = (
        "nothing shown" if precision is None else f"{100 * precision:.1f} ({made.at_threshold.shown} shown)"
    )
    return (
        f"| {name} | {made.pairs:,} | {made.duplicates:,} | {made.calibration_error:.4f} | "
        f"{100 * made.average_precision:.1f} | {made.calibration.threshold:.3f} | {shown} | "
        f"{100 * made.at_threshold.recall:.1f} |"
    )


def ablation(table: Table, names: Sequence[str], work: Path) -> str:
    """MAP over what a search returns for the split's questions, learned without some kind of signal."""
    system = fused(names[0])
    with benchmark_views(load(DATA / table.set, table.split, table.fields)) as views:
        gatherer = gatherer_of(system, views, {})
        data = from_set(DATA / table.set, table.fields, SEED)
        learned = searched_examples(gatherer, asked_in(data, (), system.learning.queries, SEED))
        measured = examples_of(table, table.split, gatherer)
    signals = gatherer.signals.names
    lines = ["| signals | MAP | alone |", "|---|---|---|"]
    every = _reached(system, learned, measured, signals, signals)
    lines.append(f"| all {len(signals)} | {every:.2f} | |")
    for kind, belongs in SIGNALS.items():
        own = [name for name in signals if belongs(name)]
        rest = [name for name in signals if not belongs(name)]
        without, alone = (_reached(system, learned, measured, signals, some) for some in (rest, own))
        lines.append(f"| without {kind} ({len(own)}) | {without:.2f} | {alone:.2f} |")
    return "\n".join(lines)


def _reached(
    system: FusedSystem, learned: Examples, measured: Examples, signals: Sequence[str], some: Sequence[str]
) -> float:
    """In percent, by some of the signals."""
    columns = [signals.index(name) for name in some]
    fitted = fit_judge(
        replace(learned, features=learned.features[:, columns]), tuple(some), system.learning, None, SEED
    )
    scores = fitted.judge.scores(measured.features[:, columns])
    return 100 * mean_average_precision(scores, measured)


def growth(table: Table, names: Sequence[str], work: Path) -> str:
    """MAP over what a search returns for the split's questions, after learning from some marks."""
    system = fused(names[0])
    data = from_set(DATA / table.set, table.fields, SEED)
    with benchmark_views(load(DATA / table.set, table.split, table.fields)) as views:
        gatherer = gatherer_of(system, views, {})
        measured = examples_of(table, table.split, gatherer)
        lines = ["| marks | MAP | chosen |", "|---|---|---|"]
        sizes = [*(marks for marks in MARKS if marks < len(data.pairs)), len(data.pairs)]
        lines += [_grown(system, data, gatherer, measured, marks) for marks in sizes]
    return "\n".join(lines)


def _grown(
    system: FusedSystem, data: TrainingData, gatherer: Gatherer, measured: Examples, marks: int
) -> str:
    """Some draws of so many marks; with all of them one is enough."""
    reached, chosen = [], []
    for seed in range(5 if 0 < marks < len(data.pairs) else 1):
        drawn = np.random.default_rng(seed).permutation(len(data.pairs))[:marks]
        some = replace(data, pairs=data.pairs[drawn])
        examples = searched_examples(gatherer, asked_in(some, (), system.learning.queries, seed))
        fitted = fit_judge(examples, gatherer.signals.names, system.learning, shipped_judge(system), seed)
        reached.append(100 * mean_average_precision(fitted.judge.scores(measured.features), measured))
        chosen.append(fitted.choice.name if fitted.choice else "as shipped")
    spread = f" ± {np.std(reached, ddof=1):.2f}" if len(reached) > 1 else ""
    return f"| {marks:,} | {np.mean(reached):.2f}{spread} | {', '.join(sorted(set(chosen)))} |"


SIGNALS: dict[str, Callable[[str], bool]] = {
    "the encoder's cosine": lambda name: name.startswith("shipped"),
    "lexical scores": lambda name: name.startswith(("bm25", "tfidf")),
    "the place among the candidates": lambda name: name.endswith((".behind", ".place")),
    "shared words": lambda name: name in WORD_SIGNALS,
    "aligned words": lambda name: name in ALIGNMENT_SIGNALS,
}

KINDS: dict[str, Callable[[Table, Sequence[str], Path], str]] = {
    "quality": quality,
    "calibration": calibration,
    "growth": growth,
    "ablation": ablation,
}


def made(
    kinds: Sequence[str], tables: Sequence[str], names: Sequence[str], work: Path, *, dev: bool = False
) -> str:
    """Some kinds of tables for some sets, in Markdown."""
    sections = []
    for kind in kinds:
        for name in tables:
            table = TABLES[name]
            if kind in ("growth", "ablation") and not table.learns:
                continue
            if dev and table.learns:
                table = replace(table, split=DEV)
            sections.append(f"### {table.title}: {kind}\n\n{KINDS[kind](table, names, work)}\n")
            log(sections[-1])
    return "\n".join(sections)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", nargs="*", choices=TABLES, default=list(TABLES))
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=list(KINDS))
    parser.add_argument("--dev", action="store_true")
    parser.add_argument("--transformer", action="store_true")
    parser.add_argument("--work", type=Path, default=REPOSITORY / "results")
    options = parser.parse_args()
    names = BOTH_SYSTEMS if options.transformer else BOTH_SYSTEMS[:1]
    print(made(options.kinds, options.tables, names, options.work, dev=options.dev))


if __name__ == "__main__":
    main()
