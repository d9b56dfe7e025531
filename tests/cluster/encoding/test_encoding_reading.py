"""Questions and pairs of archives, JSON Lines and Parquet files, each at its place."""

import gzip
import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from askagain import Archive, Question
from askagain.cluster.encoding.pairs import QuestionPair
from askagain.cluster.encoding.reading import placed_pairs, placed_questions
from askagain.errors import MissingExtraError, SourceError
from askagain.sources.base import Skipped
from support import require

ROWS = [
    {"id": "a", "title": "Boot from USB", "body": "It does not."},
    {"id": 2, "title": "Sticky rice"},
    {"id": "c", "title": " "},
    {"id": "d", "title": "Zug\u0000 \u200b <b>late</b>"},
]
QUESTIONS = [
    (1, Question("Boot from USB", "It does not.", "a")),
    (2, Question("Sticky rice", "", "2")),
    (4, Question("Zug \u200b <b>late</b>", "", "d")),
]


def json_lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def parquet(path: Path, columns: dict[str, Any]) -> Path:
    require(find_spec("pyarrow") is not None, "no pyarrow; pip install 'askagain[cluster]'")
    import pyarrow
    from pyarrow.parquet import write_table

    write_table(pyarrow.table(columns), path)
    return path


def good(found: list[Any]) -> list[Any]:
    return [each for each in found if not isinstance(each, Skipped)]


def skipped(found: list[Any]) -> list[tuple[int, str]]:
    return [(each.line, each.reason) for each in found if isinstance(each, Skipped)]


def test_the_place_of_an_archived_question_is_its_number(archive: Archive) -> None:
    archive.delete("computers-2")
    archive.edit(Question(id="computers-3", title="Changed", tags=("t",), answer="Yes"))

    found = good(list(placed_questions(archive.path)))

    assert [place for place, _ in found[:3]] == [1, 3, 4]
    assert found[1] == (3, Question("Changed", "", "computers-3"))
    assert len(found) == len(archive)


def test_a_line_of_json_is_a_question_at_the_line(tmp_path: Path) -> None:
    found = list(placed_questions(json_lines(tmp_path / "q.jsonl", ROWS)))

    assert good(found) == QUESTIONS
    assert skipped(found) == [(3, "question 'c' has no title")]


def test_lines_may_be_gzipped(tmp_path: Path) -> None:
    plain = json_lines(tmp_path / "q.jsonl", ROWS)
    packed = tmp_path / "q.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))

    assert good(list(placed_questions(packed))) == QUESTIONS


def test_broken_lines_are_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b'{"id": "a", "title": "One"}\nnot json\n\n{"id": "b", "title": "\xff"}\n[1]\n'
                     b'{"first": "a", "second": "b"}\n{"id": "c", "title": "Two"}')  # fmt: skip

    found = list(placed_questions(path))

    assert [place for place, _ in good(found)] == [1, 7]
    assert [line for line, _ in skipped(found)] == [2, 4, 5]


def test_a_question_too_large_for_an_archive_is_reported(tmp_path: Path) -> None:
    path = json_lines(tmp_path / "q.jsonl", [{"id": "a", "title": "x" * 6_000_000}, ROWS[0]])

    found = list(placed_questions(path))

    assert [place for place, _ in good(found)] == [2]
    assert "more than the 5000000 allowed" in skipped(found)[0][1]


def test_a_row_of_parquet_is_a_question_at_the_row(tmp_path: Path) -> None:
    columns = {name: [str(row.get(name, "")) for row in ROWS] for name in ("id", "title", "body")}

    found = list(placed_questions(parquet(tmp_path / "q.parquet", {**columns, "score": [1, 2, 3, 4]})))

    assert good(found) == QUESTIONS
    assert skipped(found) == [(3, "question 'c' has no title")]


def test_a_text_of_parquet_that_is_not_utf8_is_reported(tmp_path: Path) -> None:
    path = parquet(tmp_path / "q.parquet", {"id": ["a", "b"], "title": ["One", "Two"]})
    path.write_bytes(path.read_bytes().replace(b"One", b"\xff\xffe"))

    found = list(placed_questions(path))

    assert skipped(found) == [(1, "a text is not UTF-8")]
    assert good(found) == [(2, Question("Two", "", "b"))]


def test_parquet_without_the_columns_of_questions_is_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path / "q.parquet", {"name": ["a"]})

    with pytest.raises(SourceError, match="has no columns id and title, only name"):
        list(placed_questions(path))


def test_a_cut_off_parquet_file_is_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path / "q.parquet", {"id": ["a"], "title": ["One"]})
    path.write_bytes(path.read_bytes()[:-20])

    with pytest.raises(SourceError, match=r"cannot read .*q\.parquet"):
        list(placed_questions(path))


def test_without_pyarrow_the_error_names_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as where it is not installed
    (tmp_path / "q.parquet").write_bytes(b"PAR1")

    with pytest.raises(MissingExtraError, match=r"pip install 'askagain\[cluster\]'"):
        list(placed_questions(tmp_path / "q.parquet"))


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("id,title\n1,One\n")

    with pytest.raises(SourceError, match="neither an archive nor JSON Lines nor Parquet"):
        list(placed_questions(tmp_path / "q.csv"))


def test_the_pairs_of_an_archive_are_its_marks(archive: Archive) -> None:
    found = good(list(placed_pairs(archive.path)))

    assert [place for place, _ in found] == list(range(1, 271))
    assert {pair.verdict for _, pair in found} == {"duplicate", "not-duplicate"}
    assert all(pair.first.title and pair.second.title for _, pair in found)


def test_a_pair_on_a_line_is_two_questions(tmp_path: Path) -> None:
    rows = [
        {"first": {"title": "One"}, "second": {"id": 2, "title": "Two", "body": "B"}},
        {"first": "a", "second": "b"},
    ]

    found = list(placed_pairs(json_lines(tmp_path / "p.jsonl", rows)))

    assert good(found) == [(1, QuestionPair(Question("One"), Question("Two", "B", "2")))]
    assert skipped(found) == [(2, "'first' is not a question with a title but 'a'")]


def test_a_pair_in_a_row_of_parquet_has_two_structures(tmp_path: Path) -> None:
    sides = {"first": [{"id": "a", "title": "One"}], "second": [{"id": "b", "title": "Two"}]}

    found = good(list(placed_pairs(parquet(tmp_path / "p.parquet", sides))))

    assert found == [(1, QuestionPair(Question("One", "", "a"), Question("Two", "", "b")))]
