"""The models: whether they load, with every byte as it was saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from askagain.checkup.finding import Finding, ok, problem
from askagain.encoders.folder import load_model
from askagain.encoders.ready import ReadySystem
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.shipped import shipped_folder
from askagain.errors import AskagainError
from askagain.fusion.folder import Fused, load_fused
from askagain.fusion.making import fusible_model, ready_model
from askagain.fusion.recipe import FusedSystem
from askagain.models import default_folder
from askagain.rerank.folder import load_judges
from askagain.rerank.recipe import PairSystem
from askagain.systems import DEFAULT_SYSTEM, FUSED_SYSTEMS, System, load_system
from askagain.trained import model_folder, require_model, trained_system


def check_shipped() -> Iterator[Finding]:
    """Those that come with the package."""
    loaders: dict[str, Callable[[], object]] = {
        "encoder": lambda: load_model(shipped_folder("encoder")),
        **{name: partial(load_fused, shipped_folder(name)) for name in FUSED_SYSTEMS},
    }
    for name, load in loaders.items():
        yield _check(f"shipped model {name}", load, "install askagain again")


def check_chosen(archive: Path) -> Finding:
    """That of the system with which the archive is searched."""
    subject = "system"
    try:
        chosen = trained_system(archive)
    except OSError as error:
        return problem(subject, f"{error.filename} cannot be read: {error.strerror}", "change its rights")
    if chosen is None:
        return ok(subject, f"{DEFAULT_SYSTEM}, the default one")
    remedy = f"or choose another system (askagain use {DEFAULT_SYSTEM} --archive {archive})"
    return _check(f"system {chosen}", lambda: _load(load_system(chosen), archive), remedy)


def _check(subject: str, load: Callable[[], object], remedy: str) -> Finding:
    try:
        load()
    except AskagainError as error:
        return problem(subject, str(error), remedy)
    return ok(subject, "its model is sound")


def _load(system: System, archive: Path) -> None:
    """Everything that a search with it would load from model folders; systems that count words have none."""
    if isinstance(system, EncoderSystem):
        load_model(require_model(archive, system.name))
    elif isinstance(system, PairSystem):
        load_judges(require_model(archive, system.name))
    elif isinstance(system, FusedSystem):
        folder = model_folder(archive, system.name)
        _load_encoders(load_fused(folder if folder.is_dir() else default_folder(system)))
    elif isinstance(system, ReadySystem):
        ready_model(system)


def _load_encoders(fused: Fused) -> None:
    for name in fused.system.fusion.encoders:
        fusible_model(name, fused.encoders.get(name))
