"""The search of TER and TER-Plus: words are inserted, dropped and replaced, and blocks of them are shifted.

The fewest edits with shifts are hard to find; the search is Snover et al.'s greedy one with the limits of
Tercom, as sacrebleu has them: while some shift lowers the cost of the other edits by the cost of a shift at
least, the best one is made. A shifted block matches a part of the reference, neither of them is right where
it is, and the block goes beside a word that is aligned with that part.

Instead of costs the kernels reckon with what is saved against dropping all words of the hypothesis and
inserting all of the reference, which is the same and faster: a row of savings is a running maximum. Savings
are whole numbers, so that equal ones are equal. `savings[h, r]` says what is saved by putting word r of the
reference in the place of word h of the hypothesis: UNIT for a plain substitution, MATCH for the same word. A
row of `phrases` is (h, words, r, words, saving): a phrase of the hypothesis that may be replaced as a whole,
as long as no shift has taken it apart. `order` has the hypothesis' words in their present order. The matrices
`behind`, `ahead` and `trial` have what is saved up to a place in both texts, from there on, and up to there
after a shift that is being tried.
"""

from __future__ import annotations

from math import ceil
from typing import Final, TypeAlias

import numpy as np

from askagain.jit import Array, Arrays, compiled

Shift: TypeAlias = tuple[int, int, int, int]
"""(gain, words, −start, −target): the greatest is the best."""

UNIT: Final = 100
"""The cost of an insertion, a deletion, a plain substitution and a shift."""

MATCH: Final = 2 * UNIT
MOST_TRIALS: Final = 1000
_LONGEST_SHIFT: Final = 10
_FARTHEST_SHIFT: Final = 50
_BEAM: Final = 25
_NEVER: Final = -(1 << 29)


@compiled
def shift_and_edit(order: Array, savings: Array, phrases: Array, trials: int) -> tuple[int, int]:
    """Makes shifts in `order`; returns how many, and the cost of the other edits.

    With as many trials behind it as there may be, the search makes no shift.
    """
    words, wanted = savings.shape
    starts, ends = _near_diagonal(words, wanted)
    behind = _blank(starts, ends, wanted)
    matrices = (behind, behind.copy(), behind.copy(), np.empty_like(order), starts, ends)
    shifts = 0
    while True:
        _edit(behind, order, savings, phrases, starts, ends, 1, words)
        if trials >= MOST_TRIALS:
            break
        _edit_backwards(matrices[1], order, savings, starts, ends)
        best, trials = _best_shift(order, matrices, savings, phrases, trials)
        if trials >= MOST_TRIALS or best[0] < UNIT:
            break
        _shift(order.copy(), -best[2], best[1], -best[3], order)
        shifts += 1
    return shifts, (words + wanted) * UNIT - int(behind[words, wanted])


@compiled
def _near_diagonal(words: int, wanted: int) -> tuple[Array, Array]:
    """Where each row begins and ends; what is beyond is never reached."""
    steepness = wanted / words
    beam = ceil(steepness / 2 + _BEAM) if steepness / 2 > _BEAM else _BEAM
    starts, ends = np.empty(words + 1, dtype=np.int64), np.empty(words + 1, dtype=np.int64)
    for i in range(words + 1):
        middle = int(i * steepness)
        starts[i], ends[i] = max(0, middle - beam), min(wanted + 1, middle + beam)
    ends[0] = ends[words] = wanted + 1
    return starts, ends


@compiled
def _blank(starts: Array, ends: Array, wanted: int) -> Array:
    """A matrix in which nothing is saved yet."""
    matrix = np.full((len(starts), wanted + 1), _NEVER, dtype=np.int32)
    for i in range(len(starts)):
        matrix[i, starts[i] : ends[i]] = 0
    return matrix


@compiled
def _edit(
    behind: Array,
    order: Array,
    savings: Array,
    phrases: Array,
    starts: Array,
    ends: Array,
    first: int,
    last: int,
) -> None:
    """What turning the first i words into the first j saves, for the rows from `first` to `last`."""
    for i in range(first, last + 1):
        end, then = ends[i], max(starts[i], 1)
        above, row, saving = behind[i - 1], behind[i], savings[order[i - 1]]
        _drop_or_replace(
            row[then:end], above[then:end], above[then - 1 : end - 1], saving[then - 1 : end - 1]
        )
        _insert(row[then:end])
        if len(phrases):
            _replace_phrases(behind, order, phrases, i, then, end)


@compiled
def _edit_backwards(ahead: Array, order: Array, savings: Array, starts: Array, ends: Array) -> None:
    """What turning the words behind the first i into those behind the first j saves, without phrases."""
    words, wanted = savings.shape
    for i in range(words - 1, -1, -1):
        start, end = starts[i], min(ends[i], wanted)
        below, row, saving = ahead[i + 1], ahead[i], savings[order[i]]
        _drop_or_replace(row[start:end], below[start:end], below[start + 1 : end + 1], saving[start:end])
        _insert(row[start:end][::-1])


@compiled
def _drop_or_replace(row: Array, dropped: Array, replaced: Array, saving: Array) -> None:
    for place in range(len(row)):
        row[place] = max(dropped[place], np.int32(replaced[place] + saving[place]))


@compiled
def _insert(row: Array) -> None:
    most = np.int32(_NEVER)
    for place in range(len(row)):
        most = max(most, row[place])
        row[place] = most


@compiled
def _replace_phrases(behind: Array, order: Array, phrases: Array, i: int, start: int, end: int) -> None:
    """Raises what row i saves where a whole phrase ends."""
    row = behind[i]
    for number in range(len(phrases)):
        first, size, other, other_size, saving = phrases[number]
        j = other + other_size
        if not (start <= j < end and size <= i and _in_one_piece(order, i - size, first, size)):
            continue
        row[j] = max(row[j], behind[i - size, other] + saving)
        for right in range(j + 1, end):
            row[right] = max(row[right], row[right - 1])


@compiled
def _in_one_piece(order: Array, place: int, first: int, size: int) -> bool:
    offset = 0
    while offset < size and order[place + offset] == first + offset:
        offset += 1
    return offset == size


@compiled
def _align(behind: Array, order: Array, savings: Array, phrases: Array) -> tuple[Array, Array, Array]:
    """Beside which word each word of the reference stands, and which words of either text do not match.

    Of equal savings, a substitution goes before a dropped word, that before an inserted one.
    """
    i, j = savings.shape
    beside = np.empty(j, dtype=np.int64)
    wrong, wrong_wanted = np.ones(i, dtype=np.bool_), np.ones(j, dtype=np.bool_)
    while i > 0 or j > 0:
        here = behind[i, j]
        if i > 0 and j > 0 and here == behind[i - 1, j - 1] + savings[order[i - 1], j - 1]:
            i, j = i - 1, j - 1
            beside[j] = i
            wrong[i] = wrong_wanted[j] = savings[order[i], j] <= UNIT
        elif i > 0 and here == behind[i - 1, j]:
            i -= 1
        elif j > 0 and here == behind[i, j - 1]:
            j -= 1
            beside[j] = i - 1
        else:
            size, other_size = _phrase_before(behind, order, phrases, i, j)
            i, j = i - size, j - other_size
            wrong[i : i + size] = False
            wrong_wanted[j : j + other_size] = False
            beside[j : j + other_size] = i + size - 1
    return beside, wrong, wrong_wanted


@compiled
def _phrase_before(behind: Array, order: Array, phrases: Array, i: int, j: int) -> tuple[int, int]:
    """The sizes of the phrases whose replacement has led here."""
    for number in range(len(phrases)):
        first, size, other, other_size, saving = phrases[number]
        if (
            other + other_size == j
            and size <= i
            and _in_one_piece(order, i - size, first, size)
            and behind[i, j] == behind[i - size, other] + saving
        ):
            return size, other_size
    return i, j  # one of them always has; a kernel must end and stay within its arrays all the same


@compiled
def _best_shift(
    order: Array, matrices: Arrays, savings: Array, phrases: Array, trials: int
) -> tuple[Shift, int]:
    """The best shift, and the number of trials so far."""
    words, wanted = savings.shape
    beside, wrong, wrong_wanted = _align(matrices[0], order, savings, phrases)
    best = (0, 0, 0, 0)
    for start in range(words):
        saving = savings[order[start]]
        for other in range(max(0, start - _FARTHEST_SHIFT), min(wanted, start + _FARTHEST_SHIFT + 1)):
            if saving[other] <= UNIT:
                continue
            any_wrong = any_wrong_wanted = False
            for size in range(1, min(_LONGEST_SHIFT, words - start, wanted - other) + 1):
                last = start + size - 1
                if savings[order[last], other + size - 1] <= UNIT:
                    break
                any_wrong |= wrong[last]
                any_wrong_wanted |= wrong_wanted[other + size - 1]
                if any_wrong and any_wrong_wanted and not start <= beside[other] <= last:
                    block = (start, size, other)
                    best, trials = _try_targets(
                        order, block, beside, matrices, savings, phrases, best, trials
                    )
                    if trials >= MOST_TRIALS:
                        return best, trials
    return best, trials


@compiled
def _try_targets(
    order: Array, block: tuple[int, int, int], beside: Array, matrices: Arrays, savings: Array,
    phrases: Array, best: Shift, trials: int,
) -> tuple[Shift, int]:  # fmt: skip
    """Shifts a block before its counterpart in the reference, and behind each of the counterpart's words."""
    start, size, other = block
    before = -1
    for place in range(other - 1, other + size):
        target = beside[place] + 1 if place >= 0 else 0
        if target == before:
            continue
        before = target
        trials += 1
        saved = _saved_after(order, start, size, target, matrices, savings, phrases)
        shift = (saved - int(matrices[0][savings.shape]), size, -start, -target)
        if shift > best:
            best = shift
    return best, trials


@compiled
def _saved_after(
    order: Array, start: int, size: int, target: int, matrices: Arrays, savings: Array, phrases: Array
) -> int:
    """What is saved after a shift: only the rows of words that change places are new."""
    words, wanted = savings.shape
    behind, ahead, trial, moved, starts, ends = matrices
    first, last = _shift(order, start, size, target, moved)
    if len(phrases):  # which may reach over the first and the last of these rows
        trial[: first + 1] = behind[: first + 1]
        _edit(trial, moved, savings, phrases, starts, ends, first + 1, words)
        return int(trial[words, wanted])
    trial[first] = behind[first]
    _edit(trial, moved, savings, phrases, starts, ends, first + 1, last)
    most = _NEVER
    for j in range(wanted + 1):
        most = max(most, trial[last, j] + ahead[last, j])
    return most


@compiled
def _shift(order: Array, start: int, size: int, target: int, moved: Array) -> tuple[int, int]:
    """Puts the block before the target, into `moved`; returns from where to where words change places.

    A target within the block means that many words further on.
    """
    end = start + size
    moved[:] = order
    if target < start:
        moved[target : target + size] = order[start:end]
        moved[target + size : end] = order[target:start]
        return target, end
    passed = min(target - end if target > end else target - start, len(order) - end)
    moved[start : start + passed] = order[end : end + passed]
    moved[start + passed : end + passed] = order[start:end]
    return start, end + passed
