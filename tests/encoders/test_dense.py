"""Questions through a network: fields, unknown words, IDF, 8 bits."""

from dataclasses import replace

import numpy as np
import pytest
from small_models import (
    AVERAGE,
    CNN,
    GRU,
    INPUTS,
    LSTM,
    QUESTIONS,
    RCNN,
    UNITS,
    dense,
    encoder_for,
    random_weights,
    vocabulary_for,
)

from askagain.encoders import dense as dense_module
from askagain.encoders.dense import DenseEncoder
from askagain.encoders.inputs import NGRAMS
from askagain.encoders.networks import network_encoder
from askagain.encoders.settings import Average, Cnn, Part, Rcnn
from askagain.encoders.subwords import SubwordTable, fit_subwords
from askagain.encoders.texts import packed, padded
from askagain.encoders.vectors import Floats
from askagain.encoders.wordvectors import WordVectors
from askagain.question import Question

NETWORK = Rcnn(hidden=UNITS)


def vectors(part: Part, *questions: Question) -> Floats:
    encoder = encoder_for(part)
    return encoder.encode(encoder.reader.read(questions)).dense


def by_hand(part: Part, inputs: Floats) -> Floats:
    """What the network makes of one text whose words have these vectors, with unit length."""
    weights = random_weights(part, vocabulary_for(part))
    named = {name.removeprefix("network."): array for name, array in weights.items()}
    batch = padded(packed([range(len(inputs))]), np.array([0]))
    vector = network_encoder(part.network, inputs, named).encode(batch)[0]
    return vector / np.linalg.norm(vector)


def rows_of(part: Part, *words: str) -> Floats:
    vocabulary = vocabulary_for(part)
    return random_weights(part, vocabulary)["words"][[vocabulary.numbers[word] for word in words]]


@pytest.mark.parametrize("part", [AVERAGE, CNN, LSTM, GRU, RCNN], ids=lambda part: part.kind)
def test_vectors_have_unit_length(part: Part) -> None:
    lengths = np.linalg.norm(vectors(part, *QUESTIONS), axis=1)
    assert lengths == pytest.approx([1, 1, 1, 1, 0])


def test_a_question_with_two_texts_is_the_average_of_both_before_normalising() -> None:
    encoder = encoder_for(RCNN)
    known = vocabulary_for(RCNN).known
    texts = packed([known(["boot", "stick"]), known(["my", "computer"])])
    one, other = dense_module.text_vectors(*encoder.network_for(texts, ()))
    [both] = vectors(RCNN, Question("boot stick", "my computer"))
    np.testing.assert_allclose(both, (one + other) / np.linalg.norm(one + other), atol=1e-6)


@pytest.mark.parametrize(
    "question", [Question("boot stick"), Question("", "boot stick"), Question("zebra", "boot stick")]
)
def test_a_text_without_known_words_does_not_count(question: Question) -> None:
    [expected] = vectors(replace(RCNN, fields="title"), Question("boot stick"))
    np.testing.assert_allclose(vectors(RCNN, question)[0], expected, atol=1e-6)


def test_joined_texts_are_one_text() -> None:
    part = replace(RCNN, fields="joined")
    [expected] = vectors(part, Question("boot stick my computer"))
    np.testing.assert_allclose(vectors(part, Question("boot stick", "my computer"))[0], expected, atol=1e-6)


def test_only_the_first_words_are_read() -> None:
    part = replace(RCNN, longest=2)
    [expected] = vectors(part, Question("boot stick"))
    np.testing.assert_allclose(vectors(part, Question("boot stick my computer"))[0], expected, atol=1e-6)


def test_dropped_words_leave_no_gap() -> None:
    part = dense(Cnn(hidden=UNITS))
    expected = by_hand(part, rows_of(part, "boot", "stick"))
    np.testing.assert_allclose(vectors(part, Question("boot zebra stick"))[0], expected, atol=1e-6)


def test_unknown_words_share_a_vector() -> None:
    part = dense(NETWORK, unknown="shared")
    shared = random_weights(part, vocabulary_for(part))["shared"]
    expected = by_hand(part, np.stack([rows_of(part, "boot")[0], shared, shared]))
    np.testing.assert_allclose(vectors(part, Question("boot zebra gnu"))[0], expected, atol=1e-6)


def test_unknown_words_get_vectors_from_their_parts() -> None:
    part = dense(NETWORK, unknown="ngrams")
    table = SubwordTable(random_weights(part, vocabulary_for(part))["buckets"], 3, 5)
    expected = by_hand(part, np.stack([table.of("gnu"), rows_of(part, "boot")[0], table.of("zebra")]))
    np.testing.assert_allclose(vectors(part, Question("gnu boot zebra"))[0], expected, atol=1e-6)


def test_unknown_words_have_the_parts_that_were_fitted() -> None:
    fitted = fit_subwords(WordVectors(("boot",), np.ones((1, 2), dtype=np.float32)))
    assert (fitted.shortest, fitted.longest) == NGRAMS


def test_inputs_are_multiplied_by_idf_and_an_unknown_word_counts_as_rare() -> None:
    part = dense(NETWORK, unknown="shared", idf_inputs=True)
    vocabulary = vocabulary_for(part)
    shared = random_weights(part, vocabulary)["shared"]
    boot = rows_of(part, "boot")[0] * np.log(4 / 3)  # 3 of the 4 questions have the word
    expected = by_hand(part, np.stack([boot, shared * np.log(4)]).astype(np.float32))
    np.testing.assert_allclose(vectors(part, Question("boot zebra"))[0], expected, atol=1e-6)


def test_words_in_8_bits_give_nearly_the_same_vectors() -> None:
    precise, small = (vectors(dense(NETWORK, bits=bits), *QUESTIONS[:4]) for bits in (32, 8))
    assert (precise * small).sum(axis=1).min() > 0.999


def test_ngrams_in_8_bits_give_nearly_the_same_vectors() -> None:
    precise, small = (
        vectors(dense(NETWORK, unknown="ngrams", bits=bits), Question("zebra gnu")) for bits in (32, 8)
    )
    assert (precise * small).sum() > 0.999


def word_vectors(part: Part, *words: str) -> Floats:
    encoder = encoder_for(part)
    assert isinstance(encoder, DenseEncoder)
    return encoder.word_vectors(words)


def test_single_words_have_the_vectors_that_the_network_reads() -> None:
    part = dense(NETWORK, unknown="ngrams")
    table = SubwordTable(random_weights(part, vocabulary_for(part))["buckets"], *NGRAMS)
    expected = [table.of("zebra"), *rows_of(part, "stick", "boot"), table.of("gnu")]
    np.testing.assert_allclose(word_vectors(part, "zebra", "stick", "boot", "gnu"), expected, atol=1e-6)


def test_single_words_have_their_idf() -> None:
    part = dense(NETWORK, unknown="shared", idf_inputs=True)
    shared = random_weights(part, vocabulary_for(part))["shared"]
    expected = [rows_of(part, "boot")[0] * np.log(4 / 3), shared * np.log(4)]
    np.testing.assert_allclose(word_vectors(part, "boot", "zebra"), expected, atol=1e-6)


def test_the_vector_of_a_word_is_that_of_an_average_of_it_alone() -> None:
    part = dense(Average(hidden=INPUTS), unknown="ngrams", bits=8)
    for word in ("boot", "zebra"):
        [whole] = vectors(part, Question(word))
        [alone] = word_vectors(part, word)
        np.testing.assert_allclose(alone / np.linalg.norm(alone), whole, atol=1e-6)


def test_encoding_leaves_the_weights_alone() -> None:
    part = dense(NETWORK, idf_inputs=True)
    weights = random_weights(part, vocabulary_for(part))
    for array in weights.values():
        array.flags.writeable = False
    encoder = encoder_for(part, weights)
    first, again = (encoder.encode(encoder.reader.read(QUESTIONS)).dense for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_many_questions_give_what_few_give(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = encoder_for(dense(NETWORK, unknown="shared"))
    texts = encoder.reader.read(QUESTIONS * 3)
    at_once = encoder.encode(texts).dense
    monkeypatch.setattr(dense_module, "_QUESTIONS_AT_ONCE", 4)
    np.testing.assert_allclose(encoder.encode(texts).dense, at_once, atol=1e-6)


def test_no_question_at_all() -> None:
    assert vectors(RCNN).shape == (0, UNITS)
