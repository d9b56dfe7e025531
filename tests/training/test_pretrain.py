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
from askagain.training.dev import measure_of
from askagain.training.learner import Learner
from askagain.training.pretrain import EncoderDecoder, divided_examples, make_examples, pretrain
from askagain.training.softmaxes import FullSoftmax, SampledSoftmax, make_softmax

NOWHERE = Checkpoint(None, "")


def learn(system: Any, data: TrainingData, checkpoint: Checkpoint = NOWHERE, **options: Any) -> Standing:
    learner = Learner.start(system, data.questions, 0)
    measure = measure_of(system, data, 0)
    return pretrain(learner, data, 0, measure=measure, checkpoint=checkpoint, **options)


@pytest.mark.parametrize("kind", ["rcnn", "lstm", "gru"])
@pytest.mark.parametrize("softmax", ["full", "adaptive", "sampled"])
def test_held_out_titles_surprise_less_and_less(
    kind: str, softmax: str, forum_system: Any, forum_data: TrainingData
) -> None:
    pretraining = {"softmax": softmax, "contexts": ["title"], "epochs": 3, "batch": 32}
    system = forum_system(kind, pretraining=pretraining, words__min_count=3)

    perplexities = [epoch.perplexity or 0.0 for epoch in learn(system, forum_data).epochs]

    assert perplexities[-1] < perplexities[0]


@pytest.mark.parametrize("context", ["title", "body", "similar"])
def test_every_kind_of_context_teaches(context: str, forum_system: Any, forum_data: TrainingData) -> None:
    epochs = learn(forum_system("rcnn", pretraining={"contexts": [context], "batch": 32}), forum_data).epochs

    assert epochs[1].loss < epochs[0].loss


def test_no_marks_are_needed(forum_system: Any, forum_data: TrainingData) -> None:
    data = assembled(forum_data.questions, [], [])

    standing = learn(forum_system("rcnn", pretraining={}), data)

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

    def written(*contexts: Any, questions: Any = "all") -> set[tuple[str, str]]:
        examples = make_examples(part, data, PretrainingSettings(contexts=contexts, questions=questions))
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
    assert written("title", questions="with-body") == {("red green",) * 2, ("blue",) * 2}
    assert written("similar", questions="with-body") == {("green red", "red green")}


@pytest.mark.parametrize(("kind", "after"), [("rcnn", 1), ("rcnn", 2), ("lstm", 1), ("gru", 2)])
def test_an_interrupted_pretraining_ends_with_the_same_weights(
    kind: str, after: int, tmp_path: Path, forum_system: Any, forum_data: TrainingData
) -> None:
    system = forum_system(kind, pretraining={"contexts": ["title"], "epochs": 3, "patience": 9})
    whole = learn(system, forum_data)
    checkpoint = Checkpoint(tmp_path / "standing", "mine")

    def interrupt(epoch: Epoch) -> None:
        if epoch.number == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(system, forum_data, checkpoint, on_epoch=interrupt)
    rest: list[Epoch] = []
    continued = learn(system, forum_data, checkpoint, on_epoch=rest.append)

    assert [epoch.number for epoch in rest] == list(range(after + 1, 4))
    assert [epoch.perplexity for epoch in continued.epochs] == [epoch.perplexity for epoch in whole.epochs]
    for name, weight in whole.best_weights.items():
        assert torch.equal(weight, continued.best_weights[name])


def test_held_out_questions_are_never_written_while_learning(
    forum_system: Any, forum_data: TrainingData
) -> None:
    """Perplexity on them would tell nothing if they were."""
    system = forum_system("rcnn", pretraining={"epochs": 1, "held_out": 20})
    part = Learner.start(system, forum_data.questions, 0).parts[0]
    examples = make_examples(part, forum_data, system.pretraining)

    learned, held_out = divided_examples(examples, system.pretraining, np.random.default_rng(0))

    assert len(set(held_out.target.tolist())) == 20
    assert not set(learned.target.tolist()) & set(held_out.target.tolist())
    assert len(learned) + len(held_out) == len(examples)


def test_a_context_that_no_question_has_is_an_error(forum_system: Any, forum_data: TrainingData) -> None:
    data = assembled(forum_data.questions, [], [])

    with pytest.raises(TrainingError, match=r"pretraining\.contexts: similar\), and there are 0"):
        learn(forum_system("rcnn", pretraining={"contexts": ["similar"]}), data)


@pytest.mark.parametrize("kind", ["rcnn", "lstm", "gru"])
def test_each_title_is_written_from_its_own_context(
    kind: str, forum_system: Any, forum_data: TrainingData
) -> None:
    """Texts are sorted by length twice, contexts and titles: none may get another's."""
    system = forum_system(kind, pretraining={})
    part = Learner.start(system, forum_data.questions, 0).parts[0]
    network = EncoderDecoder(part.network, len(part.vocabulary), system.pretraining)
    for weight in network.parameters():
        torch.nn.init.uniform_(weight, -1, 1)
    network.eval()
    examples = make_examples(part, forum_data, system.pretraining).take(np.arange(40, 60))

    def surprise(chosen: list[int]) -> float:
        states, targets = network(examples.take(np.array(chosen)))
        return network.softmax.surprises(states, targets).sum().item()

    together = surprise(list(range(20)))

    assert together == pytest.approx(sum(surprise([one]) for one in range(20)), rel=1e-5)


def test_a_cnn_cannot_be_pretrained(forum_system: Any, forum_data: TrainingData) -> None:
    with pytest.raises(SettingsError, match="exactly one part of kind lstm, gru or rcnn"):
        learn(forum_system("cnn", pretraining={}), forum_data)


def test_one_title_is_not_enough(tiny_system: Any) -> None:
    with pytest.raises(TrainingError, match="at least two questions"):
        learn(tiny_system("rcnn", pretraining={}), assembled([Question("hello hello", id="a")], [], []))


@pytest.mark.parametrize("softmax", ["full", "adaptive", "sampled"])
@pytest.mark.parametrize("kind", ["rcnn", "lstm", "gru"])
def test_gradients_are_those_that_small_steps_show(kind: str, softmax: str, tiny_system: Any) -> None:
    questions = [Question("red green blue", "blue", "a"), Question("green white", "red red black", "b")]
    settings = {"softmax": softmax, "sampled": 3, "dropout": 0.0}
    system = tiny_system(kind, pretraining=settings, words__min_count=1)
    part = Learner.start(system, questions, 0).parts[0]
    network = EncoderDecoder(part.network, 12, system.pretraining).double()
    examples = make_examples(part, assembled(questions, [], []), system.pretraining)
    learning = [weight for weight in network.parameters() if weight.requires_grad]

    def loss(*weights: torch.Tensor) -> torch.Tensor:
        return network.softmax.loss(*network(examples), np.random.default_rng(0))

    assert torch.autograd.gradcheck(loss, learning, fast_mode=True)


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
