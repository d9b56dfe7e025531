"""Which words of a question networks read."""

import numpy as np

from askagain.encoders.wordvectors import WordVectors
from askagain.question import Question
from askagain.rerank.judges.reading import WordReader, all_words, content_words

VISA = Question("How do I renew my visa?", "The <b>visa</b> is old.")
WORDS = ("how", "do", "renew", "my", "visa", "the", "old")
VECTORS = WordVectors(WORDS, np.ones((len(WORDS), 2), dtype=np.float32))


def test_all_words_of_title_and_body_are_read_if_they_have_a_vector() -> None:
    words = WordReader(all_words, VECTORS, longest=100).words(VISA)

    assert words == ["how", "do", "renew", "my", "visa", "the", "visa", "old"]


def test_content_words_are_those_that_could_be_keywords() -> None:
    assert WordReader(content_words, VECTORS, longest=100).words(VISA) == ["renew", "visa", "visa", "old"]


def test_so_many_words_are_read_as_are_asked_for() -> None:
    assert WordReader(content_words, VECTORS, longest=2).words(VISA) == ["renew", "visa"]


def test_words_are_rows_of_the_vectors() -> None:
    assert WordReader(all_words, VECTORS, longest=9).numbers(["visa", "how"]).tolist() == [4, 0]
