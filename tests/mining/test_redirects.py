"""Redirects from confirmed duplicates, and their table."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain import Archive, Mark, Question, Verdict
from askagain.mining.redirects import Redirect, redirects, to_csv


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "forum.db") as archive:
        for id_ in "abcde":
            answer = "Press F12." if id_ == "c" else ""
            archive.add(Question(id=id_, title=f"question {id_}", url=f"https://forum/{id_}", answer=answer))
        yield archive


def table(archive: Archive) -> list[str]:
    return [f"{one.from_question.id}->{one.to_question.id}" for one in redirects(archive)]


def test_every_confirmed_duplicate_leads_to_the_canonical_question(archive: Archive) -> None:
    for pair in ("ab", "bc", "de"):
        archive.mark(Mark(*pair))
    assert table(archive) == ["a->c", "b->c", "e->d"]


def test_a_rejected_pair_is_no_duplicate(archive: Archive) -> None:
    archive.mark(Mark("a", "b", Verdict.NOT_DUPLICATE))
    assert table(archive) == []


def test_nobody_is_sent_to_what_people_called_different(archive: Archive) -> None:
    archive.mark(Mark("a", "b"))
    archive.mark(Mark("b", "c"))
    archive.mark(Mark("a", "c", Verdict.NOT_DUPLICATE))
    assert table(archive) == ["b->c"]


def test_deleted_questions_are_left_out(archive: Archive) -> None:
    archive.mark(Mark("a", "b"))
    archive.mark(Mark("d", "e"))
    archive.delete("b")
    assert table(archive) == ["e->d"]


def test_the_table_has_ids_and_urls(archive: Archive) -> None:
    archive.mark(Mark("a", "c"))
    assert list(to_csv(redirects(archive))) == [
        "from_id,to_id,from_url,to_url\r\n",
        "a,c,https://forum/a,https://forum/c\r\n",
    ]


def test_without_duplicates_the_table_has_a_header_only() -> None:
    assert list(to_csv([])) == ["from_id,to_id,from_url,to_url\r\n"]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=4, max_size=4))
def test_no_cell_is_a_formula_and_nothing_else_is_changed(cells: list[str]) -> None:
    source, target, source_url, target_url = (cell.replace("\0", "") for cell in cells)
    row = Redirect(
        Question(title="", id=source, url=source_url), Question(title="", id=target, url=target_url)
    )
    [_, found] = csv.reader(list(to_csv([row])))

    for cell, written in zip([source, target, source_url, target_url], found, strict=True):
        assert not written.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
        assert written.removeprefix("'") == cell.removeprefix("'")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_that_would_run_gets_an_apostrophe(start: str) -> None:
    question = Question(title="", id=f"{start}cmd|' /C calc'!A0")
    [_, line] = to_csv([Redirect(question, Question(title="", id="target"))])
    assert next(csv.reader([line]))[0] == f"'{question.id}"
