"""The compiled part of the signals of words. Sets of words are marks here, one per stem."""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.jit import Array, Arrays, compiled, inlined

_TITLE: Final = np.uint8(1)
_BODY: Final = np.uint8(2)


@compiled
def compare_words(stems: Arrays, weights: Array, has_digit: Array, lists: Arrays, signals: Array) -> None:
    """Fills a row of signals for each question that was found.

    Stems are their numbers, and where titles and bodies begin; lists are (asked, found, starts).
    """
    numbers, starts = stems
    asked, found, list_starts = lists
    marks = np.zeros(len(weights), dtype=np.uint8), np.zeros(len(weights), dtype=np.uint8)
    for place in range(len(asked)):
        rows = slice(list_starts[place], list_starts[place + 1])
        _compare_list(stems, asked[place], found[rows], weights, has_digit, marks, signals[rows])
        _unmark(numbers[starts[2 * asked[place]] : starts[2 * asked[place] + 2]], marks[0])


@compiled
def _compare_list(
    stems: Arrays, own: int, others: Array, weights: Array, has_digit: Array, marks: Arrays, signals: Array
) -> None:
    """The same for one list; leaves marks of the question that asks."""
    numbers, starts = stems
    asked, found = marks
    title, body = _title(numbers, starts, own), _body(numbers, starts, own)
    my_title, my_body = _marked(title, _TITLE, asked), _marked(body, _BODY, asked)
    my_pairs = _pairs(title, len(weights))
    for row in range(len(others)):
        other, other_body = _title(numbers, starts, others[row]), _body(numbers, starts, others[row])
        their_title, their_body = _marked(other, _TITLE, found), _marked(other_body, _BODY, found)
        mine, both, covered, missing, without = _part_of(my_title, found, weights, has_digit)
        theirs, _, covering, extra, extra_numbers = _part_of(their_title, asked, weights, has_digit)
        signals[row, 0] = _share(both, mine)
        signals[row, 1] = _share(both, theirs)
        signals[row, 2] = _share(both, mine + theirs - both)
        signals[row, 3] = _shared_pairs(my_pairs, _pairs(other, len(weights)))
        signals[row, 4] = _same_start(title, other)
        signals[row, 5] = _share(covered, mine)
        signals[row, 6] = _share(covering, theirs)
        signals[row, 7] = missing
        signals[row, 8] = extra
        signals[row, 9] = without
        signals[row, 10] = extra_numbers
        signals[row, 11] = _body_overlap(my_body, their_body, asked, weights)
        signals[row, 12] = np.log1p(len(title))
        signals[row, 13] = np.log1p(len(other))
        signals[row, 14] = np.log1p(len(body))
        signals[row, 15] = np.log1p(len(other_body))
        _unmark(other, found)
        _unmark(other_body, found)


@inlined
def _title(numbers: Array, starts: Array, question: int) -> Array:
    return numbers[starts[2 * question] : starts[2 * question + 1]]


@inlined
def _body(numbers: Array, starts: Array, question: int) -> Array:
    return numbers[starts[2 * question + 1] : starts[2 * question + 2]]


@inlined
def _unmark(stems: Array, marks: Array) -> None:
    for stem in stems:
        marks[stem] = 0


@inlined
def _marked(stems: Array, mark: np.uint8, marks: Array) -> Array:
    """The different stems of a text, in their order; each has the mark then."""
    different = np.empty(len(stems), dtype=np.int32)
    count = 0
    for stem in stems:
        if not marks[stem] & mark:
            marks[stem] |= mark
            different[count] = stem
            count += 1
    return different[:count]


@inlined
def _part_of(
    title: Array, marks: Array, weights: Array, has_digit: Array
) -> tuple[float, float, float, float, float]:
    """A title's weight; that of what the other title has, and the other question; the heaviest word that the
    other question lacks, and how many numbers it lacks.
    """
    total, in_title, anywhere, heaviest, numbers = 0.0, 0.0, 0.0, 0.0, 0.0
    for stem in title:
        weight = weights[stem]
        total += weight
        if marks[stem] & _TITLE:
            in_title += weight
        if marks[stem]:
            anywhere += weight
        else:
            heaviest = max(heaviest, weight)
            numbers += has_digit[stem]
    return total, in_title, anywhere, heaviest, numbers


@inlined
def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


@inlined
def _pairs(title: Array, size: int) -> Array:
    """The different pairs of neighbours, each as one number, ascending."""
    pairs = np.empty(len(title), dtype=np.int64)
    count = 0
    for second in range(1, len(title)):
        pair = np.int64(title[second - 1]) * size + title[second]
        place = count
        while place > 0 and pairs[place - 1] > pair:
            place -= 1
        if place > 0 and pairs[place - 1] == pair:
            continue
        for later in range(count, place, -1):
            pairs[later] = pairs[later - 1]
        pairs[place] = pair
        count += 1
    return pairs[:count]


@inlined
def _shared_pairs(mine: Array, theirs: Array) -> float:
    """How many of the pairs are in both, as a share of the fewer."""
    shared, place, other = 0, 0, 0
    while place < len(mine) and other < len(theirs):
        shared += mine[place] == theirs[other]
        if mine[place] <= theirs[other]:
            place += 1
        else:
            other += 1
    return _share(float(shared), float(min(len(mine), len(theirs))))


@inlined
def _same_start(title: Array, other: Array) -> bool:
    if len(title) == 0 or len(other) == 0:
        return len(title) == len(other)
    return bool(title[0] == other[0])


@inlined
def _body_overlap(body: Array, other: Array, asked: Array, weights: Array) -> float:
    """What both bodies have, against the geometric mean of what each has."""
    if len(body) == 0 or len(other) == 0:
        return np.nan
    both, each = 0.0, weights[body].sum() * weights[other].sum()
    for stem in other:
        if asked[stem] & _BODY:
            both += weights[stem]
    return both / np.sqrt(each) if each > 0 else 0.0
