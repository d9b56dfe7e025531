"""Reasons: what a score is made of, in the words of the question."""

from dataclasses import replace

import numpy as np
import pytest
from small_models import (
    AVERAGE,
    BOW,
    CNN,
    CNN_MEAN,
    GRU,
    LSTM,
    PARTS,
    QUESTIONS,
    RCNN,
    UNITS,
    dense,
    model_for,
)

from askagain.encoders.dense import DenseEncoder
from askagain.encoders.explaining import MOST_REASONS
from askagain.encoders.model import Model
from askagain.encoders.rcnn import RcnnEncoder
from askagain.encoders.settings import Cnn, Part, Rcnn
from askagain.encoders.texts import packed, padded
from askagain.question import Question, Reason

PAIR = (QUESTIONS[0], replace(QUESTIONS[2], title="boot from the driver"))


def score(model: Model, question: Question, candidate: Question) -> float:
    vectors = model.encode([question, candidate])
    queries, kept = model.as_queries(vectors).row(0), vectors.row(1)
    theirs = dict(zip(kept.columns.tolist(), kept.values.tolist(), strict=True))
    mine = zip(queries.columns.tolist(), queries.values.tolist(), strict=True)
    sparse = sum(value * theirs.get(column, 0.0) for column, value in mine)
    return float(queries.dense[0] @ kept.dense[0]) + sparse


def shares(reasons: list[Reason], field: str) -> dict[str, float]:
    return {reason.term: reason.share for reason in reasons if reason.field == field}


@pytest.mark.parametrize("fields", ["average", "joined", "title", "body"])
@pytest.mark.parametrize("part", [BOW, CNN], ids=["bow", "cnn"])
def test_shares_add_up_to_the_weighted_cosine(part: Part, fields: str) -> None:
    model = model_for(replace(part, fields=fields), weights=[0.7])
    reasons = model.explain(*PAIR)
    assert sum(reason.share for reason in reasons) == pytest.approx(score(model, *PAIR), abs=1e-5)


def test_shares_of_several_parts_add_up_to_the_score() -> None:
    model = model_for(BOW, CNN, weights=[0.7, 1.8])
    pair = QUESTIONS[1], QUESTIONS[2]
    assert sum(reason.share for reason in model.explain(*pair)) == pytest.approx(
        score(model, *pair), abs=1e-5
    )


@pytest.mark.parametrize("part", [BOW, CNN, RCNN], ids=["bow", "cnn", "rcnn"])
@pytest.mark.parametrize(
    ("fields", "named"),
    [("average", {"title", "body"}), ("joined", {"text"}), ("title", {"title"}), ("body", {"body"})],
)
def test_reasons_name_the_field(part: Part, fields: str, named: set[str]) -> None:
    reasons = model_for(replace(part, fields=fields)).explain(*PAIR)
    assert {reason.field for reason in reasons} == named


def test_only_shared_words_are_reasons_of_a_bag() -> None:
    reasons = model_for(BOW).explain(*PAIR)
    assert shares(reasons, "title").keys() == {"boot", "from", "usb"}
    assert shares(reasons, "body").keys() == {"my", "does", "not", "boot", "from", "the", "usb", "stick"}


def test_words_appear_as_the_question_has_them() -> None:
    reasons = model_for(BOW).explain(Question("Booting sticks"), QUESTIONS[1])
    assert shares(reasons, "title").keys() == {"booting", "sticks"}


def test_the_largest_share_comes_first() -> None:
    found = [reason.share for reason in model_for(BOW, CNN, RCNN).explain(*PAIR)]
    assert found == sorted(found, reverse=True)


def test_there_are_not_too_many_reasons() -> None:
    long = Question(" ".join(f"{q.title} {q.body}" for q in QUESTIONS))
    reasons = model_for(replace(CNN, network=Cnn(hidden=100))).explain(long, QUESTIONS[0])
    assert len(reasons) == MOST_REASONS


def test_a_window_is_named_by_its_words() -> None:
    part = replace(CNN, network=Cnn(hidden=UNITS, width=3), fields="title")
    reasons = model_for(part).explain(Question("how to boot"), QUESTIONS[0])
    assert {reason.term for reason in reasons} <= {"how to", "how to boot", "to boot"}


def test_a_trailing_window_ends_at_its_word() -> None:
    part = replace(CNN, network=Cnn(hidden=50, width=2, windows="trailing"), fields="title")
    reasons = model_for(part).explain(Question("how to zebra boot"), QUESTIONS[0])
    assert {reason.term for reason in reasons} == {"how", "how to", "to boot"}


@pytest.mark.parametrize("part", [AVERAGE, LSTM, GRU, CNN_MEAN], ids=["average", "lstm", "gru", "cnn-mean"])
def test_a_words_share_is_what_the_score_loses_without_it(part: Part) -> None:
    model = model_for(part, weights=[0.7])
    question, candidate = Question("how to boot", "my computer"), QUESTIONS[2]
    reasons = model.explain(question, candidate)
    without = {
        ("how", "title"): Question("to boot", "my computer"),
        ("boot", "title"): Question("how to", "my computer"),
        ("my", "body"): Question("how to boot", "computer"),
    }
    found = {(reason.term, reason.field): reason.share for reason in reasons}
    for label, shorter in without.items():
        lost = score(model, question, candidate) - score(model, shorter, candidate)
        assert found[label] == pytest.approx(lost, abs=1e-6)


def test_without_its_only_word_a_question_loses_the_whole_score() -> None:
    model = model_for(LSTM)
    [reason] = model.explain(Question("boot"), QUESTIONS[2])
    assert reason.share == pytest.approx(score(model, Question("boot"), QUESTIONS[2]), abs=1e-6)


def test_an_rcnn_counts_a_word_as_far_as_it_was_let_in() -> None:
    question, candidate = Question("how to boot"), QUESTIONS[2]
    model = model_for(RCNN)
    [encoder] = model.parts
    assert isinstance(encoder, DenseEncoder)
    texts = packed([encoder.reader.vocabulary.known(["how", "to", "boot"])])
    network, numbered = encoder.network_for(texts, ())
    assert isinstance(network, RcnnEncoder)
    opened = network.openness(padded(numbered, np.array([0])))[0]
    found = shares(model.explain(question, candidate), "title")
    lost = score(model, question, candidate) - score(model, Question("to boot"), candidate)
    assert found["how"] == pytest.approx(opened[0] * lost, abs=1e-6)


def test_a_constant_gate_lets_every_word_in_alike() -> None:
    constant = dense(Rcnn(hidden=UNITS, gate="constant", decay=0.25))
    model = model_for(constant)
    question, candidate = Question("how to boot"), QUESTIONS[2]
    lost = score(model, question, candidate) - score(model, Question("how to"), candidate)
    assert shares(model.explain(question, candidate), "title")["boot"] == pytest.approx(0.75 * lost, abs=1e-6)


def test_repeated_words_are_one_reason() -> None:
    reasons = model_for(LSTM).explain(Question("boot usb boot"), QUESTIONS[0])
    assert sorted(reason.term for reason in reasons) == ["boot", "usb"]


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("question", [Question("zebra"), Question("")])
def test_without_known_words_there_is_no_reason(part: Part, question: Question) -> None:
    assert model_for(part).explain(question, QUESTIONS[0]) == []


@pytest.mark.parametrize("unknown", ["shared", "ngrams"])
def test_unknown_words_are_reasons_where_they_have_vectors(unknown: str) -> None:
    reasons = model_for(dense(Rcnn(hidden=UNITS), unknown=unknown)).explain(
        Question("boot zebra"), QUESTIONS[0]
    )
    assert {reason.term for reason in reasons} == {"boot", "zebra"}


@pytest.mark.timeout(30)
def test_a_gigantic_post_is_explained_by_its_beginning() -> None:
    body = "boot usb " * 5000 + "driver"
    reasons = model_for(replace(RCNN, longest=20_000)).explain(Question("how", body), QUESTIONS[2])
    assert {reason.term for reason in reasons} == {"how", "boot", "usb"}
