"""Precision and recall by the month of the mark."""

import pytest
from made_up import duplicate, period, rejected

from askagain.reporting.periods import UNDATED, month_of, over_time


@pytest.mark.parametrize(
    ("when", "month"),
    [
        ("2024-05-02", "2024-05"),
        ("2024-05-31T23:59:59+00:00", "2024-05"),
        (" 2024-05-02 ", "2024-05"),
        ("", UNDATED),
        ("yesterday", UNDATED),
        ("2024-13-01", UNDATED),
        ("<script>", UNDATED),
    ],
)
def test_a_mark_counts_in_its_month(when: str, month: str) -> None:
    assert month_of(when) == month


def test_months_stand_in_order_and_marks_without_a_date_last() -> None:
    outcomes = [duplicate(""), duplicate("2024-02-01"), duplicate("2023-12-31"), duplicate("2024-02-28")]

    months = over_time(outcomes)

    assert [(month.name, month.duplicates) for month in months] == [
        ("2023-12", 1),
        ("2024-02", 2),
        (UNDATED, 1),
    ]


def test_precision_is_over_what_would_have_been_suggested() -> None:
    found = period(duplicate(), duplicate(), duplicate(), rejected(), rejected(suggested=False)).precision

    assert found is not None
    assert (found.part, found.whole, found.value) == (3, 4, 0.75)
    assert 0 < found.low < 0.75 < found.high < 1


def test_recall_is_over_all_marked_duplicates() -> None:
    found = period(duplicate(), duplicate(suggested=False), rejected()).recall

    assert found is not None
    assert (found.part, found.whole) == (1, 2)


def test_without_rejected_pairs_there_is_no_precision() -> None:
    assert period(duplicate(), duplicate()).precision is None


def test_without_suggestions_there_is_no_precision_and_no_recall_of_nothing() -> None:
    silent = period(rejected(suggested=False))

    assert silent.precision is None
    assert silent.recall is None
