"""How fast encoders learn, and what shared encodings save.

The RCNN stands beside torch's LSTM and a plain loop, our LSTM beside torch's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from askagain.analysis import AnalyzerSettings
from askagain.encoders.reading import QuestionTexts, Reader
from askagain.encoders.recipe import TrainingSettings
from askagain.encoders.settings import Fields, Lstm, Part, Rcnn
from askagain.encoders.texts import Rows
from askagain.encoders.vectors import Floats
from askagain.question import Question
from askagain.training.batches import Batches
from askagain.training.data import TrainingData
from askagain.training.losses import loss_of, margin_loss
from askagain.training.networks.inputs import TextBatch, pack
from askagain.training.networks.model import DensePart, TorchModel
from askagain.training.networks.naive import naive_states
from askagain.training.networks.rcnn import RcnnNetwork
from askagain.training.optimisers import make_optimiser
from askagain.training.wordvectors import count_words
from cases import OURS, Case, best_seconds
from resample import real_questions

INPUTS = 200
PACKED, PADDED, LOOP, SEPARATE = "LSTM packed", "LSTM padded", "plain loop", "each pair alone"
OUR_LSTM = "our LSTM"
TRAINING_PEERS = [[PACKED, PADDED], [LOOP]]
SHARING_PEERS = [[SEPARATE]]
SETTINGS = TrainingSettings(loss="margin", negatives=20, negatives_from="batch", batch=40)
NO_DROPOUT = (0.0, 0.0)


class PackedLstm(nn.Module):
    """torch's LSTM over packed texts, of which the last states count."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.cell = nn.LSTM(INPUTS, hidden)

    def forward(self, table: Tensor, batch: TextBatch) -> Tensor:
        """Texts over the distinct words' vectors [words, e] to vectors [texts, d]."""
        packed = pack(batch)
        states, _ = self.cell(PackedSequence(table[packed.ids], torch.tensor(packed.sizes)))
        return states.data[packed.last]


class PaddedLstm(nn.Module):
    """torch's LSTM over texts that are filled up to equal length, of which the last states count."""

    def __init__(self, hidden: int, texts_at_once: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.texts_at_once = texts_at_once
        self.cell = nn.LSTM(INPUTS, hidden)

    def forward(self, table: Tensor, batch: TextBatch) -> Tensor:
        """Texts over the distinct words' vectors [words, e] to vectors [texts, d]."""
        return torch.cat([
            last_states(self.cell(steps)[0], lengths)
            for steps, lengths in filled_up(table, batch, self.texts_at_once)
        ])  # fmt: skip


class PlainLoop(nn.Module):
    """The RCNN as its equations say, a step at a time, with nothing but torch's own operations."""

    def __init__(self, settings: Rcnn, texts_at_once: int) -> None:
        super().__init__()
        self.hidden = settings.hidden
        self.texts_at_once = texts_at_once
        self.weights = RcnnNetwork(settings, INPUTS)

    def forward(self, table: Tensor, batch: TextBatch) -> Tensor:
        """Texts over the distinct words' vectors [words, e] to vectors [texts, d]."""
        weights, settings = dict(self.weights.named_parameters()), self.weights.settings
        return torch.cat([
            last_states(naive_states(steps, weights, settings), lengths)
            for steps, lengths in filled_up(table, batch, self.texts_at_once)
        ])  # fmt: skip


def filled_up(table: Tensor, batch: TextBatch, texts_at_once: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The words' vectors [steps, texts, e] and the lengths of some texts at a time.

    As texts stand in order of length, titles and bodies are hardly ever filled up together.
    """
    for first in range(0, len(batch), texts_at_once):
        lengths = batch.lengths[first : first + texts_at_once]
        ids = batch.ids[first : first + texts_at_once, : int(lengths[0])]
        yield table[ids.t().clamp(min=0)], lengths


def last_states(states: Tensor, lengths: Tensor) -> Tensor:
    return states[lengths - 1, torch.arange(len(lengths))]


def training_cases(questions: int, batch: int, hidden: int, rounds: int, seed: int) -> list[Case]:
    """Tokens per second, forward and backward: titles with bodies, each up to 100 words, and titles alone."""
    every = real_questions("askubuntu-bodies")[:questions]
    return [
        case
        for name, fields in (("title and body", "average"), ("titles", "title"))
        for case in _training_cases(name, every, fields, batch, hidden, rounds, seed)
    ]


def _training_cases(
    name: str, questions: list[Question], fields: Fields, batch: int, hidden: int, rounds: int, seed: int
) -> list[Case]:
    part, generator = rcnn_part(fields, hidden), np.random.default_rng(seed)
    vocabulary = count_words(part, questions)
    texts = Reader(part, vocabulary).read(questions)
    vectors = random_vectors(len(vocabulary), generator)
    batches = [generator.permutation(len(questions))[:batch] for _ in range(2)]
    engines = {
        OURS: dense_part(part, vectors),
        OUR_LSTM: dense_part(replace(part, network=Lstm(hidden=hidden, pooling="last")), vectors),
        PACKED: dense_part(part, vectors, PackedLstm(hidden)),
        PADDED: dense_part(part, vectors, PaddedLstm(hidden, batch)),
        LOOP: dense_part(part, vectors, PlainLoop(Rcnn(hidden=hidden), batch)),
    }
    runs = {engine: partial(forth_and_back, made, texts, batches) for engine, made in engines.items()}
    tokens = sum(int(field.lengths[rows].sum()) for field in texts.fields for rows in batches)
    rates = {engine: tokens / seconds for engine, seconds in best_seconds(runs, rounds).items()}
    lstms = {OURS: rates.pop(OUR_LSTM), PACKED: rates[PACKED], PADDED: rates[PADDED]}
    return [
        Case(f"training, {name}", "tokens/s", rates),
        Case(f"training an LSTM, {name}", "tokens/s", lstms),
    ]


def rcnn_part(fields: Fields, hidden: int) -> Part:
    return Part(network=Rcnn(hidden=hidden), fields=fields, analyzer=AnalyzerSettings(stemmer="none"))


def random_vectors(words: int, generator: Generator) -> Floats:
    return generator.normal(scale=INPUTS**-0.5, size=(words, INPUTS)).astype(np.float32)


def dense_part(
    part: Part, vectors: Floats, network: PackedLstm | PaddedLstm | PlainLoop | None = None
) -> DensePart:
    made = DensePart(part, vectors, np.ones(len(vectors), dtype=np.float32))
    if network is not None:
        made.network = network
    return made


def forth_and_back(part: DensePart, texts: QuestionTexts, batches: Sequence[Rows]) -> None:
    for rows in batches:
        part.zero_grad()
        part(texts, rows, NO_DROPOUT).sum().backward()


def sharing_cases(data: TrainingData, pairs: int, hidden: int, rounds: int, seed: int) -> list[Case]:
    """Seconds per epoch of fine-tuning: all negatives from the batch, or 20 of its own for every pair."""
    data = replace(data, pairs=data.pairs[:pairs])
    part, generator = rcnn_part("title", hidden), np.random.default_rng(seed)
    vocabulary = count_words(part, data.questions)
    texts = Reader(part, vocabulary).read(data.questions)
    network = TorchModel([dense_part(part, random_vectors(len(vocabulary), generator))])
    runs = {
        OURS: partial(shared_epoch, network, texts, data, generator),
        SEPARATE: partial(separate_epoch, network, texts, data, generator),
    }
    name = f"an epoch of {len(data.pairs):,} pairs of titles"
    return [Case(name, "s", best_seconds(runs, rounds))]


def shared_epoch(network: TorchModel, texts: QuestionTexts, data: TrainingData, generator: Generator) -> None:
    """As fine-tuning does it: every question of a batch is encoded once."""
    optimiser = make_optimiser(network, SETTINGS)
    for batch in Batches(data, SETTINGS, generator).epoch():
        optimiser.zero_grad()
        loss_of(network.scores([texts], batch.questions), batch.lessons, SETTINGS).backward()
        optimiser.step()


def separate_epoch(
    network: TorchModel, texts: QuestionTexts, data: TrainingData, generator: Generator
) -> None:
    """As the equations say it: every pair has negatives of its own, and all of them are encoded for it."""
    optimiser = make_optimiser(network, SETTINGS)
    [part] = network.parts
    order = generator.permutation(len(data.pairs))
    for start in range(0, len(order), SETTINGS.batch):
        pairs = data.pairs[order[start : start + SETTINGS.batch]]
        negatives = generator.integers(len(data.questions), size=(len(pairs), SETTINGS.negatives))
        optimiser.zero_grad()
        vectors = part(texts, np.hstack([pairs, negatives]).ravel(), NO_DROPOUT)
        separate_loss(vectors.view(len(pairs), 2 + SETTINGS.negatives, -1)).backward()
        optimiser.step()


def separate_loss(vectors: Tensor) -> Tensor:
    """Of both questions of each pair, with the pair's negatives: vectors [pairs, 2 + negatives, d]."""
    asked, others = vectors[:, :2], vectors[:, 2:]
    hardest = (asked @ others.transpose(1, 2)).amax(2)
    positive = (asked[:, 0] * asked[:, 1]).sum(1, keepdim=True).expand_as(hardest)
    return margin_loss(positive, hardest, SETTINGS.margin)
