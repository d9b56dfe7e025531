"""Data and systems that learn in a moment."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.cli.training import trainable
from askagain.encoders.recipe import EncoderSystem, read_encoder_system
from askagain.encoders.vectorfiles import save_vectors
from askagain.encoders.wordvectors import WordVectors
from askagain.question import Verdict
from askagain.sample import forum
from askagain.training.data import TrainingData, assembled
from askagain.training.wordvectors import count_words, first_vectors


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    """Tiny products are slower with more."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def forum_data() -> TrainingData:
    """The sample forum: the marks of two topics to learn from, of one to measure with."""
    pairs = [(mark.first, mark.second) for mark in forum.marks() if mark.verdict is Verdict.DUPLICATE]
    train = [pair for pair in pairs if pair[0].startswith(("computers", "cooking"))]
    dev = [pair for pair in pairs if pair[0].startswith("travel")]
    return assembled(forum.questions(), train, dev, source="sample forum")


@pytest.fixture(scope="session")
def unmeasured(forum_data: TrainingData) -> TrainingData:
    """The same with nothing to measure with: the weights after the last epoch are kept, good or bad."""
    return replace(forum_data, dev=None)


def tiny_system(
    kind: str = "cnn", *, pretraining: dict[str, Any] | None = None, **settings: Any
) -> EncoderSystem:
    """A system of one part with 8 units; `words__unknown` is a setting of its words."""
    words = {name[7:]: value for name, value in settings.items() if name.startswith("words__")}
    training = {name[10:]: value for name, value in settings.items() if name.startswith("training__")}
    rest = {name: value for name, value in settings.items() if "__" not in name}
    part = {"kind": kind, "analyzer": {"stemmer": "none"}, "longest": 30, **rest}
    if kind != "bow":
        part |= {"hidden": 8, "words": {"dimension": 8, **words}}
    recipe: dict[str, Any] = {
        "name": f"tiny {kind}",
        "parts": [part],
        "training": {"epochs": 3, "rate": 0.01, **training},
    }
    if pretraining is not None:
        recipe["pretraining"] = {"epochs": 2, "batch": 64, "rate": 0.01, "sampled": 50, **pretraining}
    return read_encoder_system(recipe, "tiny")


@pytest.fixture(name="tiny_system")
def make_tiny_system() -> Any:
    """The maker of tiny systems."""
    return tiny_system


@pytest.fixture(scope="session")
def forum_vectors(forum_data: TrainingData, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a random vector for every word of the sample forum."""
    terms = Analyzer(AnalyzerSettings(stemmer="none")).terms
    posts = (post for question in forum_data.questions for post in (question.title, question.body))
    words = sorted({word for post in posts for word in terms(post)})
    matrix = np.random.default_rng(0).normal(size=(len(words), 8)).astype(np.float32)
    path = tmp_path_factory.mktemp("vectors") / "forum.txt"
    save_vectors(path, WordVectors(tuple(words), matrix))
    return path


@pytest.fixture
def forum_system(forum_vectors: Path) -> Any:
    """The maker of tiny systems for the sample forum: their word vectors need no training."""
    return partial(tiny_system, words__own=False, words__files=[str(forum_vectors)])


@pytest.fixture(scope="session")
def skipgram_file(forum_data: TrainingData, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The word vectors that the small systems learn from the sample forum's text, learned once for all."""
    part = trainable("rcnn-small").parts[0]
    vocabulary, vectors = first_vectors(
        part, count_words(part, forum_data.questions), forum_data.questions, 0
    )
    path = tmp_path_factory.mktemp("vectors") / "skipgram.txt"
    save_vectors(path, WordVectors(vocabulary.words, vectors))
    return path
