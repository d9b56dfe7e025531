"""Where an archive keeps the models that were trained on it, and which of them it uses."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from askagain.errors import ModelError, OutputError

_CHOSEN: Final = "chosen"
_LONGEST_NAME: Final = 1000


def models_folder(archive: Path) -> Path:
    """The folder of all models that were trained on an archive."""
    return archive.with_name(f"{archive.name}.models")


def model_folder(archive: Path, system: str) -> Path:
    """Where the model of one system is kept."""
    return models_folder(archive) / system


def require_model(archive: Path, system: str, folder: Path | None = None) -> Path:
    """Where the model of a system is: in the folder given, or where `train` puts it."""
    folder = folder or model_folder(archive, system)
    if not folder.is_dir():
        raise ModelError(
            f"there is no model at {folder}: make one with askagain train {system} --archive {archive}"
        )
    return folder


def trained_system(archive: Path) -> str | None:
    """The system that was last trained on an archive, or chosen for it, by the name of then; None without."""
    path = models_folder(archive) / _CHOSEN
    if not path.is_file():
        return None
    return path.read_text(encoding="utf-8", errors="replace")[:_LONGEST_NAME].strip() or None


def choose_system(archive: Path, system: str) -> None:
    """From now on the archive is searched with this system unless another one is named."""
    path = models_folder(archive) / _CHOSEN
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{system}\n", encoding="utf-8")
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error
