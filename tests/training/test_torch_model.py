"""A whole model in torch: parts side by side, over questions that have a title and a body."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch_cases import NETWORKS, WORDS

from askagain.encoders.reading import QuestionTexts
from askagain.encoders.settings import Average, Bow, Part, WordSettings
from askagain.encoders.texts import packed
from askagain.errors import SettingsError
from askagain.training.networks.bow import BowNetwork
from askagain.training.networks.model import DensePart, TorchModel, make_network

TITLES = [[0, 1, 2, 1], [3, 1], [], [6, 5, 4, 3, 2], [2, 2], []]
BODIES = [[5, 1], [], [4, 4, 0], [1], [], []]
TEXTS = QuestionTexts((packed(TITLES), packed(BODIES)))
ALL = np.arange(len(TITLES))
IDF = np.linspace(0.5, 2.0, WORDS, dtype=np.float32)

PARTS = [
    "bow",
    "average",
    "cnn 3 max centred",
    "cnn 2 mean trailing",
    "lstm last",
    "gru mean",
    "rcnn 2 last",
    "rcnn constant",
]


def part_of(name: str) -> BowNetwork | DensePart:
    """A part with word vectors that learn, and weights large enough to matter."""
    torch.manual_seed(2)
    if name == "bow":
        return BowNetwork(Bow(), IDF)
    vectors = np.random.default_rng(1).normal(size=(WORDS, 3)).astype(np.float32)
    part = DensePart(Part(network=NETWORKS[name], words=WordSettings(trained=True)), vectors, IDF)
    for weight in part.network.parameters():
        nn.init.uniform_(weight, -1, 1)
    return part


def model_of(*names: str) -> TorchModel:
    return TorchModel([part_of(name) for name in names])


def scores(model: TorchModel, rows: Any = ALL, dropouts: tuple[float, float] = (0.0, 0.0)) -> Tensor:
    return model.scores([TEXTS] * len(model.parts), np.asarray(rows), dropouts)


class Scores(nn.Module):
    """The scores as what a module computes, which torch's tools expect."""

    def __init__(self, model: TorchModel) -> None:
        super().__init__()
        self.model = model

    def forward(self) -> Tensor:
        return scores(self.model)


@pytest.mark.parametrize(
    "names", [*([name] for name in PARTS), ["bow", "cnn 3 max centred"]], ids=" and ".join
)
def test_gradients_are_those_that_small_steps_show(names: list[str]) -> None:
    module = Scores(model_of(*names).double())
    weights = {name: weight for name, weight in module.named_parameters() if weight.requires_grad}

    def of_weights(*values: Tensor) -> Tensor:
        return torch.func.functional_call(module, dict(zip(weights, values, strict=True)), ())

    assert torch.autograd.gradcheck(of_weights, tuple(weights.values()), eps=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", PARTS)
def test_order_and_size_of_a_batch_change_nothing(name: str) -> None:
    model = model_of(name)
    whole = scores(model)

    for rows in ([3, 0, 5, 1], [4], [5, 4, 3, 2, 1, 0], [2, 0]):
        torch.testing.assert_close(scores(model, rows), whole[rows][:, rows], atol=1e-6, rtol=0)


def test_a_frozen_bow_with_idf_weights_is_the_cosine_of_tfidf() -> None:
    bags = [Counter(title + body) for title, body in zip(TITLES, BODIES, strict=True)]

    def cosine(first: Counter[int], second: Counter[int]) -> float:
        lengths = [math.hypot(*(count * IDF[word] for word, count in bag.items())) for bag in (first, second)]
        shared = sum(count * second[word] * IDF[word] ** 2 for word, count in first.items())
        return shared / math.prod(lengths) if all(lengths) else 0.0

    network = BowNetwork(Bow(start="idf", trained=False), IDF)

    expected = [[cosine(first, second) for second in bags] for first in bags]
    np.testing.assert_allclose(scores(TorchModel([network])).detach(), expected, atol=1e-6)
    assert not network.term_weights.requires_grad


def test_a_score_is_the_weighted_sum_of_the_parts_cosines() -> None:
    both, bow, cnn = model_of("bow", "cnn 3 max centred"), model_of("bow"), model_of("cnn 3 max centred")
    with torch.no_grad():
        both.weights[:] = torch.tensor([2.0, -0.5])

    torch.testing.assert_close(scores(both), 2 * scores(bow) - 0.5 * scores(cnn))


@pytest.mark.parametrize("name", PARTS)
def test_a_question_without_words_scores_nothing_and_teaches_nothing(name: str) -> None:
    model = model_of(name)

    found = scores(model)
    found[:, 5].sum().backward()

    assert not found[5].any()
    for weight in model.parameters():
        assert weight.grad is None or not weight.grad.any()


@pytest.mark.parametrize("name", [name for name in PARTS if name != "bow"])
def test_an_empty_field_does_not_count(name: str) -> None:
    part = part_of(name)
    title_only = QuestionTexts((packed(TITLES),))

    with_body = part(TEXTS, np.array([1]), (0.0, 0.0))
    alone = part(title_only, np.array([1]), (0.0, 0.0))

    torch.testing.assert_close(with_body, alone)
    assert with_body.shape == (1, NETWORKS[name].hidden)


def test_dropout_is_for_learning_only() -> None:
    model = model_of("rcnn 2 last")
    plain = scores(model)

    model.eval()
    assert torch.equal(scores(model, dropouts=(0.5, 0.5)), plain)
    model.train()
    assert not torch.equal(scores(model, dropouts=(0.5, 0.0)), plain)
    assert not torch.equal(scores(model, dropouts=(0.0, 0.5)), plain)


def test_idf_of_a_word_multiplies_its_vector() -> None:
    part = part_of("rcnn 2 last")
    assert isinstance(part, DensePart)

    inputs = part.words(torch.tensor([2, 4]), 0.0)

    torch.testing.assert_close(inputs, part.words.vectors[[2, 4]] * torch.tensor(IDF[[2, 4], None]))


def test_an_average_has_as_many_numbers_as_its_word_vectors() -> None:
    with pytest.raises(SettingsError, match=r"word vectors with 200 numbers has .* set parts.hidden = 200"):
        make_network(Average(hidden=256), inputs=200)
