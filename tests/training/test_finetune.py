"""Learning from marks: it helps, it stops in time, it can be interrupted, and it repeats itself."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from askagain import Question
from askagain.encoders.recipe import EncoderSystem, SearchSettings
from askagain.errors import TrainingError
from askagain.neighbours.exact import scores_of
from askagain.training.checkpoints import Checkpoint, Epoch, Standing
from askagain.training.data import TrainingData, assembled
from askagain.training.dev import measure_of
from askagain.training.finetune import finetune, hard_candidates
from askagain.training.learner import Learner, Weights

NOWHERE = Checkpoint(None, "")


def learn(
    system: EncoderSystem, data: TrainingData, checkpoint: Checkpoint = NOWHERE, seed: int = 0, **options: Any
) -> tuple[Learner, Standing]:
    learner = Learner.start(system, data.questions, seed)
    measure = measure_of(system, data, seed)
    return learner, finetune(learner, data, seed, measure=measure, checkpoint=checkpoint, **options)


def same(first: Weights, second: Weights) -> bool:
    return first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)


def interrupting(after: int) -> Any:
    def on_epoch(epoch: Epoch) -> None:
        if epoch.number == after:
            raise KeyboardInterrupt

    return on_epoch


@pytest.mark.parametrize("kind", ["cnn", "rcnn", "lstm", "gru"])
@pytest.mark.parametrize("loss", ["logistic", "margin", "softmax"])
def test_the_loss_falls(loss: str, kind: str, forum_system: Any, forum_data: TrainingData) -> None:
    pooling = "max" if kind == "cnn" else "last"
    system = forum_system(kind, pooling=pooling, training__loss=loss, training__epochs=8, training__batch=100)

    _, standing = learn(system, forum_data)

    losses = [epoch.loss for epoch in standing.epochs]
    assert losses[-1] < losses[0]
    assert all(epoch.dev is not None and epoch.questions_per_second > 0 for epoch in standing.epochs)


def test_lexical_candidates_are_learned_from_if_wanted(forum_system: Any, forum_data: TrainingData) -> None:
    """They are harder than others: what the same network has to learn is more."""
    _, without = learn(forum_system(training__epochs=1), forum_data)
    _, with_them = learn(forum_system(training__epochs=1, training__hard=5), forum_data)

    assert with_them.epochs[0].loss > 1.05 * without.epochs[0].loss


def test_lexical_candidates_are_those_of_marked_questions() -> None:
    questions = [Question(title, id=title) for title in ("boot usb", "usb boot stick", "usb stick", "rice")]
    data = assembled(questions, [("boot usb", "usb boot stick")], [])

    hard = hard_candidates(data)

    assert set(hard[0].tolist()) == {1, 2, -1}
    assert set(hard[2].tolist()) == set(hard[3].tolist()) == {-1}


def test_marks_of_some_topics_help_on_another(forum_system: Any, forum_data: TrainingData) -> None:
    system = forum_system("bow", start="ones", training__epochs=5, training__rate=0.05)
    untrained = Learner.start(system, forum_data.questions, 0)
    measure = measure_of(system, forum_data, 0)
    assert measure is not None

    _, standing = learn(system, forum_data)

    assert standing.best_value > 2 * measure.mrr(untrained.encoder(), untrained.texts)


def test_lists_without_any_duplicate_measure_nothing(tiny_system: Any) -> None:
    """BM25 finds none of them: all epochs count then, as where nobody measures."""
    words = [f"left{n} right{n}".split() for n in range(12)]
    questions = [Question(word, id=word) for pair in words for word in pair]
    data = assembled(questions, [(a, b) for a, b in words[:9]], [(a, b) for a, b in words[9:]])
    system = replace(tiny_system("rcnn", training__epochs=2), search=SearchSettings(candidates="bm25"))

    _, standing = learn(system, data)

    assert measure_of(system, data, 0) is None
    assert [epoch.dev for epoch in standing.epochs] == [None, None]
    assert standing.best_value == 2


def test_the_weights_are_those_of_the_best_epoch(forum_system: Any, forum_data: TrainingData) -> None:
    system = forum_system("bow", start="ones", training__epochs=5, training__rate=0.05)

    learner, standing = learn(system, forum_data)

    assert standing.best_epoch > 1
    best = max(epoch.dev or 0.0 for epoch in standing.epochs)
    assert standing.best_value == standing.epochs[standing.best_epoch - 1].dev == best
    assert standing.best_weights.keys() == learner.network.state_dict().keys()
    for name, weight in learner.network.state_dict().items():
        assert np.array_equal(weight, standing.best_weights[name])


def test_what_no_epoch_makes_better_stays_as_it_was(forum_system: Any, forum_data: TrainingData) -> None:
    system = forum_system("bow", training__epochs=2, training__rate=50.0)
    first = Learner.start(system, forum_data.questions, 0).weights()

    learner, standing = learn(system, forum_data)

    assert standing.best_epoch == 0
    assert standing.best_value > max(epoch.dev or 0.0 for epoch in standing.epochs)
    assert same(learner.weights(), first)


def test_it_stops_when_dev_gets_no_better(forum_system: Any, forum_data: TrainingData) -> None:
    system = forum_system(training__epochs=50, training__patience=2, training__rate=0.5)

    _, standing = learn(system, forum_data)

    assert len(standing.epochs) == standing.best_epoch + 2


@pytest.mark.parametrize("kind", ["bow", "cnn", "rcnn", "lstm", "gru"])
def test_the_same_seed_gives_the_same_model(kind: str, forum_system: Any, unmeasured: TrainingData) -> None:
    system = forum_system(kind, training__epochs=2)

    first, again, other = (learn(system, unmeasured, seed=seed)[0].weights() for seed in (0, 0, 1))

    assert same(first, again)
    assert not same(first, other)


@pytest.mark.parametrize("after", [1, 2])
@pytest.mark.parametrize("optimiser", ["sgd", "adam", "adadelta"])
def test_an_interrupted_training_ends_with_the_same_weights(
    after: int, optimiser: str, tmp_path: Path, forum_system: Any, unmeasured: TrainingData
) -> None:
    system = forum_system(training__optimiser=optimiser, training__batch=20)
    whole, _ = learn(system, unmeasured)
    checkpoint = Checkpoint(tmp_path / "standing", "mine")
    with pytest.raises(KeyboardInterrupt):
        learn(system, unmeasured, checkpoint, on_epoch=interrupting(after))

    rest: list[Epoch] = []
    continued, _ = learn(system, unmeasured, checkpoint, on_epoch=rest.append)

    assert [epoch.number for epoch in rest] == list(range(after + 1, 4))
    assert same(continued.weights(), whole.weights())


@pytest.mark.parametrize("after", [1, 3])
def test_an_interrupted_training_knows_its_best_epoch(
    after: int, tmp_path: Path, forum_system: Any, forum_data: TrainingData
) -> None:
    system = forum_system("bow", start="ones", training__epochs=4, training__rate=0.05)
    whole, standing = learn(system, forum_data)
    checkpoint = Checkpoint(tmp_path / "standing", "mine")
    with pytest.raises(KeyboardInterrupt):
        learn(system, forum_data, checkpoint, on_epoch=interrupting(after))

    continued, again = learn(system, forum_data, checkpoint)

    assert (again.best_epoch, again.best_value) == (standing.best_epoch, standing.best_value)
    assert [(epoch.loss, epoch.dev) for epoch in again.epochs] == [
        (epoch.loss, epoch.dev) for epoch in standing.epochs
    ]
    assert same(continued.weights(), whole.weights())


@pytest.mark.parametrize("damage", ["another identity", "half a file", "a changed byte", "no file"])
def test_what_cannot_be_gone_on_from_is_done_anew(
    damage: str, tmp_path: Path, forum_system: Any, forum_data: TrainingData
) -> None:
    path = tmp_path / "standing"
    with pytest.raises(KeyboardInterrupt):
        learn(forum_system(), forum_data, Checkpoint(path, "mine"), on_epoch=interrupting(2))
    if damage == "half a file":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif damage == "a changed byte":
        content = bytearray(path.read_bytes())
        content[-100] ^= 1
        path.write_bytes(content)
    elif damage == "no file":
        path.unlink()
    identity = "other" if damage == "another identity" else "mine"

    epochs: list[Epoch] = []
    learn(forum_system(), forum_data, Checkpoint(path, identity), on_epoch=epochs.append)

    assert [epoch.number for epoch in epochs] == [1, 2, 3]


def test_without_marks_to_measure_with_the_last_epoch_counts(
    forum_system: Any, unmeasured: TrainingData
) -> None:
    _, standing = learn(forum_system(), unmeasured)

    assert standing.best_epoch == 3
    assert [epoch.dev for epoch in standing.epochs] == [None] * 3


def test_without_any_marks_there_is_nothing_to_do(forum_system: Any, forum_data: TrainingData) -> None:
    data = TrainingData(forum_data.questions, forum_data.pairs[:0], np.arange(len(forum_data.questions)))

    learner, standing = learn(forum_system(), data)

    assert standing.epochs == []
    assert all(np.isfinite(weight).all() for weight in learner.weights().values())


@pytest.mark.parametrize("unknown", ["dropped", "shared", "ngrams"])
def test_unknown_words_may_be_dropped_shared_or_spelled(
    unknown: str, forum_system: Any, forum_data: TrainingData
) -> None:
    learner, _ = learn(forum_system(words__unknown=unknown, words__min_count=3), forum_data)

    weights = learner.weights()
    assert ("part0.shared" in weights) == (unknown == "shared")
    assert ("part0.buckets" in weights) == (unknown == "ngrams")
    assert np.isfinite(learner.encoder().encode(forum_data.questions[:20]).dense).all()


def test_inference_scores_as_training_does(forum_system: Any, forum_data: TrainingData) -> None:
    for kind in ("bow", "cnn", "rcnn", "lstm", "gru"):
        learner, _ = learn(forum_system(kind, training__epochs=1, fields="average"), forum_data)
        rows = np.arange(0, 50, 5)

        scores = learner.network.scores(learner.texts, rows).detach().numpy()
        model = learner.encoder()
        vectors = model.encode([forum_data.questions[row] for row in rows])
        queries = model.as_queries(vectors)
        ours = [scores_of(queries.row(row), vectors, model.columns) for row in range(len(rows))]
        np.testing.assert_allclose(ours, scores, atol=1e-5)


def test_a_loss_that_is_no_number_is_an_error(forum_system: Any, forum_data: TrainingData) -> None:
    learner = Learner.start(forum_system(), forum_data.questions, 0)
    with torch.no_grad():
        next(learner.network.parameters()).fill_(float("nan"))

    with pytest.raises(TrainingError, match=r"lower training\.rate"):
        finetune(learner, forum_data, 0, measure=None, checkpoint=NOWHERE)
