"""Questions as numbers of words that have a vector: all words, those without stop words, or keywords."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from askagain.encoders.vectors import Ints
from askagain.encoders.wordvectors import WordVectors
from askagain.question import Question
from askagain.rerank.features.texts import prepare
from askagain.rerank.keywords.candidates import STOP_WORDS
from askagain.rerank.keywords.keywords import parsed, ranked
from askagain.rerank.keywords.parsing import Parser

_REMEMBERED: Final = 4096

WordsOf = Callable[[Sequence[Question]], list[list[str]]]


class WordReader:
    """Reads the first `longest` words of questions that have a vector."""

    def __init__(self, words_of: WordsOf, vectors: WordVectors, longest: int) -> None:
        self.vectors = vectors
        self._words_of = words_of
        self._longest = longest
        self._one = lru_cache(_REMEMBERED)(lambda question: self.words_of_all([question])[0])

    def words(self, question: Question) -> list[str]:
        """Of one question, in text order; the latest ones are remembered."""
        return self._one(question)

    def words_of_all(self, questions: Sequence[Question]) -> list[list[str]]:
        """Of many questions at once, which parsers like better."""
        every = self._words_of(questions)
        return [[word for word in words if word in self.vectors][: self._longest] for words in every]

    def numbers(self, words: Sequence[str]) -> Ints:
        """The rows of words in the table of vectors."""
        return np.array([self.vectors.index[word] for word in words], dtype=np.int32)


def all_words(questions: Sequence[Question]) -> list[list[str]]:
    """Every word of title and body."""
    return [list(prepare(question).both.words) for question in questions]


def content_words(questions: Sequence[Question]) -> list[list[str]]:
    """The words of title and body that could be keywords."""
    return [[word for word in words if word not in STOP_WORDS] for words in all_words(questions)]


def keywords_with(parser: Parser, vectors: WordVectors) -> WordsOf:
    """The keywords of title and body, as this parser and these vectors find them."""

    def words_of(questions: Sequence[Question]) -> list[list[str]]:
        return [ranked(text, vectors).words for text in parsed(questions, parser)]

    return words_of
