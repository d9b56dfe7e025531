"""Reads questions; what it has read it remembers in short, for all who look at words."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from sys import getsizeof
from typing import Final

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.encoders.vectors import Ints
from askagain.explanations.lexicon import GrowingNumbers, Lexicon
from askagain.explanations.reading import FUNCTION_WORDS, Post, Reading
from askagain.question import Question

# So much of a title, and of a body, is looked at.
_MOST_WORDS: Final = 500
_MOST_CHARACTERS: Final = 8_000

_MOST_BYTES: Final = 64_000_000
"""Enough for some 100,000 titles, or 30,000 questions of a hundred words."""
# About what Python needs besides the texts of questions and the numbers of their words.
_BYTES_OF_A_QUESTION: Final = 400
_BYTES_OF_A_WORD: Final = 250
_BYTES_OF_NUMBERS: Final = 8

Texts = tuple[str, str]
"""The beginnings of a title and of a body."""
Place = tuple[int, int, int]
"""Where the words of a title begin in a memory, where those of the body begin, and where these end."""


class Memory:
    """The words of many questions, one question after the other, by their numbers; each with its stem."""

    def __init__(self) -> None:
        self.words = Lexicon()
        self.stems = Lexicon()
        self.places: dict[Texts, Place] = {}
        self._words_of_all = GrowingNumbers()
        self._stems_of_all = GrowingNumbers()
        self._bytes_of_texts = 0

    @property
    def words_of_all(self) -> Ints:
        """The numbers of all words of all questions."""
        return self._words_of_all.array

    @property
    def stems_of_all(self) -> Ints:
        """The numbers of their stems."""
        return self._stems_of_all.array

    @property
    def is_full(self) -> bool:
        """Whether it is time for a new one."""
        numbers = self._words_of_all.count * _BYTES_OF_NUMBERS
        words = (len(self.words) + len(self.stems)) * _BYTES_OF_A_WORD
        questions = len(self.places) * _BYTES_OF_A_QUESTION
        return self._bytes_of_texts + numbers + words + questions > _MOST_BYTES

    def add(self, texts: Texts, words: Sequence[str], stems: Sequence[str], title: int) -> Place:
        """Remember the words of a title and a body, of which the first are those of the title."""
        start = self._words_of_all.count
        self._words_of_all.extend([self.words[word] for word in words])
        self._stems_of_all.extend([self.stems[stem] for stem in stems])
        self._bytes_of_texts += getsizeof(texts[0]) + getsizeof(texts[1])
        # Last: whoever sees the place finds the rest.
        place = self.places[texts] = (start, start + title, start + len(words))
        return place


class QuestionReader:
    """Reads questions as an analyser does, with function words and the order of words.

    May be shared by threads.
    """

    def __init__(self, settings: AnalyzerSettings) -> None:
        # Without stop words an analyser has one stem for each token.
        self._analyzer = Analyzer(replace(settings, stop_words="none", ngrams=1))
        self._memory = Memory()
        self._lock = threading.Lock()

    def read(self, question: Question) -> Reading:
        """The beginning of the title and of the body, word by word."""
        memory, [(title, body, end)] = self.places([question])
        return Reading(_post(memory, title, body), _post(memory, body, end))

    def places(self, questions: Sequence[Question]) -> tuple[Memory, list[Place]]:
        """Where the words of questions are in a memory."""
        memory = self._memory
        if memory.is_full:
            # A new one, and not the old one emptied: another thread may be reading that.
            memory = self._memory = Memory()
        return memory, [self._place(question, memory) for question in questions]

    def _place(self, question: Question, memory: Memory) -> Place:
        texts = question.title[:_MOST_CHARACTERS], question.body[:_MOST_CHARACTERS]
        known = memory.places.get(texts)
        if known is not None:
            return known
        (title_words, title_stems), (body_words, body_stems) = map(self._words_and_stems, texts)
        with self._lock:
            return memory.add(texts, title_words + body_words, title_stems + body_stems, len(title_words))

    def _words_and_stems(self, raw: str) -> tuple[list[str], list[str]]:
        if not raw:
            return [], []
        words, stems = self._analyzer.words_and_terms(raw)
        return words[:_MOST_WORDS], stems[:_MOST_WORDS]


@cache
def question_reader(settings: AnalyzerSettings) -> QuestionReader:
    """The one of this process: whoever reads a question spares all others the work."""
    return QuestionReader(settings)


def _post(memory: Memory, start: int, end: int) -> Post:
    words = memory.words.texts(memory.words_of_all[start:end].tolist())
    stems = memory.stems.texts(memory.stems_of_all[start:end].tolist())
    telling = [place for place, word in enumerate(words) if word not in FUNCTION_WORDS]
    return Post(tuple(words), tuple(stems), tuple(telling))
