from pathlib import Path

import pytest

from askagain.errors import SourceError
from askagain.sources.base import Skipped
from askagain.sources.rows import RowError, all_or_error, convert_rows

PATH = Path("f")


def positive_halves(number):
    yield number // 2
    if number < 0:
        raise RowError("negative")


def test_a_row_error_becomes_a_report_after_what_the_row_gave():
    assert list(convert_rows([(1, 4), (2, -4), (3, 6)], PATH, positive_halves)) == [
        2,
        -2,
        Skipped(PATH, 2, "negative"),
        3,
    ]


def test_reports_from_below_are_passed_on():
    report = Skipped(PATH, 1, "unreadable")
    assert list(convert_rows([report, (2, 8)], PATH, positive_halves)) == [report, 4]


def test_where_every_row_counts_a_bad_one_is_an_error_with_file_and_line():
    with pytest.raises(SourceError, match=r"^f, line 7: cut off"):
        list(all_or_error([1, Skipped(PATH, 7, "cut off")]))
