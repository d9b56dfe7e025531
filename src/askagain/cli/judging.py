"""Training of systems that judge pairs, from an archive's marks or from a set's lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askagain.cli.output import remark
from askagain.errors import MissingExtraError
from askagain.wording import counted

if TYPE_CHECKING:
    from askagain.cli.progress import NamedProgress
    from askagain.evaluation.benchmarks import Benchmark
    from askagain.rerank.data import PairData
    from askagain.rerank.recipe import PairSystem
    from askagain.training.checkpoints import Epoch


def train_judge(system: PairSystem, archive: Path, folder: Path, seed: int, progress: NamedProgress) -> None:
    """From the marks of an archive to a model folder."""
    check_features()
    from askagain.archive import Archive
    from askagain.rerank.data import from_marks
    from askagain.rerank.learning import learn
    from askagain.training.data import from_archive
    from askagain.views import Views

    with Archive.open(archive, create=False) as opened:
        data = from_marks(from_archive(opened, seed))
        remark(described(data))
        views = Views(opened)
        try:
            learn(system, data, views, folder, seed=seed, on_epoch=show_epoch, progress=progress)
        finally:
            views.close()


def judge_trained_on(
    system: PairSystem,
    set_dir: Path,
    fields: tuple[str, ...],
    seed: int,
    cache: Path,
    progress: NamedProgress,
    *,
    with_dev: bool = False,
) -> Path:
    """The model of a system after learning from a set; one and the same training is done once."""
    check_features()
    from askagain.evaluating import benchmark_views
    from askagain.evaluation.benchmarks import load
    from askagain.rerank.learning import identity_of, learn

    train = load(set_dir, "train", fields)
    data = pair_data(set_dir, train, seed, with_dev=with_dev)
    folder = cache / f"{system.name}-{identity_of(system, data, seed)[:16]}"
    if not (folder / "config.toml").is_file():
        remark(f"training {system.name} on {set_dir.name}: {described(data)}; the model is kept in {folder}")
        with benchmark_views(train) as views:
            learn(system, data, views, folder, seed=seed, on_epoch=show_epoch, progress=progress)
    return folder


def pair_data(set_dir: Path, train: Benchmark, seed: int, *, with_dev: bool) -> PairData:
    """The lists of a re-ranking set as they are; for a retrieval set, lists that BM25 makes."""
    from askagain.evaluation.benchmarks import RerankingBenchmark, load
    from askagain.rerank.data import PairData, from_marks
    from askagain.training.sets import from_set

    if not isinstance(train, RerankingBenchmark):
        return from_marks(from_set(set_dir, train.fields, seed))
    dev = load(set_dir, "dev", train.fields) if with_dev else None
    more = dev.lists if isinstance(dev, RerankingBenchmark) else ()
    return PairData((*train.lists, *more), source=f"{set_dir.name}, train{' and dev' if with_dev else ''}")


def described(data: PairData) -> str:
    """What there is to learn from, in one line."""
    pairs = [bool(entry.relevant) for list_ in data.lists for entry in list_.candidates]
    return (
        f"learning from {counted(len(data.lists), 'list')} with {counted(len(pairs), 'pair')}, "
        f"of which {sum(pairs):,} are duplicates"
    )


def show_epoch(epoch: Epoch) -> None:
    """One line on standard error for each epoch of a network."""
    dev = f", dev MRR {epoch.dev:.2f}%" if epoch.dev is not None else ""
    remark(f"{epoch.phase}, epoch {epoch.number}: loss {epoch.loss:.4f}{dev}")


def check_features() -> None:
    """Learning from features needs what searching does not."""
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("this system needs scikit-learn: pip install 'askagain[features]'") from error
