"""The compiled part of the signals of words. Sets of words are marks here, one per stem."""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.jit import Array, compiled, inlined

_TITLE: Final = np.uint8(1)
_BODY: Final = np.uint8(2)


@compiled
def compare_words(stems: Array, starts: Array, weights: Array, has_digit: Array, signals: Array) -> None:
    """Fills a row of signals for each question but the first one, which asks."""
    asked, found = np.zeros(len(weights), dtype=np.uint8), np.zeros(len(weights), dtype=np.uint8)
    title, body = stems[starts[0] : starts[1]], stems[starts[1] : starts[2]]
    my_title, my_body = _marked(title, _TITLE, asked), _marked(body, _BODY, asked)
    my_pairs = _pairs(title, len(weights))
    for row in range(len(signals)):
        first, middle, last = starts[2 * row + 2], starts[2 * row + 3], starts[2 * row + 4]
        other, other_body = stems[first:middle], stems[middle:last]
        their_title, their_body = _marked(other, _TITLE, found), _marked(other_body, _BODY, found)
        mine, both, covered, missing, numbers = _part_of(my_title, found, weights, has_digit)
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
        signals[row, 9] = numbers
        signals[row, 10] = extra_numbers
        signals[row, 11] = _body_overlap(my_body, their_body, asked, weights)
        signals[row, 12] = np.log1p(len(title))
        signals[row, 13] = np.log1p(len(other))
        signals[row, 14] = np.log1p(len(body))
        signals[row, 15] = np.log1p(len(other_body))
        for stem in stems[first:last]:
            found[stem] = 0


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
    if len(title) < 2:
        return np.zeros(0, dtype=np.int64)
    return np.unique(title[:-1].astype(np.int64) * size + title[1:])


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
