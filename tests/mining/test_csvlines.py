"""CSV that spreadsheets can open without harm."""

import csv

import pytest

from askagain.mining.csvlines import csv_line


def test_cells_are_quoted_where_they_must_be() -> None:
    assert csv_line(["a,b", 'say "hi"', 0.5, None]) == '"a,b","say ""hi""",0.5,\r\n'


@pytest.mark.parametrize("start", list("=+-@\t\r\n'"))
def test_a_formula_becomes_a_text(start: str) -> None:
    [[cell, number]] = csv.reader([csv_line([f"{start}cmd|calc", -1])])

    assert cell == f"'{start}cmd|calc"
    assert number == "-1"
