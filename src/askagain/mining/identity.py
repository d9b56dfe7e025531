"""What tells a system that gives probabilities from all others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from askagain.encoders.shipped import shipped_folder
from askagain.engine import Engine
from askagain.modelfolder import CONFIG, load_config
from askagain.ranker import CalibratedRanker
from askagain.trained import model_folder


def system_identity(engine: Engine) -> str:
    """The system's name, what it has learned, and the encoder that came with the package.

    A model from a folder of one's own is known by its threshold alone.
    """
    ranker = engine.ranker
    learned = (ranker.threshold, ranker.is_calibrated) if isinstance(ranker, CalibratedRanker) else ()
    return json.dumps([ranker.name, *learned, *_checksums(engine.archive.path, ranker.name)])


def _checksums(archive: Path, system: str) -> Iterator[str]:
    own, shipped = model_folder(archive, system), shipped_folder(system)
    for folder in (own if own.is_dir() else shipped, shipped_folder("encoder")):
        if folder.is_dir():
            yield load_config(folder / CONFIG)[1]
