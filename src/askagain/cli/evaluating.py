"""`askagain evaluate`: the figures of systems on a question set."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from askagain.cli.compiling import announce_compiling
from askagain.cli.files import check_writable
from askagain.cli.judging import check_features, show_epoch
from askagain.cli.models import Models
from askagain.cli.options import AsJson, Parameters
from askagain.cli.output import print_json, remark
from askagain.cli.parameters import parsed_parameters
from askagain.cli.progress import NamedProgress, shown_progress
from askagain.encoders.recipe import EncoderSystem
from askagain.errors import OutputError, SettingsError
from askagain.lexical.recipe import LexicalSystem
from askagain.rerank.recipe import PairSystem
from askagain.systems import LEXICAL_SYSTEMS, SYSTEMS, System, load_system

if TYPE_CHECKING:
    from askagain.evaluation.benchmarks import Benchmark
    from askagain.evaluation.protocols import Run
    from askagain.evaluation.results import EvaluationReport

_GIVEN = "given"

# Which split is meant if none is named: the first of these that the set has.
_USUAL_SPLITS = ("test", "all", "dev")


def evaluate(
    set_dir: Annotated[Path, typer.Argument(metavar="SET_DIR", help="The folder of a question set.")],
    system: Annotated[
        str | None,
        typer.Option(
            metavar="S,S2,…",
            help="Systems, separated by commas: names or recipe.toml files; for given lists also "
            "given, oracle, random. Default: the six similarities.",
        ),
    ] = None,
    split: Annotated[
        str | None, typer.Option(metavar="NAME", help="The split. Default: test, else all, else dev.")
    ] = None,
    fields: Annotated[
        str, typer.Option(metavar="FIELDS", help="What systems see: title, or title,body.")
    ] = "title,body",
    parameters: Parameters = None,
    model: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The model folder of a trainable system, in place of training it."),
    ] = None,
    rerank: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=2, max=1000, help="Order each query's N best BM25 candidates, as in J16."
        ),
    ] = None,
    with_dev: Annotated[
        bool, typer.Option("--with-dev", help="Judges of pairs learn from the dev split, too.")
    ] = False,
    folds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=2,
            max=100,
            help="Cross-validate judges of pairs over the split's queries, to choose settings; the split is "
            "train if none is named.",
        ),
    ] = None,
    run: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the ranking of one system as a run file.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help='Save per-query results for "compare": one file per system.'),
    ] = None,
    json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print a LaTeX table.")] = False,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Fixes every random choice.")] = 0,
    seeds: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="Train systems that learn so often, and average.")
    ] = 1,
) -> None:
    """Measure how well systems find the marked duplicates of a question set.

    Every figure is in percent, with its 95% interval; letters tell which differences are significant.

    Example: `askagain evaluate data/english --system tfidf,bm25 --save results`

    Example: `askagain evaluate data/semeval --split dev --system bm25 --set k1=0.9`
    """
    from askagain.evaluating import reranking_of
    from askagain.evaluation.results import report

    if json + markdown + latex > 1:
        raise SettingsError("choose one of --json, --markdown and --latex")
    if with_dev and split == "dev":
        raise SettingsError("--with-dev learns from the split that is measured: name another with --split")
    benchmark = _benchmark(set_dir, split or ("train" if folds else _usual_split(set_dir)), fields)
    systems = _systems(system, benchmark, parsed_parameters(parameters or []))
    if folds is not None:
        _check_folds(systems, model, rerank, with_dev=with_dev)
    paths = _save_paths(save, systems)
    _check_run_path(run, systems)
    if split is None:
        remark(f"no --split was given: this is {benchmark.split}")
    announce_compiling()
    with shown_progress() as progress:
        if rerank is not None:
            benchmark = reranking_of(benchmark, rerank, progress)
        every_seed = range(seed, seed + seeds)
        compared = [*systems, *_baseline(systems, benchmark)]
        if folds is not None:
            runs = _cross_validated(compared, benchmark, folds, every_seed, progress)
        else:
            models = Models(set_dir, benchmark.fields, model, progress, with_dev=with_dev)
            runs = _run(compared, benchmark, models, every_seed, progress)
    result = report(runs, seed=seed)
    _write_files(runs, systems, run, paths, seed)
    _print(result, json=json, markdown=markdown, latex=latex)


def _baseline(systems: Sequence[System | str], benchmark: Benchmark) -> list[System | str]:
    """The order that a given list has: what a judge of pairs has to beat."""
    judges = any(isinstance(system, PairSystem) for system in systems)
    return [_GIVEN] * (judges and _has_orderings(benchmark) and _GIVEN not in systems)


def _run(
    systems: Sequence[System | str],
    benchmark: Benchmark,
    models: Models,
    seeds: Sequence[int],
    progress: NamedProgress,
) -> list[Run]:
    """Every system with the first seed; those that learn with the other ones too."""
    from askagain.evaluating import run_all

    learning = [system for system in systems if not isinstance(system, str | LexicalSystem)]
    runs: list[Run] = []
    # A model that is given has one seed, whatever number is asked for.
    for seed in seeds if models.given is None else seeds[:1]:
        some = systems if seed == seeds[0] else learning
        runs += run_all(some, benchmark, seed=seed, models=models.of(some, seed), progress=progress)
    return runs


def _check_folds(
    systems: Sequence[System | str], model: Path | None, rerank: int | None, *, with_dev: bool
) -> None:
    for option, value in [("--model", model), ("--rerank", rerank), ("--with-dev", with_dev)]:
        if value:
            raise SettingsError(f"--folds learns from parts of one split's lists: leave {option} out")
    for system in systems:
        if isinstance(system, EncoderSystem):
            raise SettingsError(f"--folds is for judges of pairs, and {system.name} is an encoder")


def _cross_validated(
    systems: Sequence[System | str],
    benchmark: Benchmark,
    folds: int,
    seeds: Sequence[int],
    progress: NamedProgress,
) -> list[Run]:
    """Judges of pairs learn from a part of the lists at a time; what does not learn runs as ever."""
    check_features()
    from askagain.evaluating import run_all
    from askagain.evaluation.benchmarks import RerankingBenchmark
    from askagain.rerank.crossvalidation import cross_validated

    if not isinstance(benchmark, RerankingBenchmark):
        raise SettingsError(f"--folds is for sets of given lists: {benchmark.name} is a retrieval set")
    runs: list[Run] = []
    for seed in seeds:
        for system in systems:
            if isinstance(system, PairSystem):
                runs.append(
                    cross_validated(
                        system, benchmark, folds, seed=seed, on_epoch=show_epoch, progress=progress
                    )
                )
            elif seed == seeds[0]:
                runs += run_all([system], benchmark, seed=seed, progress=progress)
    return runs


def _usual_split(folder: Path) -> str:
    from askagain.evaluation.benchmarks import available_splits

    splits = available_splits(folder)
    return next((usual for usual in _USUAL_SPLITS if usual in splits), next(iter(splits)))


def _benchmark(folder: Path, split: str, fields: str) -> Benchmark:
    from askagain.evaluation.benchmarks import load

    return load(folder, split, tuple(field.strip() for field in fields.split(",")))


def _systems(
    names: str | None, benchmark: Benchmark, parameters: dict[str, float | str]
) -> list[System | str]:
    """Systems by name or recipe, and orderings, which have nothing but a name."""
    from askagain.evaluating import ORDERINGS

    wanted = _names(names) if names is not None else _every_name(benchmark)
    systems: list[System | str] = [
        name if name in ORDERINGS else load_system(name).with_parameters(parameters) for name in wanted
    ]
    for system in systems:
        if [_name(other) for other in systems].count(_name(system)) > 1:
            raise SettingsError(
                f"two systems are named {_name(system)!r}: name each once, or rename a recipe"
            )
    return systems


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise SettingsError(f"--system {text!r} names no system: choose from {', '.join(SYSTEMS)}")
    return names


def _every_name(benchmark: Benchmark) -> list[str]:
    from askagain.evaluating import ORDERINGS

    return [*LEXICAL_SYSTEMS, *(ORDERINGS if _has_orderings(benchmark) else ())]


def _has_orderings(benchmark: Benchmark) -> bool:
    from askagain.evaluation.benchmarks import RerankingBenchmark

    return isinstance(benchmark, RerankingBenchmark) and benchmark.labelled


def _name(system: System | str) -> str:
    return system if isinstance(system, str) else system.name


def _save_paths(save: Path | None, systems: Sequence[System | str]) -> list[Path]:
    """One file for one system; for several, a folder with a file for each."""
    if save is None:
        return []
    if len(systems) == 1 and not save.is_dir():
        paths = [save]
    else:
        _make_folder(save)
        paths = [save / f"{_name(system)}.jsonl" for system in systems]
    for path in paths:
        check_writable(path)
    return paths


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder {folder}: {error.strerror}; choose another") from error


def _check_run_path(path: Path | None, systems: Sequence[System | str]) -> None:
    if path is None:
        return
    if len(systems) > 1:
        raise SettingsError("--run writes the ranking of one system: name one with --system")
    check_writable(path)


def _write_files(
    runs: Sequence[Run],
    systems: Sequence[System | str],
    run_path: Path | None,
    save_paths: list[Path],
    seed: int,
) -> None:
    from askagain.evaluation.runs import write_run
    from askagain.evaluation.saved import save_results

    if run_path is not None:
        write_run(runs[0], run_path)
    if save_paths:
        # Of several seeds the first one's results are saved.
        for run, system, path in zip(runs, systems, save_paths, strict=False):
            save_results(run, path, settings=_settings(system), seed=seed)


def _settings(system: System | str) -> dict[str, Any]:
    return {} if isinstance(system, str) else asdict(system)


def _print(result: EvaluationReport, *, json: bool, markdown: bool, latex: bool) -> None:
    if json:
        print_json(result.to_json())
    elif markdown:
        sys.stdout.write(result.to_markdown())
    elif latex:
        sys.stdout.write(result.to_latex())
    else:
        sys.stdout.write(result.to_table())
