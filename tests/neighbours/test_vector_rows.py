"""The growing store of vectors."""

import time

import numpy as np
import pytest
from brute_force_vectors import random_vectors
from hypothesis import given
from hypothesis import strategies as st
from word_model import use_small_chunks

from askagain.encoders.vectors import QuestionVectors
from askagain.neighbours.rows import Rows, selected


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> Rows:
    """A store with chunks of 8 rows."""
    use_small_chunks(monkeypatch, 8)
    return Rows(3)


def held(rows: Rows) -> dict[int, tuple[list[float], list[int], list[float]]]:
    """Dense values, columns and sparse values of each living row, by its number."""
    found = {}
    for chunk in rows.chunks.values():
        for place in np.flatnonzero(chunk.alive).tolist():
            row = chunk.vectors.row(place)
            number = int(chunk.numbers[place])
            assert number not in found
            found[number] = parts(row)
    return found


def parts(row: QuestionVectors) -> tuple[list[float], list[int], list[float]]:
    return row.dense[0].tolist(), row.columns.tolist(), row.values.tolist()


def test_rows_come_back_as_they_were_given(rows: Rows) -> None:
    vectors = random_vectors(1, 21, 3, 5)
    rows.append(range(100, 121), vectors)
    assert held(rows) == {100 + place: parts(vectors.row(place)) for place in range(21)}
    assert [chunk.count for chunk in rows.chunks.values()] == [8, 8, 5]


def test_removed_rows_are_gone_and_unknown_numbers_are_passed_over(rows: Rows) -> None:
    rows.append(range(5), random_vectors(1, 5, 3, 5))
    rows.remove([1, 3, 3, 77, 10**9])
    assert sorted(held(rows)) == [0, 2, 4]
    assert len(rows) == 3


def test_rows_are_located_as_often_as_they_are_asked_for(rows: Rows) -> None:
    vectors = random_vectors(1, 21, 3, 5)
    rows.append(range(21), vectors)
    rows.remove([4])
    asked = np.array([20, 3, 4, 20, -1, 10**9, 9])
    found = {}
    for chunk, places, pairs in rows.located(asked):
        found |= {
            pair: parts(chunk.vectors.row(row)) for row, pair in zip(places, pairs.tolist(), strict=True)
        }
    assert found == {pair: parts(vectors.row(asked[pair])) for pair in (0, 1, 3, 6)}
    assert rows.located(asked[:0]) == []


def test_a_removed_number_can_come_back(rows: Rows) -> None:
    first, second = random_vectors(1, 1, 3, 5), random_vectors(2, 1, 3, 5)
    rows.append([4], first)
    rows.remove([4])
    rows.append([4], second)
    assert held(rows) == {4: parts(second)}


def test_a_full_chunk_is_dropped_when_more_than_a_third_is_dead(rows: Rows) -> None:
    vectors = random_vectors(1, 18, 3, 5)
    rows.append(range(18), vectors)
    rows.remove([0, 1])
    assert list(rows.chunks) == [0, 1, 2]
    rows.remove([2])
    assert list(rows.chunks) == [1, 2]
    assert held(rows) == {place: parts(vectors.row(place)) for place in range(3, 18)}


def test_a_chunk_gets_another_name_with_every_new_row_and_keeps_it_otherwise(rows: Rows) -> None:
    names = set()
    for number in range(8):
        rows.append([number], random_vectors(number, 1, 3, 5))
        names.add(rows.chunks[0].name)
    rows.remove([2])
    assert len(names) == 8
    assert rows.chunks[0].name in names


@given(st.lists(st.lists(st.integers(0, 30), unique=True, max_size=12), max_size=12))
def test_any_sequence_of_replacements_keeps_the_latest(batches: list[list[int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        use_small_chunks(patch, 8)
        rows, wanted = Rows(3), {}
        for seed, numbers in enumerate(batches):
            vectors = random_vectors(seed, len(numbers), 3, 5)
            rows.remove(numbers)
            rows.append(numbers, vectors)
            wanted.update({number: parts(vectors.row(place)) for place, number in enumerate(numbers)})
            assert held(rows) == wanted
            assert len(rows) == len(wanted)


def test_a_new_row_among_very_many_takes_a_few_milliseconds() -> None:
    rows, count = Rows(16), 300_000
    vectors = QuestionVectors(
        np.ones((count, 16), np.float32), np.zeros(0, np.int32), np.zeros(0, np.float32),
        np.zeros(count + 1, np.int64),
    )  # fmt: skip
    rows.append(range(count), vectors)
    times = []
    for number in range(count, count + 20):
        start = time.perf_counter()
        rows.remove([number - count])
        rows.append([number], vectors.row(0))
        times.append(time.perf_counter() - start)
    assert min(times) < 0.01


def test_selected_rows_are_in_the_order_that_was_asked_for() -> None:
    vectors = random_vectors(5, 10, 2, 6)
    some = selected(vectors, np.array([7, 0, 7]))
    assert [parts(some.row(place)) for place in range(3)] == [parts(vectors.row(p)) for p in (7, 0, 7)]
