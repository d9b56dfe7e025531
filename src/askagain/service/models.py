"""The folder of the model that serves: its card and its pictures."""

from __future__ import annotations

from pathlib import Path

from askagain.encoders.shipped import shipped_folder
from askagain.modelfolder import CARD
from askagain.service.state import Service
from askagain.trained import model_folder


def pictures_of(service: Service) -> list[Path]:
    """In the order of their names."""
    folder = served_model(service)
    return sorted(folder.glob("*.svg")) if folder else []


def card_of(service: Service) -> str:
    """Markdown; empty for a system without a model."""
    folder = served_model(service)
    path = folder / CARD if folder else None
    return path.read_text(encoding="utf-8", errors="replace") if path and path.is_file() else ""


def served_model(service: Service) -> Path | None:
    """The folder, if the system has one."""
    name = service.engine.ranker.name
    own = Path(service.settings.model) if service.settings.model else model_folder(service.archive.path, name)
    return next((folder for folder in (own, shipped_folder(name)) if folder.is_dir()), None)
