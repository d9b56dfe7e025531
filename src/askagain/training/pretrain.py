"""Pre-training: from what the encoder made of a context, a decoder writes the title again (J16, §4.5).

A conditional language model P(title | context). The decoder is a network of the same kind. It starts from the
encoder's final state, reads the title between a start and an end marker, and predicts each next word. It
needs raw text alone; only the context "similar" needs marks.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn

from askagain.encoders.reading import Reader
from askagain.encoders.recipe import PretrainingSettings
from askagain.encoders.settings import Lstm, Rcnn
from askagain.encoders.texts import Rows, Texts, packed
from askagain.errors import SettingsError, TrainingError
from askagain.sources.base import Progress, no_progress
from askagain.training.checkpoints import Checkpoint, Epoch, Standing
from askagain.training.data import TrainingData
from askagain.training.dev import DevMeasure
from askagain.training.finetune import OnEpoch, no_report
from askagain.training.learner import Learner, LearningPart
from askagain.training.networks.inputs import TextBatch, pack
from askagain.training.networks.model import DensePart, batch_of, make_network
from askagain.training.networks.rcnn import Final, RcnnNetwork
from askagain.training.networks.recurrent import RecurrentNetwork
from askagain.training.networks.starting import uniform
from askagain.training.softmaxes import Softmax, make_softmax

PHASE = "pre-training"


@dataclass(frozen=True)
class Examples:
    """What to write from what: example i has the context numbered `source[i]`, the title `target[i]`."""

    contexts: Texts
    titles: Texts
    source: Rows
    target: Rows

    def __len__(self) -> int:
        return len(self.source)

    def take(self, chosen: Rows) -> Examples:
        """Some of the examples."""
        return replace(self, source=self.source[chosen], target=self.target[chosen])


def make_examples(part: LearningPart, data: TrainingData, settings: PretrainingSettings) -> Examples:
    """One example for each question and each kind of context that it has."""
    reader = Reader(replace(part.part, fields="average"), part.vocabulary)
    known = [
        [field[row][field[row] < len(part.vocabulary)] for row in range(len(field))]
        for field in reader.read(data.questions).fields
    ]
    size = len(data.questions)
    contexts = packed([*known[0], *known[1]])
    questions = np.arange(size, dtype=np.int64)
    pairs = np.concatenate([data.pairs, data.pairs[:, ::-1]])
    kinds = {
        "title": (questions, questions),
        "body": (size + questions, questions),
        "similar": (
            np.concatenate([pairs[:, 1], size + pairs[:, 1]]),
            np.concatenate([pairs[:, 0], pairs[:, 0]]),
        ),
    }
    source = np.concatenate([kinds[kind][0] for kind in settings.contexts])
    target = np.concatenate([kinds[kind][1] for kind in settings.contexts])
    titles = packed(known[0])
    usable = (contexts.lengths[source] > 0) & (titles.lengths[target] > 0)
    if settings.questions == "with-body":
        usable &= contexts.lengths[size + target] > 0
    return Examples(contexts, titles, source[usable], target[usable])


class EncoderDecoder(nn.Module):
    """The encoder of a part, and a decoder of the same kind over the same word vectors."""

    def __init__(self, part: DensePart, words: int, settings: PretrainingSettings) -> None:
        super().__init__()
        assert isinstance(part.network, RcnnNetwork | RecurrentNetwork)
        inputs = part.words.vectors.shape[1]
        self.part = part
        decoder = make_network(part.network.settings, inputs)
        assert isinstance(decoder, RcnnNetwork | RecurrentNetwork)
        self.decoder = decoder
        self.start = uniform(inputs)
        self.words = words
        self.softmax: Softmax = make_softmax(part.network.hidden, words + 1, settings)
        self._dropout = settings.dropout

    def forward(self, examples: Examples) -> tuple[Tensor, Tensor]:
        """States of the decoder [tokens, d], and the word that each is to predict [tokens]."""
        order, words, batch = batch_of(examples.contexts.take(examples.source))
        encoder = self.part.network
        _, final = encoder.run(self.part.words(words, self._dropout), batch)  # type: ignore[operator]
        return self._decoded(examples.titles.take(examples.target), order, final)

    def _decoded(self, titles: Texts, order: Rows, final: Any) -> tuple[Tensor, Tensor]:
        marker = self.words
        read = packed([np.concatenate([[marker], titles[row]]) for row in range(len(titles))])
        written = packed([np.concatenate([titles[row], [marker]]) for row in range(len(titles))])
        title_order, words, batch = batch_of(read)
        expected = np.full(batch.ids.shape, -1, dtype=np.int64)
        for place, row in enumerate(title_order.tolist()):
            expected[place, : len(written[row])] = written[row]
        at = np.argsort(order)[title_order]
        table = self._inputs(words, marker)
        states, _ = self.decoder.run(table, batch, reordered(final, torch.from_numpy(at)))
        targets = pack(TextBatch(torch.from_numpy(expected), batch.lengths)).ids
        return nn.functional.dropout(states, self._dropout, self.training), targets

    def _inputs(self, words: Tensor, marker: int) -> Tensor:
        """The distinct words' vectors; the marker, which has the largest number, comes last."""
        known = self.part.words(words[words < marker], self._dropout)
        return torch.cat([known, self.start[None]])


def reordered(final: Any, order: Tensor) -> Any:
    """The final states of an encoder in another order of the texts."""
    if isinstance(final, Final):
        return Final(final.sums[:, order].contiguous(), final.state[order].contiguous())
    if isinstance(final, Tensor):
        return final[:, order].contiguous()
    return tuple(value[:, order].contiguous() for value in final)


def pretrain(
    learner: Learner,
    data: TrainingData,
    seed: int,
    *,
    measure: DevMeasure | None,
    checkpoint: Checkpoint,
    on_epoch: OnEpoch = no_report,
    progress: Progress = no_progress,
) -> Standing:
    """Teaches the learner's one recurrent part from raw text; by dev MRR where there are marks."""
    settings = learner.system.pretraining
    assert settings is not None
    part = _recurrent_part(learner)
    generator = np.random.default_rng(seed)
    examples = make_examples(part, data, settings)
    learned, held_out = divided_examples(examples, settings, generator)
    assert isinstance(part.network, DensePart)
    network = EncoderDecoder(part.network, len(part.vocabulary), settings)
    learning = [weight for weight in network.parameters() if weight.requires_grad]
    # Fused, since the softmax has a row for each word: in several passes they took a fifth of the time.
    optimiser = torch.optim.Adam(learning, lr=settings.rate, fused=True)
    standing = Standing()
    loaded = checkpoint.load(network, optimiser)
    if loaded is not None:
        standing, generator.bit_generator.state = loaded
    while len(standing.epochs) < settings.epochs and standing.since_best < settings.patience:
        epoch = _epoch(network, learned, settings, optimiser, generator, progress)
        epoch = _measured(epoch, len(standing.epochs) + 1, network, held_out, settings, learner, measure)
        value = -(epoch.perplexity or 0.0) if epoch.dev is None else epoch.dev
        standing.add(epoch, value, network)
        checkpoint.save(standing, network, optimiser, generator.bit_generator.state)
        on_epoch(epoch)
    network.load_state_dict(standing.best_weights)
    network.eval()
    return standing


def _recurrent_part(learner: Learner) -> LearningPart:
    parts = [part for part in learner.parts if isinstance(part.part.network, Lstm | Rcnn)]
    if len(parts) != 1:
        raise SettingsError(
            f"system {learner.system.name}: pre-training needs exactly one part of kind lstm, gru or rcnn, "
            f"and there are {len(parts)}"
        )
    return parts[0]


def divided_examples(
    examples: Examples, settings: PretrainingSettings, generator: Generator
) -> tuple[Examples, Examples]:
    """Examples to learn from and to measure with; a question is never on both sides."""
    questions = np.unique(examples.target)
    if len(questions) < 2:
        contexts = ", ".join(settings.contexts)
        raise TrainingError(
            "pre-training needs at least two questions with a title of known words and something to write it "
            f"from (pretraining.contexts: {contexts}), and there are {len(questions)}"
        )
    many = min(settings.held_out, max(1, len(questions) // 10))
    chosen = generator.permutation(questions)[:many]
    out = np.isin(examples.target, chosen)
    return examples.take(np.flatnonzero(~out)), examples.take(np.flatnonzero(out))


def _epoch(
    network: EncoderDecoder,
    examples: Examples,
    settings: PretrainingSettings,
    optimiser: torch.optim.Optimizer,
    generator: Generator,
    progress: Progress,
) -> Epoch:
    started, losses = time.perf_counter(), []
    network.train()
    order = generator.permutation(len(examples))
    for start in range(0, len(order), settings.batch):
        optimiser.zero_grad()
        states, targets = network(examples.take(order[start : start + settings.batch]))
        loss = network.softmax.loss(states, targets, generator)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        losses.append(float(loss.item()))
        progress(min(start + settings.batch, len(order)), len(order))
    if not np.isfinite(losses).all():
        raise TrainingError(
            f"the loss is no longer a finite number: lower pretraining.rate, which is {settings.rate:g}"
        )
    seconds = time.perf_counter() - started
    return Epoch(PHASE, 0, float(np.mean(losses)), seconds, len(examples) / seconds)


def _measured(
    epoch: Epoch,
    number: int,
    network: EncoderDecoder,
    held_out: Examples,
    settings: PretrainingSettings,
    learner: Learner,
    measure: DevMeasure | None,
) -> Epoch:
    network.eval()
    perplexity = math.exp(min(_surprise(network, held_out, settings.batch), 100.0))
    dev = measure.mrr(learner.encoder(), learner.texts) if measure else None
    return replace(epoch, number=number, perplexity=perplexity, dev=dev)


@torch.no_grad()
def _surprise(network: EncoderDecoder, examples: Examples, batch: int) -> float:
    """−log P of a word of the held-out titles, on average."""
    total, words = 0.0, 0
    for start in range(0, len(examples), batch):
        states, targets = network(examples.take(np.arange(start, min(start + batch, len(examples)))))
        total += float(network.softmax.surprises(states, targets).sum())
        words += len(targets)
    return total / words
