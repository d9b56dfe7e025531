"""Models with a few words and random weights, for every kind of part."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from askagain.analysis import AnalyzerSettings
from askagain.encoders.model import Model
from askagain.encoders.part import PartEncoder, part_encoder, part_shapes
from askagain.encoders.quantised import in_8_bits
from askagain.encoders.reading import Reader
from askagain.encoders.settings import Average, Bow, Cnn, Gru, Lstm, Network, Part, Rcnn, WordSettings
from askagain.encoders.vectors import Floats
from askagain.encoders.vocabulary import Vocabulary, count_vocabulary
from askagain.question import Question

INPUTS, UNITS, BUCKETS = 6, 5, 7
PLAIN = AnalyzerSettings(stemmer="none")
QUESTIONS = [
    Question("how to boot from usb", "my computer does not boot from the usb stick", id="1"),
    Question("boot stick", "", id="2"),
    Question("install the driver", "the driver of my usb stick does not install and does not boot", id="3"),
    Question("", "my computer", id="4"),
    Question("zebra", "", id="5"),
]

BOW = Part(network=Bow(), analyzer=AnalyzerSettings(stemmer="english"))
AVERAGE = Part(network=Average(hidden=INPUTS), analyzer=PLAIN)
CNN = Part(network=Cnn(hidden=UNITS), analyzer=PLAIN)
CNN_MEAN = Part(network=Cnn(hidden=UNITS, pooling="mean"), analyzer=PLAIN)
LSTM = Part(network=Lstm(hidden=UNITS), analyzer=PLAIN)
GRU = Part(network=Gru(hidden=UNITS), analyzer=PLAIN)
RCNN = Part(network=Rcnn(hidden=UNITS), analyzer=PLAIN)
PARTS = {
    "bow": BOW,
    "average": AVERAGE,
    "cnn": CNN,
    "cnn-mean": CNN_MEAN,
    "lstm": LSTM,
    "gru": GRU,
    "rcnn": RCNN,
}


@dataclass(frozen=True)
class Recipe:
    """What a folder is told about a model."""

    name: str
    description: str
    parts: tuple[Part, ...]


def vocabulary_for(part: Part) -> Vocabulary:
    """The words of all questions but the last, whose word stays unknown."""
    reader = Reader(replace(part, fields="average"), count_vocabulary([]))
    terms = [list(chain.from_iterable(reader.terms(question))) for question in QUESTIONS[:-1]]
    return count_vocabulary(terms)


def random_weights(part: Part, vocabulary: Vocabulary, seed: int = 0) -> dict[str, NDArray[Any]]:
    """Everything that a part needs; the weights of a bag of words are the words' IDF."""
    if isinstance(part.network, Bow):
        return {"term_weights": vocabulary.idf}
    precise = replace(part, words=replace(part.words, bits=32))
    weights: dict[str, NDArray[Any]] = {
        name: _random(name, seed, [BUCKETS if size is None else size for size in shape])
        for name, shape in part_shapes(precise, len(vocabulary), INPUTS).items()
    }
    return in_8_bits(weights) if part.words.bits == 8 else weights


def _random(name: str, seed: int, shape: list[int]) -> Floats:
    """Parts with different settings have the same weights where they have the same names."""
    return np.random.default_rng([seed, crc32(name.encode())]).normal(size=shape).astype(np.float32)


def encoder_for(part: Part, weights: Mapping[str, NDArray[Any]] | None = None) -> PartEncoder:
    """A part with random weights."""
    vocabulary = vocabulary_for(part)
    return part_encoder(part, vocabulary, weights or random_weights(part, vocabulary))


def model_for(*parts: Part, weights: list[float] | None = None) -> Model:
    """A model of some parts with random weights."""
    shares = np.array(weights or [1.0] * len(parts), dtype=np.float32)
    return Model("small", [encoder_for(part) for part in parts], shares, identity="small")


def model_weights(*parts: Part) -> dict[str, NDArray[Any]]:
    """All weights of a model by their names in its folder."""
    named = {
        f"part{number}.{name}": array
        for number, part in enumerate(parts)
        for name, array in random_weights(part, vocabulary_for(part), seed=number).items()
    }
    return {"weights": np.array([0.5, 2.0, 1.0][: len(parts)], dtype=np.float32), **named}


def dense(network: Network, **words: Any) -> Part:
    """A part with a network and settings of its words."""
    return Part(network=network, analyzer=PLAIN, words=WordSettings(**words))
