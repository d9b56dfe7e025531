"""`askagain train`: from an archive to a model that searches it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from askagain.cli.fusing import train_fused
from askagain.cli.judging import train_judge
from askagain.cli.options import ArchivePath, AsJson, Parameters
from askagain.cli.output import console, print_json, remark, text
from askagain.cli.parameters import parsed_parameters
from askagain.cli.progress import NamedProgress, shown_progress
from askagain.encoders.ready import ReadySystem
from askagain.errors import SettingsError
from askagain.extras import check_torch
from askagain.fusion.recipe import FusedSystem
from askagain.lexical.recipe import LexicalSystem
from askagain.rerank.recipe import PairSystem
from askagain.systems import TRAINABLE_SYSTEMS, TrainableSystem, load_system
from askagain.trained import choose_system, model_folder
from askagain.wording import counted

if TYPE_CHECKING:
    from askagain.encoders.recipe import EncoderSystem
    from askagain.training.checkpoints import Epoch
    from askagain.training.train import Measured


def train(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM",
            help='One of "askagain systems" that learns, the same with -small after it, or a recipe.toml.',
        ),
    ],
    archive: ArchivePath,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder for the model. Default: beside the archive."),
    ] = None,
    parameters: Parameters = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Fixes every random choice.")] = 0,
    json: AsJson = False,
) -> None:
    """Teach a system your forum: from its raw text, and from duplicates that people have marked.

    A tenth of the groups of duplicates is kept apart to measure with; training stops when that gets no
    better. After Ctrl-C the same command goes on where it was. The archive is then searched with the new
    model, unless --out names a folder elsewhere.

    Example: `askagain train rcnn --archive forum.db`

    Example: `askagain train bow-cnn-small --archive demo.db --set training.epochs=3`
    """
    recipe = trainable(system).with_parameters(settings_to_learn_with(parameters or []))
    folder = out or model_folder(archive, recipe.name)
    with shown_progress() as progress:
        if isinstance(recipe, PairSystem):
            train_judge(recipe, archive, folder, seed, progress)
            told: dict[str, object] = {}
        elif isinstance(recipe, FusedSystem):
            told = train_fused(recipe, archive, folder, seed, progress)
        else:
            told = train_encoder(recipe, archive, folder, seed, progress)
    if out is None:
        choose(archive, recipe.name, absolute(system))
    if json:
        print_json({"system": recipe.name, "model": str(folder), **told})
        return
    console().print(text(f"The model is in {folder}; its card.md tells how it was made."), soft_wrap=True)
    if out is None:
        console().print(text(f'Try it: askagain search "…" --archive {archive}'), soft_wrap=True)


def train_encoder(
    recipe: EncoderSystem, archive: Path, folder: Path, seed: int, progress: NamedProgress
) -> dict[str, object]:
    """From the text and the marks of an archive to a model folder; gives the figures."""
    check_torch("training")
    from askagain.archive import Archive
    from askagain.training.data import from_archive
    from askagain.training.train import train as train_model

    with Archive.open(archive, create=False) as opened:
        data = from_archive(opened, seed)
    remark(described(len(data.questions), len(data.pairs), len(data.dev.queries) if data.dev else 0))
    epochs = EpochLines(recipe, measured=data.dev is not None)
    measured: list[Measured] = []
    train_model(
        recipe, data, folder, seed=seed, on_epoch=epochs.show, progress=progress, on_measured=measured.append
    )
    for figures in measured:
        compare_with_bm25(figures)
    return {"dev_mrr": measured[0]._asdict() if measured else None, "epochs": epochs.shown}


def choose(archive: Path, name: str, system: str) -> None:
    """From now on the archive is searched with the new model; vectors of an older one are removed."""
    from askagain.neighbours.outdated import remove_outdated

    choose_system(archive, system)
    remove_outdated(archive, name)


def absolute(system: str) -> str:
    """A recipe file by its whole path: searches may start in another folder."""
    return str(Path(system).resolve()) if system.endswith(".toml") else system


def compare_with_bm25(measured: Measured) -> None:
    """A few marks may not be enough to do better than without learning: people should know."""
    remark(f"dev MRR of the model {measured.model:.2f}%, of BM25 {measured.bm25:.2f}%")
    if measured.model <= measured.bm25:
        remark(
            "BM25 does not do worse on these marks: go back with askagain use bm25, or train another system"
        )


def trainable(name: str) -> TrainableSystem:
    """A system that learns, by its name or recipe."""
    recipe = load_system(name)
    if isinstance(recipe, LexicalSystem | ReadySystem):
        raise SettingsError(
            f"{name} has nothing to learn and can be used at once; systems to train: "
            f"{', '.join(TRAINABLE_SYSTEMS)}"
        )
    return recipe


def settings_to_learn_with(assignments: Sequence[str]) -> dict[str, float | str]:
    """What --set says, without settings that a model does not keep."""
    parameters = parsed_parameters(assignments)
    for name in parameters:
        if name.startswith("search."):
            raise SettingsError(
                f"--set {name} would be forgotten after the training: write it under [search] in a "
                "recipe.toml, which every search reads, or measure it with evaluate --set"
            )
    return parameters


def described(questions: int, pairs: int, dev: int) -> str:
    """What there is to learn from, in one line."""
    measured = f"{counted(dev, 'question')} to measure with" if dev else "too few marks to measure with"
    return f"learning from {counted(questions, 'question')} and {counted(pairs, 'marked pair')}; {measured}"


class EpochLines:
    """One line on standard error for each epoch, with the time that is left at most.

    Before the first epoch of fine-tuning nobody knows how long that takes: pre-training tells its own rest.
    """

    def __init__(self, system: EncoderSystem, *, measured: bool) -> None:
        training = system.training
        self._epochs = {"fine-tuning": training.epochs if measured else training.epochs_without_dev}
        if system.pretraining is not None:
            self._epochs["pre-training"] = system.pretraining.epochs
        self.shown: list[dict[str, object]] = []

    def show(self, epoch: Epoch) -> None:
        """An epoch is over."""
        from dataclasses import asdict

        self.shown.append(asdict(epoch))
        left = (self._epochs[epoch.phase] - epoch.number) * epoch.seconds
        parts = [f"{epoch.phase}, epoch {epoch.number}: loss {epoch.loss:.4f}"]
        if epoch.perplexity is not None:
            parts.append(f"perplexity {epoch.perplexity:.1f}")
        if epoch.dev is not None:
            parts.append(f"dev MRR {epoch.dev:.2f}%")
        of_phase = "" if epoch.phase == "fine-tuning" else f" of {epoch.phase}"
        parts += [
            f"{epoch.questions_per_second:,.0f} questions/s",
            f"at most {left / 60:.1f} min{of_phase} left",
        ]
        remark(", ".join(parts))
