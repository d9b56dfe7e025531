"""A model while it learns: words, texts, networks in torch, and the same weights for inference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from askagain.encoders.model import Model
from askagain.encoders.part import PartEncoder, part_encoder
from askagain.encoders.quantised import in_8_bits
from askagain.encoders.reading import QuestionTexts, Reader
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.settings import Bow, Part
from askagain.encoders.subwords import SubwordTable, fit_subwords
from askagain.encoders.vectors import Floats
from askagain.encoders.vocabulary import Vocabulary
from askagain.encoders.wordvectors import WordVectors
from askagain.question import Question
from askagain.sources.base import Progress, no_progress
from askagain.training.keptvectors import KeptVectors
from askagain.training.networks.bow import BowNetwork
from askagain.training.networks.model import DensePart, TorchModel
from askagain.training.wordvectors import count_words, first_vectors, input_factors

Weights = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class LearningPart:
    """A part with its words, all questions as it reads them, and its network."""

    part: Part
    vocabulary: Vocabulary
    texts: QuestionTexts
    network: DensePart | BowNetwork
    fixed: Mapping[str, Floats]

    def weights(self) -> Weights:
        """The weights by their names, with word vectors in full precision."""
        if isinstance(self.network, BowNetwork):
            return {"term_weights": _array(self.network.term_weights)}
        vectors, known = _array(self.network.words.vectors), len(self.vocabulary)
        named = {
            f"network.{name}": _array(weight) for name, weight in self.network.network.named_parameters()
        }
        shared = {"shared": vectors[known]} if self.part.words.unknown == "shared" else {}
        return {"words": vectors[:known], **shared, **self.fixed, **named}

    def kept_weights(self) -> Weights:
        """The weights as a model folder has them: word vectors in 8 bits if the recipe says so."""
        weights = self.weights()
        return in_8_bits(weights) if self.part.words.bits == 8 else weights

    def encoder(self) -> PartEncoder:
        """The part as it is now, for inference."""
        precise = replace(self.part, words=replace(self.part.words, bits=32))
        return part_encoder(precise, self.vocabulary, self.weights())


class Learner:
    """All parts of a system, ready to learn from questions."""

    def __init__(self, system: EncoderSystem, parts: Sequence[LearningPart]) -> None:
        self.system = system
        self.parts = tuple(parts)
        self.network = TorchModel([part.network for part in parts])

    @classmethod
    def start(
        cls,
        system: EncoderSystem,
        questions: Sequence[Question],
        seed: int,
        progress: Progress = no_progress,
        kept: Sequence[KeptVectors | None] | None = None,
    ) -> Learner:
        """Counts words, trains word vectors (or takes those `kept` for each part), draws first weights."""
        torch.manual_seed(seed)
        both = zip(system.parts, kept or [None] * len(system.parts), strict=True)
        return cls(system, [_start_part(part, questions, seed, progress, vectors) for part, vectors in both])

    @property
    def texts(self) -> list[QuestionTexts]:
        """All questions, as each part reads them."""
        return [part.texts for part in self.parts]

    def encoder(self) -> Model:
        """The model as it is now, for inference."""
        encoders = [part.encoder() for part in self.parts]
        return Model(self.system.name, encoders, _array(self.network.weights), identity="learning")

    def kept_encoder(self) -> Model:
        """The model as its folder will have it."""
        encoders = [part_encoder(part.part, part.vocabulary, part.kept_weights()) for part in self.parts]
        return Model(self.system.name, encoders, _array(self.network.weights), identity="learned")

    def weights(self) -> Weights:
        """All weights as a model folder has them."""
        named = {
            f"part{number}.{name}": weight
            for number, part in enumerate(self.parts)
            for name, weight in part.kept_weights().items()
        }
        return {"weights": _array(self.network.weights), **named}


def _start_part(
    part: Part, questions: Sequence[Question], seed: int, progress: Progress, kept: KeptVectors | None
) -> LearningPart:
    vocabulary = count_words(part, questions)
    if isinstance(part.network, Bow):
        texts = Reader(part, vocabulary).read(questions)
        return LearningPart(part, vocabulary, texts, BowNetwork(part.network, vocabulary.idf), {})
    vocabulary, vectors = first_vectors(part, vocabulary, questions, seed, progress, kept)
    texts = Reader(part, vocabulary).read(questions)
    fixed: dict[str, Floats] = {}
    if part.words.unknown == "shared":
        vectors = np.concatenate([vectors, vectors.mean(axis=0, keepdims=True)])
        texts = _sharing(texts, len(vocabulary))
    elif part.words.unknown == "ngrams":
        table = fit_subwords(WordVectors(vocabulary.words, vectors))
        fixed["buckets"] = table.buckets
        vectors = np.concatenate([vectors, _stranger_vectors(table, texts.strangers, vectors.shape[1])])
    factors = input_factors(part.words, vocabulary, len(vectors))
    return LearningPart(part, vocabulary, texts, DensePart(part, vectors, factors), fixed)


def _sharing(texts: QuestionTexts, known: int) -> QuestionTexts:
    """All strangers as the one word after the last."""
    fields = tuple(type(field)(np.minimum(field.ids, known), field.offsets) for field in texts.fields)
    return QuestionTexts(fields)


def _stranger_vectors(table: SubwordTable, strangers: Sequence[str], dimension: int) -> Floats:
    rows = [table.of(word) for word in strangers]
    return np.stack(rows) if rows else np.zeros((0, dimension), dtype=np.float32)


def _array(weight: torch.Tensor) -> Floats:
    array: Floats = weight.detach().numpy()
    return array
