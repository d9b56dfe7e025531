"""Training of fused systems, from an archive's marks or from a set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askagain.cli.judging import show_epoch
from askagain.cli.output import remark
from askagain.errors import ModelError
from askagain.wording import counted

if TYPE_CHECKING:
    from askagain.cli.progress import NamedProgress
    from askagain.fusion.judge import FusedJudge
    from askagain.fusion.learning import FusionLessons, Learned
    from askagain.fusion.recipe import FusedSystem


def train_fused(
    system: FusedSystem, archive: Path, folder: Path, seed: int, progress: NamedProgress
) -> dict[str, object]:
    """From the marks of an archive to a model folder; gives the figures."""
    from askagain.archive import Archive
    from askagain.fusion.learning import FusionLessons, learn
    from askagain.question import Verdict
    from askagain.training.data import from_archive
    from askagain.views import Views

    with Archive.open(archive, create=False) as opened:
        rejected = [(mark.first, mark.second) for mark in opened.marks(Verdict.NOT_DUPLICATE)]
        lessons = FusionLessons(from_archive(opened, seed), tuple(rejected), tuple(opened.feedback()))
        remark(described(lessons))
        views = Views(opened)
        try:
            learned = learn(
                system, lessons, views, folder,
                seed=seed, default=shipped_judge(system), on_epoch=show_epoch, progress=progress,
            )  # fmt: skip
        finally:
            views.close()
    return told(learned)


def fused_trained_on(
    system: FusedSystem,
    set_dir: Path,
    fields: tuple[str, ...],
    seed: int,
    cache: Path,
    progress: NamedProgress,
    *,
    with_dev: bool = False,
) -> Path | None:
    """The model of a system after learning from a set; None if the set has no marks to learn from."""
    from askagain.evaluating import benchmark_views
    from askagain.evaluation.benchmarks import UNDIVIDED, available_splits, load
    from askagain.fusion.learning import identity_of, learn

    if UNDIVIDED in available_splits(set_dir):
        return None
    lessons = lessons_of(set_dir, fields, seed, with_dev=with_dev)
    folder = cache / f"{system.name}-{identity_of(system, lessons, seed)[:16]}"
    if not (folder / "config.toml").is_file():
        remark(f"training {system.name} on {set_dir.name}; the model is kept in {folder}")
        with benchmark_views(load(set_dir, "train", fields)) as views:
            learned = learn(
                system, lessons, views, folder,
                seed=seed, default=shipped_judge(system), on_epoch=show_epoch, progress=progress,
            )  # fmt: skip
        told(learned)
    return folder


def lessons_of(set_dir: Path, fields: tuple[str, ...], seed: int, *, with_dev: bool) -> FusionLessons:
    """The marks of a retrieval set, or the labelled lists of a re-ranking set."""
    from askagain.evaluation.benchmarks import RerankingBenchmark, load
    from askagain.fusion.learning import FusionLessons
    from askagain.training.sets import from_set

    data = from_set(set_dir, fields, seed)
    train = load(set_dir, "train", fields)
    if not isinstance(train, RerankingBenchmark):
        return FusionLessons(data)
    dev = load(set_dir, "dev", fields)
    more = dev.lists if isinstance(dev, RerankingBenchmark) else ()
    if with_dev:
        return FusionLessons(data, lists=(*train.lists, *more))
    return FusionLessons(data, lists=train.lists, dev_lists=more)


def shipped_judge(system: FusedSystem) -> FusedJudge | None:
    """What the system has learned before, if it comes with the package."""
    from askagain.fusion.folder import load_fused
    from askagain.models import default_folder

    try:
        return load_fused(default_folder(system)).judge
    except ModelError:
        return None


def described(lessons: FusionLessons) -> str:
    """What there is to learn from, in one line."""
    pairs, rejected = (
        counted(len(lessons.data.pairs), "marked pair"),
        counted(len(lessons.rejected), "rejected pair"),
    )
    said = counted(len(lessons.feedback), "verdict")
    return f"learning from {pairs}, {rejected} and {said} on suggestions"


def told(learned: Learned) -> dict[str, object]:
    """What came out: in words on standard error, and as values."""
    choice, report = learned.fitted.choice, learned.report
    if choice is None:
        remark("too few marks: the order and the probabilities are those that ship with the package")
        return {"chosen": None, "calibration": report.to_table() if report else None}
    reached = ", ".join(f"{name} {100 * value:.2f}" for name, value in choice.reached.items())
    remark(f"MAP over lists that were left out: {reached}; chosen: {choice.name}")
    for line in report.to_markdown() if report else []:
        remark(line.removeprefix("- "))
    return {
        "chosen": choice.name,
        "map": dict(choice.reached),
        "calibration": report.to_table() if report else None,
    }
