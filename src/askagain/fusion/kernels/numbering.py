"""The words of many questions, numbered together: small numbers, of which each is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Ints, Offsets
from askagain.explanations.reader import QuestionReader
from askagain.jit import Array, compiled
from askagain.question import Question

# So many words of a body, and of a title where words look for their counterparts, are compared.
_LONGEST_BODY: Final = 150
_LONGEST_TITLE: Final = 40


@dataclass(frozen=True, eq=False)
class Stems:
    """Those of each question's title and then of its body, for one question after the other.

    Title q is at `starts[2q]:starts[2q + 1]`, and its body goes on to `starts[2q + 2]`. `texts` and
    `has_digit` tell what the numbers stand for.
    """

    numbers: Ints
    starts: Offsets
    texts: list[str]
    has_digit: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Titles:
    """The first words of each question's title, as they are written.

    Title q is at `starts[q]:starts[q + 1]`, and `texts` tells what the numbers stand for. Each of the `texts`
    has the stem beside it.
    """

    numbers: Ints
    starts: Offsets
    texts: list[str]
    stems: Ints


def numbered(reader: QuestionReader, questions: Sequence[Question]) -> tuple[Stems, Titles]:
    """Reads questions."""
    memory, found = reader.places(questions)
    places = np.array(found, dtype=np.int64).reshape(-1, 3)
    words, stems = memory.words_of_all, memory.stems_of_all
    numbers, starts, kept, number_of = _joined_stems(stems, places, len(memory.stems))
    texts = memory.stems.texts(kept.tolist())
    titles, title_starts, kept_words, stem_of = _joined_titles(
        words, stems, places, len(memory.words), number_of
    )
    return (
        Stems(numbers, starts, texts, np.array([_has_digit(text) for text in texts], dtype=np.bool_)),
        Titles(titles, title_starts, memory.words.texts(kept_words.tolist()), stem_of),
    )


def _has_digit(text: str) -> bool:
    return not text.isalpha() and any(map(str.isdigit, text))


@compiled
def _joined_stems(stems: Array, places: Array, size: int) -> tuple[Array, Array, Array, Array]:
    """The stems of questions under new numbers, where each title and body begins, the old number of each new
    one, and the new one of each old one, of which there are `size`.
    """
    longest = 0
    for question in range(len(places)):
        longest += places[question, 2] - places[question, 0]
    numbers, kept = np.empty(longest, dtype=np.int32), np.empty(longest, dtype=np.int32)
    starts = np.zeros(2 * len(places) + 1, dtype=np.int64)
    number_of = np.full(size, -1, dtype=np.int32)
    count, end = 0, 0
    for question in range(len(places)):
        title, body, last = places[question]
        for place in range(title, min(last, body + _LONGEST_BODY)):
            stem = stems[place]
            if number_of[stem] < 0:
                number_of[stem] = count
                kept[count] = stem
                count += 1
            numbers[end] = number_of[stem]
            end += 1
        starts[2 * question + 1] = starts[2 * question] + body - title
        starts[2 * question + 2] = end
    return numbers[:end], starts, kept[:count], number_of


@compiled
def _joined_titles(
    words: Array, stems: Array, places: Array, size: int, stem_number_of: Array
) -> tuple[Array, Array, Array, Array]:
    """The same for the first words of titles, but at the end the new number of each new word's stem."""
    longest = len(places) * _LONGEST_TITLE
    numbers, kept = np.empty(longest, dtype=np.int32), np.empty(longest, dtype=np.int32)
    stem_of = np.empty(longest, dtype=np.int32)
    starts = np.zeros(len(places) + 1, dtype=np.int64)
    number_of = np.full(size, -1, dtype=np.int32)
    count, end = 0, 0
    for question in range(len(places)):
        title, body, _ = places[question]
        for place in range(title, min(body, title + _LONGEST_TITLE)):
            word = words[place]
            if number_of[word] < 0:
                number_of[word] = count
                kept[count] = word
                stem_of[count] = stem_number_of[stems[place]]
                count += 1
            numbers[end] = number_of[word]
            end += 1
        starts[question + 1] = end
    return numbers[:end], starts, kept[:count], stem_of[:count]
