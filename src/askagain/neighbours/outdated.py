"""Vectors of models that have been replaced by others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from askagain.encoders.config import parsed_config
from askagain.errors import ModelError
from askagain.modelfolder import CONFIG
from askagain.neighbours.folder import model_in, remove_vectors
from askagain.neighbours.view import path_for
from askagain.trained import models_folder


def remove_outdated(archive: Path, system: str) -> None:
    """Remove the vectors of a system's former models from beside an archive; what cannot be removed stays.

    A process that still searches with them goes on: what it has open is gone only when it ends.
    """
    with suppress(OSError):
        kept = set(_identities(archive))
        for folder in archive.parent.iterdir():
            model = model_in(folder) if folder.suffix == ".vectors" else None
            if model is None or model in kept or model.rpartition("-")[0] != system:
                continue
            # What has another name than a view of that model was put there by somebody.
            if folder.name == path_for(archive, model).name:
                remove_vectors(folder)


def _identities(archive: Path) -> Iterator[str]:
    """Of all models that belong to an archive."""
    for folder in models_folder(archive).iterdir():
        with suppress(ModelError):
            yield parsed_config(folder / CONFIG).identity
