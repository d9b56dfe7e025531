"""Learning from raw text: a decoder that writes titles gets better at it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from askagain.encoders.recipe import PretrainingSettings
from askagain.errors import SettingsError, TrainingError
from askagain.question import Question
from askagain.training.checkpoints import Checkpoint, Epoch, Standing
from askagain.training.data import TrainingData, assembled
from askagain.training.learner import Learner
from askagain.training.pretrain import make_examples, pretrain
from askagain.training.softmaxes import FullSoftmax, SampledSoftmax, make_softmax

NOWHERE = Checkpoint(None, "")


def learn(system: Any, data: TrainingData, checkpoint: Checkpoint = NOWHERE, **options: Any) -> Standing:
    learner = Learner.start(system, data.questions, 0)
    return pretrain(learner, data, 0, checkpoint=checkpoint, **options)


@pytest.mark.parametrize("kind", ["rcnn", "lstm", "gru"])
@pytest.mark.parametrize("softmax", ["full", "adaptive", "sampled"])
def test_held_out_titles_surprise_less_and_less(
    kind: str, softmax: str, tiny_system: Any, forum_data: TrainingData
) -> None:
    system = tiny_system(kind, pretraining={"softmax": softmax, "epochs": 3}, words__min_count=3)

    perplexities = [epoch.perplexity or 0.0 for epoch in learn(system, forum_data).epochs]

    assert perplexities[-1] < perplexities[0]


def test_no_marks_are_needed(tiny_system: Any, forum_data: TrainingData) -> None:
    data = assembled(forum_data.questions, [], [])

    standing = learn(tiny_system("rcnn", pretraining={}), data)

    assert [epoch.dev for epoch in standing.epochs] == [None, None]
    assert standing.best_value == -min(epoch.perplexity or 0.0 for epoch in standing.epochs)


def test_each_kind_of_context_gives_examples_of_its_own(tiny_system: Any) -> None:
    questions = [
        Question("red green", "blue blue", "a"),
        Question("green red", "", "b"),
        Question("blue", "red", "c"),
    ]
    data = assembled(questions, [("a", "b")], [])
    part = Learner.start(tiny_system("rcnn", words__min_count=1), questions, 0).parts[0]
    words = part.vocabulary.words

    def written(*contexts: Any) -> set[tuple[str, str]]:
        examples = make_examples(part, data, PretrainingSettings(contexts=contexts))
        return {
            (
                " ".join(words[word] for word in examples.contexts[source]),
                " ".join(words[word] for word in examples.titles[target]),
            )
            for source, target in zip(examples.source.tolist(), examples.target.tolist(), strict=True)
        }

    assert written("title") == {("red green",) * 2, ("green red",) * 2, ("blue",) * 2}
    assert written("body") == {("blue blue", "red green"), ("red", "blue")}
    assert written("similar") == {
        ("green red", "red green"),
        ("red green", "green red"),
        ("blue blue", "green red"),
    }


def test_an_interrupted_pretraining_ends_with_the_same_weights(
    tmp_path: Path, tiny_system: Any, forum_data: TrainingData
) -> None:
    system = tiny_system("rcnn", pretraining={"epochs": 3})
    whole = learn(system, forum_data)
    checkpoint = Checkpoint(tmp_path / "standing", "mine")

    def interrupt(epoch: Epoch) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(system, forum_data, checkpoint, on_epoch=interrupt)
    rest: list[Epoch] = []
    continued = learn(system, forum_data, checkpoint, on_epoch=rest.append)

    assert [epoch.number for epoch in rest] == [2, 3]
    for name, weight in whole.best_weights.items():
        assert torch.equal(weight, continued.best_weights[name])


def test_a_cnn_cannot_be_pretrained(tiny_system: Any, forum_data: TrainingData) -> None:
    with pytest.raises(SettingsError, match="exactly one part of kind lstm, gru or rcnn"):
        learn(tiny_system("cnn", pretraining={}), forum_data)


def test_one_title_is_not_enough(tiny_system: Any) -> None:
    with pytest.raises(TrainingError, match="at least two questions"):
        learn(tiny_system("rcnn", pretraining={}), assembled([Question("hello hello", id="a")], [], []))


@pytest.mark.parametrize("kind", ["full", "adaptive", "sampled"])
def test_the_chances_of_all_words_add_up_to_one(kind: Any) -> None:
    softmax = make_softmax(4, 100, PretrainingSettings(softmax=kind))

    surprises = softmax.surprises(torch.randn(1, 4).expand(100, 4), torch.arange(100))

    assert torch.exp(-surprises).sum().item() == pytest.approx(1.0, abs=1e-5)


def test_a_sample_of_the_words_gives_about_the_same_loss() -> None:
    torch.manual_seed(0)
    sampled = SampledSoftmax(8, 1000, 300)
    full = FullSoftmax(8, 1000)
    full.load_state_dict(sampled.state_dict())
    states, targets = torch.randn(50, 8), torch.randint(1000, (50,))
    generator = np.random.default_rng(0)

    estimates = [sampled.loss(states, targets, generator).item() for _ in range(50)]

    assert np.mean(estimates) == pytest.approx(full.surprises(states, targets).mean().item(), rel=0.01)
