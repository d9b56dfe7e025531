"""One part of a model at work, whatever it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from numpy.typing import NDArray

from askagain.encoders.bow import BowEncoder
from askagain.encoders.dense import DenseEncoder
from askagain.encoders.networks import network_shapes
from askagain.encoders.settings import Average, Bow, Part
from askagain.encoders.vocabulary import Vocabulary

PartEncoder: TypeAlias = BowEncoder | DenseEncoder
Shape: TypeAlias = tuple[int | None, ...]
"""None where any number will do."""


def part_encoder(part: Part, vocabulary: Vocabulary, weights: Mapping[str, NDArray[Any]]) -> PartEncoder:
    """The encoder of a part with the weights that `part_shapes` lists."""
    if isinstance(part.network, Bow):
        return BowEncoder(part, vocabulary, weights)
    return DenseEncoder(part, part.network, vocabulary, weights)


def part_shapes(part: Part, words: int, inputs: int) -> dict[str, Shape]:
    """The shape of each weight of a part that knows so many words, with vectors of so many numbers."""
    if isinstance(part.network, Bow):
        return {"term_weights": (words,)}
    if isinstance(part.network, Average):
        inputs = part.network.hidden
    shapes = _matrix_shapes("words", part.words.bits, words, inputs)
    if part.words.unknown == "shared":
        shapes["shared"] = (inputs,)
    elif part.words.unknown == "ngrams":
        shapes |= _matrix_shapes("buckets", part.words.bits, None, inputs)
    network = network_shapes(part.network, inputs)
    return shapes | {f"network.{name}": shape for name, shape in network.items()}


def _matrix_shapes(name: str, bits: int, rows: int | None, columns: int) -> dict[str, Shape]:
    if bits == 8:
        return {f"{name}.codes": (rows, columns), f"{name}.scales": (rows,)}
    return {name: (rows, columns)}
