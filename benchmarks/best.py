"""How good is the default system? Its tables beside its components', its probabilities, and what marks bring.

python benchmarks/best.py [--parts quality-titles calibration-english ablation-bodies …] [--dev]
                          [--systems best best-transformer] [--work results]

Systems learn from train splits; cooking and english have none, so there they are as they ship. Test splits
are looked at by the last call only; with --dev the dev splits take their place. Models are kept in the folder
--work, and so are the run files of SemEval's test2017, which has no labels here. Prints Markdown.
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
from askagain.cli.fusing import fused_trained_on
from askagain.evaluating import Run, benchmark_views, run_all
from askagain.evaluation.benchmarks import RetrievalBenchmark, load
from askagain.evaluation.protocols import RerankingRun, run_retrieval
from askagain.evaluation.results import report
from askagain.evaluation.runs import write_run
from askagain.fusion.encoders import shares_of, taught_encoders
from askagain.fusion.examples import Asked, asked_in, searched_examples
from askagain.fusion.fitting import fit_judge
from askagain.fusion.folder import load_fused
from askagain.fusion.gathering import Gatherer
from askagain.fusion.judge import FusedJudge
from askagain.fusion.kernels.alignment import ALIGNMENT_SIGNALS
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.fusion.signals import OF_LISTS
from askagain.fusion.wordsignals import WORD_SIGNALS
from askagain.models import default_folder
from askagain.question import Match, Question
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import mean_average_precision
from askagain.systems import FUSED_SYSTEMS, load_system
from askagain.training.data import TrainingData
from askagain.training.sets import from_set

REPOSITORY = Path(__file__).parent.parent
DATA = Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data"))
SEED = 0
TITLE: tuple[str, ...] = ("title",)
BOTH: tuple[str, ...] = ("title", "body")
MARKS = (0, 50, 500, 5000)
DRAWS = 5
DEV = "dev"
SEMEVAL, UNLABELLED = "semeval", "test2017"
QUERIES_ELSEWHERE = 1500

TITLES = {
    "quality": "quality",
    "calibration": "probabilities",
    "ablation": "what each kind of signal brings",
    "more": "what more encoders and measures of pairs would bring",
    "growth": "what marks bring",
}


@dataclass(frozen=True)
class Table:
    """A set with its fields and the split to measure on; without a train split nothing is learned from it."""

    title: str
    set: str
    fields: tuple[str, ...]
    split: str = "test"
    learns: bool = True


ELSEWHERE = Table("quora", "quora", TITLE)
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
    """The fused systems and their components; vectors that several of them have are made once."""
    benchmark = load(DATA / table.set, table.split, table.fields)
    assert isinstance(benchmark, RetrievalBenchmark)
    models = {name: model_of(table, fused(name), work) for name in names}
    log(f"{table.title}: searching")
    every = [load_system(name) for name in ("bm25", *_components(names), *names)]
    runs: list[Run] = run_all(every, benchmark, models=models)
    with benchmark_views(benchmark) as views:
        gatherer = gatherer_of(fused("best"), views, {})
        ranks = run_retrieval(ReciprocalRanks("bm25 + shipped", gatherer), benchmark)
    before = len(every) - len(names)
    return report([*runs[:before], ranks, *runs[before:]]).to_markdown()


def _components(names: Sequence[str]) -> list[str]:
    return sorted({encoder for name in names for encoder in fused(name).fusion.encoders})


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
    return "\n\n".join(_without_each(table, fused(name), work) for name in names)


def _without_each(table: Table, system: FusedSystem, work: Path) -> str:
    learned, measured, signals = _learned_and_measured(table, system, work)
    every = _reached(system, learned, measured, signals, signals)
    lines = [f"| {system.name}: signals | MAP without | MAP alone |", "|---|---|---|"]
    lines.append(f"| all {len(signals)} | | {every:.2f} |")
    for kind, belongs in SIGNALS.items():
        own = [name for name in signals if belongs(name)]
        if own:
            rest = [name for name in signals if not belongs(name)]
            without, alone = (_reached(system, learned, measured, signals, some) for some in (rest, own))
            lines.append(f"| {kind} ({len(own)}) | {without:.2f} | {alone:.2f} |")
    return "\n".join(lines)


def more(table: Table, names: Sequence[str], work: Path) -> str:
    """The same with what can join the default system besides."""
    lines = ["| best, with | MAP | signals |", "|---|---|---|"]
    for what, settings in MORE.items():
        system = fused("best").with_parameters(settings)
        learned, measured, signals = _learned_and_measured(table, system, work)
        reached = _reached(system, learned, measured, signals, signals)
        lines.append(f"| {what} | {reached:.2f} | {len(signals)} |")
        log(lines[-1])
    return "\n".join(lines)


def _learned_and_measured(
    table: Table, system: FusedSystem, work: Path
) -> tuple[Examples, Examples, Sequence[str]]:
    """What teaches the judge, and what the judge is measured with, by signals of these names.

    Sentence encoders are as they come. Encoders of the forum learn from a share of the marks, and all judges
    of a table from the rest.
    """
    data = from_set(DATA / table.set, table.fields, SEED)
    folder = work / "models" / f"{table.set}-{system.name}"
    as_they_come = replace(system, fusion=replace(system.fusion, tuned=False))
    _, encoders = taught_encoders(as_they_come, data, folder, SEED, lambda epoch: None, lambda *done: None)
    _, of_judge = shares_of(data, SEED)
    with benchmark_views(load(DATA / table.set, table.split, table.fields)) as views:
        gatherer = gatherer_of(system, views, encoders)
        asked = asked_in(of_judge, (), system.learning.queries, SEED)
        learned = searched_examples(gatherer, asked)
        return learned, examples_of(table, table.split, gatherer), gatherer.signals.names


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
    """MAP over what a search returns for the split's questions, after learning from some marks.

    What ships has learned from this forum's train split, so that here quora alone is what was learned before.
    """
    system = fused("best")
    data = from_set(DATA / table.set, table.fields, SEED)
    before = judge_of(system, ELSEWHERE)
    with benchmark_views(load(DATA / table.set, table.split, table.fields)) as views:
        gatherer = gatherer_of(system, views, {})
        measured = examples_of(table, table.split, gatherer)
        lines = ["| marks | MAP | least and most | chosen |", "|---|---|---|---|"]
        sizes = [*(marks for marks in MARKS if marks < len(data.pairs)), len(data.pairs)]
        for marks in sizes:
            lines.append(_grown(system, data, gatherer, measured, marks, before))
            log(lines[-1])
    return "\n".join(lines)


def judge_of(system: FusedSystem, table: Table) -> FusedJudge:
    """What a set's train split teaches."""
    data = from_set(DATA / table.set, table.fields, SEED)
    with benchmark_views(load(DATA / table.set, "train", table.fields)) as views:
        gatherer = gatherer_of(system, views, {})
        examples = searched_examples(gatherer, asked_in(data, (), QUERIES_ELSEWHERE, SEED))
    learning = replace(system.learning, methods=("logistic",))
    return fit_judge(examples, gatherer.signals.names, learning, None, SEED).judge


def _grown(
    system: FusedSystem,
    data: TrainingData,
    gatherer: Gatherer,
    measured: Examples,
    marks: int,
    before: FusedJudge,
) -> str:
    """Some draws of so many marks; with none or all of them one is enough."""
    reached, chosen = [], []
    for seed in range(DRAWS if 0 < marks < len(data.pairs) else 1):
        drawn = np.random.default_rng(seed).permutation(len(data.pairs))[:marks]
        some = replace(data, pairs=data.pairs[drawn])
        examples = searched_examples(gatherer, asked_in(some, (), system.learning.queries, seed))
        fitted = fit_judge(examples, gatherer.signals.names, system.learning, before, seed)
        reached.append(100 * mean_average_precision(fitted.judge.scores(measured.features), measured))
        chosen.append(fitted.choice.name if fitted.choice else "as before")
    spread = f"{min(reached):.2f}–{max(reached):.2f}" if len(reached) > 1 else ""
    return f"| {marks:,} | {np.mean(reached):.2f} | {spread} | {', '.join(sorted(set(chosen)))} |"


def semeval(split: str, names: Sequence[str], work: Path) -> str:
    """SemEval's lists; for the split without labels, run files and nothing to show."""
    benchmark = load(DATA / SEMEVAL, split, BOTH)
    runs: list[Run] = []
    for name in names:
        log(f"semeval, {split}: {name}")
        model = fused_trained_on(
            fused(name), DATA / SEMEVAL, BOTH, SEED, work / "models", lambda *done: None,
            with_dev=split != DEV,
        )  # fmt: skip
        assert model is not None
        runs += run_all([fused(name)], benchmark, models={name: model})
    if split == UNLABELLED:
        return _written(runs, work / "runs")
    components = [load_system(name) for name in _components(names)]
    return report([*run_all(["given", *components], benchmark), *runs]).to_markdown()


def _written(runs: Sequence[Run], folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        assert isinstance(run, RerankingRun)
        write_run(run, folder / f"{UNLABELLED}-{run.system}.pred")
    return "Run files: " + ", ".join(f"`{UNLABELLED}-{run.system}.pred`" for run in runs) + "."


SIGNALS: dict[str, Callable[[str], bool]] = {
    "cosine of the encoder that ships": lambda name: name.startswith("shipped"),
    "cosine of the sentence encoder": lambda name: name.startswith("minilm"),
    "lexical scores": lambda name: name.startswith(("bm25", "tfidf")),
    "the place among the candidates": lambda name: name.endswith(OF_LISTS),
    "shared words": lambda name: name in WORD_SIGNALS,
    "aligned words": lambda name: name in ALIGNMENT_SIGNALS,
}

MORE: dict[str, dict[str, str]] = {
    "nothing else": {},
    "bow-cnn": {"fusion.encoders": "shipped+bow-cnn"},
    "rcnn": {"fusion.encoders": "shipped+rcnn"},
    "measures of strings and overlap": {"fusion.features": "strings+overlap"},
}

KINDS: dict[str, Callable[[Table, Sequence[str], Path], str]] = {
    "quality": quality,
    "calibration": calibration,
    "ablation": ablation,
    "more": more,
    "growth": growth,
}
WHERE: dict[str, Sequence[str]] = {
    "quality": list(TABLES),
    "calibration": list(TABLES),
    "ablation": ("titles", "bodies"),
    "more": ("bodies",),
    "growth": ("titles", "bodies"),
}
"""Learning needs a train split; measures of pairs take hours where questions are many."""

PARTS = (
    *(f"{kind}-{name}" for kind, names in WHERE.items() for name in names),
    *(f"{SEMEVAL}-{split}" for split in (DEV, "test2016", UNLABELLED)),
)


def made(part: str, names: Sequence[str], work: Path, *, dev: bool = False) -> str:
    """A part of the results, in Markdown."""
    kind, _, which = part.partition("-")
    if kind == SEMEVAL:
        title, text = f"semeval, {which}", semeval(which, names, work)
    else:
        table = TABLES[which]
        if dev and table.learns:
            table = replace(table, split=DEV)
        title, text = f"{table.title}: {TITLES[kind]}", KINDS[kind](table, names, work)
    section = f"### {title}\n\n`python benchmarks/best.py --parts {part}`\n\n{text}\n"
    log(section)
    return section


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=PARTS)
    parser.add_argument("--systems", nargs="*", choices=FUSED_SYSTEMS, default=FUSED_SYSTEMS)
    parser.add_argument("--dev", action="store_true")
    parser.add_argument("--work", type=Path, default=REPOSITORY / "results")
    options = parser.parse_args()
    for part in options.parts:
        print(made(part, options.systems, options.work, dev=options.dev), flush=True)


if __name__ == "__main__":
    main()
