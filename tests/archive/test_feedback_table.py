"""Feedback: verdicts on matches of questions that need not be in the archive."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from askagain.archive import Archive
from askagain.archive.hygiene import MAX_QUESTION_CHARACTERS
from askagain.errors import ArchiveError, UnknownQuestionError
from askagain.question import Feedback, Question, Verdict

BOOT = Question(id="boot", title="How do I boot from USB?")
WIFI = Question(id="wifi", title="No wireless after an upgrade")
GIVEN = Feedback(
    title="USB does not boot",
    body="<p>It does <b>nothing</b>.</p>",
    found="boot",
    verdict=Verdict.DUPLICATE,
    who="forum-plugin",
    when="2024-05-02T10:00:00+00:00",
)


@pytest.fixture(autouse=True)
def _questions(archive: Archive) -> None:
    archive.put_many([BOOT, WIFI])


def test_feedback_comes_back_exactly_as_it_was_given(archive: Archive) -> None:
    archive.give_feedback(GIVEN)
    assert list(archive.feedback()) == [GIVEN]


def test_feedback_survives_closing_the_file(archive: Archive, path: Path) -> None:
    archive.give_feedback(GIVEN)
    archive.close()
    with Archive.open(path) as again:
        assert list(again.feedback()) == [GIVEN]


def test_each_one_is_a_change_with_the_next_number(archive: Archive) -> None:
    start = archive.sequence.seq
    assert [archive.give_feedback(GIVEN), archive.give_feedback(GIVEN)] == [start + 1, start + 2]
    assert archive.sequence.seq == start + 2


def test_a_view_of_the_questions_has_nothing_to_take_over(archive: Archive) -> None:
    seen = archive.sequence.seq
    archive.give_feedback(GIVEN)
    assert list(archive.changes_since(seen)) == []


def test_it_comes_in_the_order_of_arrival(archive: Archive) -> None:
    archive.give_feedback(Feedback("second", "", "wifi", Verdict.NOT_DUPLICATE))
    archive.give_feedback(Feedback("first", "", "boot", Verdict.DUPLICATE))
    assert [(given.title, given.found, given.verdict) for given in archive.feedback()] == [
        ("second", "wifi", Verdict.NOT_DUPLICATE),
        ("first", "boot", Verdict.DUPLICATE),
    ]


def test_without_a_time_it_gets_the_present_one(archive: Archive) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    archive.give_feedback(Feedback("t", "", "boot", Verdict.DUPLICATE))
    [given] = archive.feedback()
    assert before <= datetime.fromisoformat(given.when) <= datetime.now(UTC)


@pytest.mark.parametrize("found", ["missing", "BOOT", "'; DROP TABLE feedback; --"])
def test_an_unknown_question_is_refused(archive: Archive, found: str) -> None:
    with pytest.raises(UnknownQuestionError, match="unknown question"):
        archive.give_feedback(Feedback("t", "", found, Verdict.DUPLICATE))
    assert list(archive.feedback()) == []


@pytest.mark.parametrize(("found", "complaint"), [("", "is empty"), ("a\0", "control"), ("\ud800", "broken")])
def test_an_impossible_id_is_refused(archive: Archive, found: str, complaint: str) -> None:
    with pytest.raises(ArchiveError, match=complaint):
        archive.give_feedback(Feedback("t", "", found, Verdict.DUPLICATE))


def test_feedback_on_a_deleted_question_is_left_out_until_it_is_back(archive: Archive) -> None:
    archive.give_feedback(GIVEN)
    archive.delete("boot")
    assert list(archive.feedback()) == []
    archive.add(BOOT)
    assert list(archive.feedback()) == [GIVEN]


def test_a_deleted_question_takes_no_feedback(archive: Archive) -> None:
    archive.delete("boot")
    with pytest.raises(UnknownQuestionError):
        archive.give_feedback(GIVEN)


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("a\0b", "ab"),
        ("a\ud83db", "a\ufffdb"),
        ("zero\u200bwidth \U0001f600 <script>", "zero\u200bwidth \U0001f600 <script>"),
        ("", ""),
    ],
)
def test_only_what_sqlite_cannot_store_is_replaced(archive: Archive, given: str, stored: str) -> None:
    archive.give_feedback(Feedback(given, given, "boot", Verdict.DUPLICATE, who=given, when="2024"))
    assert list(archive.feedback()) == [
        Feedback(stored, stored, "boot", Verdict.DUPLICATE, who=stored, when="2024")
    ]


def test_gigantic_feedback_is_refused_with_both_numbers(archive: Archive) -> None:
    huge = Feedback("t", "x" * MAX_QUESTION_CHARACTERS, "boot", Verdict.DUPLICATE)
    with pytest.raises(ArchiveError, match="'boot' has 5000001 characters, more than the 5000000"):
        archive.give_feedback(huge)
