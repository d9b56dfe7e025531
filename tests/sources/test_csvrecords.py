import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain.sources.base import Skipped, no_progress
from askagain.sources.csvrecords import MAX_RECORD_LINES, CsvRecords


def read(tmp_path, content: str | bytes, delimiter=","):
    path = tmp_path / "table"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(CsvRecords(path, delimiter, no_progress))


def test_quoted_cells_may_hold_delimiters_quotes_and_line_ends(tmp_path):
    content = 'id,title\n1,"a, ""b""\nc"\n2,5" disk\n'
    assert read(tmp_path, content) == [(1, ["id", "title"]), (2, ["1", 'a, "b"\nc']), (4, ["2", '5" disk'])]


def test_a_quote_that_is_never_closed_costs_one_row(tmp_path):
    rows = read(tmp_path, 'id,title\n1,"open\n2,fine\n3,also fine\n')
    assert rows[2:] == [(3, ["2", "fine"]), (4, ["3", "also fine"])]
    assert isinstance(rows[1], Skipped)
    assert rows[1].line == 2
    assert rows[1].reason.startswith("broken quoting")


def test_a_stray_quote_does_not_pair_with_the_quotes_of_later_rows(tmp_path):
    rows = read(tmp_path, 'id,title\n1,"open\n2,"quoted"\n3,"quoted too"\n')
    assert [row if isinstance(row, tuple) else row.line for row in rows] == [
        (1, ["id", "title"]),
        2,
        (3, ["2", "quoted"]),
        (4, ["3", "quoted too"]),
    ]


def test_a_record_has_a_largest_number_of_lines(tmp_path):
    rows = read(tmp_path, 'id,title\n1,"' + "x\n" * (MAX_RECORD_LINES + 10) + '"\n2,fine\n')
    assert isinstance(rows[1], Skipped)
    assert rows[1].line == 2
    assert rows[-1][1] == ["2", "fine"]


def test_unquoted_tsv_is_taken_literally(tmp_path):
    rows = read(tmp_path, 'id\ttitle\n1\t"No such file" error\n2\t"open\n3\tfine\n', delimiter="\t")
    assert [cells for _, cells in rows[1:]] == [["1", '"No such file" error'], ["2", '"open'], ["3", "fine"]]


def test_a_row_of_another_width_is_reported(tmp_path):
    path = tmp_path / "table"
    rows = read(tmp_path, "id,title\n1\n2,a,b\n3,fine\n")
    assert rows[1:3] == [
        Skipped(path, 2, "1 columns where the header has 2"),
        Skipped(path, 3, "3 columns where the header has 2"),
    ]
    assert rows[3] == (4, ["3", "fine"])


def test_an_unreadable_line_inside_a_record_is_reported_with_the_record(tmp_path):
    rows = read(tmp_path, b'id,title\n1,"a\n\xff\xfe\nb"\n2,fine\n')
    assert [row.line for row in rows if isinstance(row, Skipped)][:2] == [2, 3]
    assert rows[-1] == (5, ["2", "fine"])


def test_a_cell_above_the_standard_limit_of_the_csv_module_arrives(tmp_path):
    rows = read(tmp_path, "id,title\n1," + "x" * 500_000 + "\n")
    assert len(rows[1][1][1]) == 500_000


STAYS_OPEN = 'a","\n'


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param('1,"open\n2,""\n' * 20_000, id="each quote meets the next one"),
        pytest.param(STAYS_OPEN * 40_000, id="no quote is ever closed"),
        pytest.param((STAYS_OPEN * 1_999 + 'a"\n') * 20, id="all quotes are closed by one line"),
    ],
)
def test_many_stray_quotes_take_no_quadratic_time(tmp_path, lines):
    start = time.perf_counter()
    rows = read(tmp_path, "id,title\n" + lines)
    assert len(rows) == 40_001
    assert time.perf_counter() - start < 10


def test_good_rows_between_stray_quotes_are_kept(tmp_path):
    rows = read(tmp_path, 'id,title\n1,"open\n2,fine\n3,"two\nlines"\n4,"open\n5,"fine, too"\n')
    assert [row if isinstance(row, tuple) else row.line for row in rows] == [
        (1, ["id", "title"]),
        2,
        (3, ["2", "fine"]),
        (4, ["3", "two\nlines"]),
        6,
        (7, ["5", "fine, too"]),
    ]


@given(content=st.text(st.sampled_from('ab",\t\r\n \x00é'), max_size=60), delimiter=st.sampled_from(",\t"))
def test_no_text_makes_the_reader_fail(tmp_path_factory, content, delimiter):
    folder = tmp_path_factory.mktemp("any")
    rows = read(folder, content, delimiter)
    assert len(rows) <= content.count("\n") + 1
