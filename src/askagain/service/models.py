"""What the page shows of the model that serves, as it was when the service started."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from askagain.encoders.shipped import shipped_folder
from askagain.modelfolder import CARD
from askagain.trained import model_folder


class ShownModel(NamedTuple):
    """The card, in Markdown, and the pictures by their names; nothing for a system without a model."""

    card: str
    pictures: dict[str, bytes]


def shown_model(archive: Path, system: str, model: str) -> ShownModel:
    """That of the system, in the folder `model` or where training or the package has put it."""
    own = Path(model) if model else model_folder(archive, system)
    folder = next((folder for folder in (own, shipped_folder(system)) if folder.is_dir()), None)
    if folder is None:
        return ShownModel("", {})
    card = folder / CARD
    return ShownModel(
        card.read_text(encoding="utf-8", errors="replace") if card.is_file() else "",
        {path.name: path.read_bytes() for path in sorted(folder.glob("*.svg"))},
    )
