"""Whether the arrays of a judge are what they should be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from askagain.encoders.weightfile import Arrays
from askagain.errors import ModelError
from askagain.modelfolder import REMEDY


def check_arrays(arrays: Arrays, shapes: Mapping[str, tuple[int, ...]], folder: Path) -> None:
    """All must be there, have their shapes and be numbers."""
    for name, shape in shapes.items():
        array = arrays.get(name)
        if array is None or array.shape != shape or not np.isfinite(array).all():
            raise ModelError(f"{folder}: the weights {name} are missing or damaged; {REMEDY}")
