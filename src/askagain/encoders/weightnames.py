"""The names of a model's weights, and whether all are there, have the right shapes and are numbers.

weights                what each part's cosine counts in the score: [parts]
part0.term_weights     what `part_shapes` lists, for each part
part1.words
part1.network.filters
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.part import Shape, part_shapes
from askagain.encoders.settings import Part
from askagain.encoders.vocabulary import Vocabulary
from askagain.encoders.weightfile import Arrays

_CODES = ".codes"
_SCALES = ".scales"


def weights_of(weights: Arrays, part: int) -> Arrays:
    """The weights of one part, by their names within it."""
    prefix = f"part{part}."
    return {name.removeprefix(prefix): array for name, array in weights.items() if name.startswith(prefix)}


def fault_of(weights: Arrays, parts: Sequence[Part], vocabularies: Sequence[Vocabulary]) -> str | None:
    """What is wrong with the weights of a model, or None."""
    expected: dict[str, Shape] = {"weights": (len(parts),)}
    for number, (part, vocabulary) in enumerate(zip(parts, vocabularies, strict=True)):
        shapes = part_shapes(part, len(vocabulary), _inputs(weights_of(weights, number)))
        expected |= {f"part{number}.{name}": shape for name, shape in shapes.items()}
    if missing := expected.keys() - weights.keys():
        return f"{min(missing)} is missing"
    if unknown := weights.keys() - expected.keys():
        return f"{min(unknown)} is not among the weights of such a model"
    faults = (_fault_of_array(name, weights[name], shape) for name, shape in expected.items())
    return next((fault for fault in faults if fault is not None), _fault_of_scales(weights))


def _inputs(weights: Arrays) -> int:
    """The length of a part's word vectors: files and own vectors are joined, so no setting says it alone."""
    words = weights.get("words", weights.get(f"words{_CODES}"))
    return words.shape[1] if words is not None and words.ndim == 2 else 0


def _fault_of_array(name: str, array: NDArray[np.generic], shape: Shape) -> str | None:
    wanted = np.int8 if name.endswith(_CODES) else np.float32
    if array.dtype != wanted:
        return f"{name} has numbers of type {array.dtype}, expected {np.dtype(wanted)}"
    fits = len(array.shape) == len(shape) and all(
        have >= 1 if want is None else have == want for have, want in zip(array.shape, shape, strict=True)
    )
    if not fits:
        return f"{name} has the shape {list(array.shape)}, expected {_shown(shape)}"
    if array.dtype == np.float32 and not np.isfinite(array).all():
        return f"{name} has values that are not finite numbers"
    return None


def _fault_of_scales(weights: Arrays) -> str | None:
    """Where any number of rows will do, each must still have its scale."""
    for name in weights:
        if name.endswith(_CODES):
            scales = name.removesuffix(_CODES) + _SCALES
            wanted: Shape = (len(weights[name]),)
            if weights[scales].shape != wanted:
                return f"{scales} has the shape {list(weights[scales].shape)}, expected {_shown(wanted)}"
    return None


def _shown(shape: Shape) -> str:
    return f"[{', '.join('any' if size is None else str(size) for size in shape)}]"
