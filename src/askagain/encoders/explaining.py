"""Why two questions are similar: the pieces that a question's vector is made of.

A piece belongs to a word, or to a window of words, of the question. Its product with the candidate's vector
is its share of the cosine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from askagain.encoders.bow import BowEncoder
from askagain.encoders.cnn import CnnEncoder
from askagain.encoders.dense import averaged, joined, text_vectors
from askagain.encoders.networks import NetworkEncoder
from askagain.encoders.part import PartEncoder
from askagain.encoders.pooling import unit_length
from askagain.encoders.rcnn import RcnnEncoder
from askagain.encoders.reading import QuestionTexts
from askagain.encoders.settings import Fields
from askagain.encoders.texts import Texts, packed, padded
from askagain.encoders.vectors import Floats, Ints, QuestionVectors
from askagain.question import Question, Reason

MOST_REASONS: Final = 20
# A longer text is cut before its words are left out in turn: the work grows with the square of its length.
_LONGEST: Final = 200
_FIELD_NAMES: Final[Mapping[Fields, tuple[str, ...]]] = {
    "average": ("title", "body"),
    "joined": ("text",),
    "title": ("title",),
    "body": ("body",),
}

Label: TypeAlias = tuple[str, str]
"""Words of a question, and the field where they stand."""


@dataclass(frozen=True, slots=True)
class SparsePieces:
    """The pieces of a bag of words: one for each word, in its column."""

    labels: list[Label]
    columns: Ints
    values: Floats

    def shares(self, candidate: QuestionVectors) -> list[float]:
        """The product of each piece with the candidate's vector."""
        theirs = dict(zip(candidate.columns.tolist(), candidate.values.tolist(), strict=True))
        mine = zip(self.columns.tolist(), self.values.tolist(), strict=True)
        return [value * theirs.get(column, 0.0) for column, value in mine]


@dataclass(frozen=True, slots=True)
class DensePieces:
    """The pieces of a network's vector: [pieces, d]."""

    labels: list[Label]
    vectors: Floats

    def shares(self, candidate: QuestionVectors) -> list[float]:
        """The product of each piece with the candidate's vector."""
        products: list[float] = (self.vectors @ candidate.dense[0]).tolist()
        return products


Pieces: TypeAlias = SparsePieces | DensePieces


def reasons_from(shares: Iterable[tuple[Label, float]]) -> list[Reason]:
    """The largest shares, those of the same words in the same field together, largest first."""
    sums: dict[Label, float] = {}
    for label, share in shares:
        sums[label] = sums.get(label, 0.0) + share
    reasons = [Reason(term, field, share) for (term, field), share in sums.items() if share]
    return sorted(reasons, key=lambda reason: (-reason.share, reason.term, reason.field))[:MOST_REASONS]


def pieces_of(encoder: PartEncoder, question: Question) -> Pieces:
    """What the vector of a question is made of.

    The pieces of a bag of words, and of a CNN's largest windows, add up to the vector. For other networks a
    word's piece is what the vector loses without it; for an RCNN, times how much of the word was let in.
    """
    names = _FIELD_NAMES[encoder.part.fields]
    labels = [
        [(word, field) for word in words]
        for field, words in zip(names, encoder.reader.words(question), strict=True)
    ]
    texts = encoder.reader.read([question])
    if isinstance(encoder, BowEncoder):
        return _words(encoder, texts, _flat(labels))
    network, fields = encoder.network_for(joined(texts.fields), texts.strangers)
    if isinstance(network, CnnEncoder) and network.settings.pooling == "max":
        return _windows(network, fields, labels)
    shortened = packed([fields[number][:_LONGEST] for number in range(len(fields))])
    return _left_out(network, shortened, _flat([label[:_LONGEST] for label in labels]))


def _flat(labels: list[list[Label]]) -> list[Label]:
    return [label for field in labels for label in field]


def _words(encoder: BowEncoder, texts: QuestionTexts, labels: list[Label]) -> SparsePieces:
    """Each occurrence of a word has its part of the word's value."""
    columns = np.concatenate([field.ids for field in texts.fields])
    _, places, counts = np.unique(columns, return_inverse=True, return_counts=True)
    values = (encoder.encode(texts).values / counts)[places]
    return SparsePieces(labels, columns, values.astype(np.float32))


def _windows(network: CnnEncoder, fields: Texts, labels: list[list[Label]]) -> DensePieces:
    """Each unit's value belongs to the window in which it was largest."""
    pieces = np.zeros((0, network.settings.hidden), dtype=np.float32)
    won: list[Label] = []
    for number in np.flatnonzero(fields.lengths):
        batch = padded(fields, np.array([number]))
        winners = network.winners(batch)
        words = np.unique(winners)
        values = np.where(winners == words[:, np.newaxis], network.encode(batch), np.float32(0))
        pieces = np.concatenate([pieces, values])
        won += [_window_label(labels[number], network, word) for word in words.tolist()]
    # The mean over the fields has the direction of their sum.
    length = np.linalg.norm(pieces.sum(axis=0)) or np.float32(1)
    return DensePieces(won, pieces / length)


def _window_label(labels: list[Label], network: CnnEncoder, word: int) -> Label:
    words = [labels[place][0] for place in network.window(word, len(labels))]
    return " ".join(words), labels[word][1]


def _left_out(network: NetworkEncoder, fields: Texts, labels: list[Label]) -> DensePieces:
    """What the vector loses without a word; the first of all variants of the question is the whole one."""
    shorter = [
        np.delete(fields[number], word)
        for number, length in enumerate(fields.lengths.tolist())
        for word in range(length)
    ]
    texts = joined((fields, packed(shorter)))
    vectors = text_vectors(network, texts)
    changed = np.repeat(np.arange(len(fields)), fields.lengths), np.arange(1, len(shorter) + 1)
    variants = np.repeat(vectors[: len(fields), np.newaxis], len(shorter) + 1, axis=1)
    variants[changed] = vectors[len(fields) :]
    lengths = np.repeat(fields.lengths[:, np.newaxis], len(shorter) + 1, axis=1)
    lengths[changed] = texts.lengths[len(fields) :]
    means = unit_length(averaged(variants, lengths))
    return DensePieces(labels, (means[:1] - means[1:]) * _openness(network, fields)[:, np.newaxis])


def _openness(network: NetworkEncoder, fields: Texts) -> Floats:
    """How much of each word is let in: [words]; 1 if the network has no gate that says so."""
    if not isinstance(network, RcnnEncoder):
        return np.ones(len(fields.ids), dtype=np.float32)
    opened = [network.openness(padded(fields, np.array([number])))[0] for number in range(len(fields))]
    return np.concatenate(opened)
