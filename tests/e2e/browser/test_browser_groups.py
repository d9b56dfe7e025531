"""Moderate, groups: questions that ask the same, confirmed at once, redirected to one of them."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from visiting import Visitor, served

from askagain import Archive
from askagain.question import Mark, Question, Verdict
from running_service import RunningService

A_PAGE = 100


@pytest.fixture(scope="module")
def repetitive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A forum in which everything was asked twice."""
    path = tmp_path_factory.mktemp("repetitive") / "forum.db"
    with Archive.open(path) as archive, archive.transaction():
        for number in range(A_PAGE + 1):
            archive.put_many(Question(f"Bus {number} to town", id=f"{number}-{time}") for time in ("a", "b"))
            archive.mark(Mark(f"{number}-a", f"{number}-b"))
    with served(path, "queue = false\n") as service:
        yield service


def unconfirmed(page: Page) -> Locator:
    return page.locator("#groups .result").filter(has=page.get_by_role("button", name="Confirm all"))


def test_a_group_names_the_question_that_it_is_kept_under_and_why(
    visitor: Visitor, looked_through: RunningService
) -> None:
    page = visitor.open(looked_through, "moderate/groups")

    group = page.locator("#groups .result").first

    expect(group.get_by_role("heading", level=2)).not_to_be_empty()
    expect(group).to_contain_text(re.compile(r"asked \d+ times"))
    expect(group).to_contain_text(re.compile("Kept under this question: it (has|is) "))


def test_the_groups_are_a_tab_of_moderate(visitor: Visitor, looked_through: RunningService) -> None:
    page = visitor.open(looked_through, "moderate")

    page.get_by_role("navigation", name="Moderate").get_by_role("link", name="Groups").click()

    expect(page).to_have_url(re.compile("#moderate/groups$"))
    expect(page.locator("#groups .result").first).to_be_visible()
    expect(page.locator("#pairs")).to_be_hidden()


def test_members_are_confirmed_or_have_a_probability(
    visitor: Visitor, looked_through: RunningService
) -> None:
    page = visitor.open(looked_through, "moderate/groups")

    expect(page.locator(".members li").filter(has_text="confirmed").first).to_be_visible()
    expect(unconfirmed(page).first.locator(".members li").first).to_contain_text(re.compile(r"\d\d %"))
    expect(unconfirmed(page).first).to_contain_text(re.compile(r"weakest pair \d\d %"))


def test_a_group_is_confirmed_at_once(
    visitor: Visitor, looked_through: RunningService, forum_path: Path
) -> None:
    page = visitor.open(looked_through, "moderate/groups", key=looked_through.moderator)
    kept_under = unconfirmed(page).first.get_by_role("heading").text_content()
    members = unconfirmed(page).first.locator(".members li").count()

    unconfirmed(page).first.get_by_role("button", name="Confirm all").click()

    expect(page.get_by_text("Confirmed: all of them are duplicates.")).to_be_visible()
    with Archive.open(forum_path) as archive:
        marked = [mark for mark in archive.marks(Verdict.DUPLICATE) if mark.who == "moderator"]
        for mark in marked:
            pair = archive.get_many([mark.first, mark.second]).values()
            assert kept_under in [question.title for question in pair]
            archive.withdraw(mark.first, mark.second)
    assert len(marked) == members


def test_further_groups_are_shown_on_request(visitor: Visitor, repetitive: RunningService) -> None:
    page = visitor.open(repetitive, "moderate/groups")
    expect(page.locator("#groups .result")).to_have_count(A_PAGE)

    page.get_by_role("button", name="Show more groups").click()

    expect(page.locator("#groups .result")).to_have_count(A_PAGE + 1)
    expect(page.locator("#groups .result").last.get_by_role("heading")).to_be_focused()


def test_redirects_are_downloaded(visitor: Visitor, looked_through: RunningService) -> None:
    page = visitor.open(looked_through, "moderate/groups", key=looked_through.moderator)

    with page.expect_download() as download:
        page.get_by_role("button", name="Download redirects.csv").click()

    with Path(download.value.path()).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert download.value.suggested_filename == "redirects.csv"
    assert {"from_id": "cooking-42", "to_id": "cooking-13", "from_url": "", "to_url": ""} in rows


def test_a_forum_without_groups_says_so(visitor: Visitor, keyed: RunningService) -> None:
    page = visitor.open(keyed, "moderate/groups", key=keyed.moderator)

    expect(page.get_by_text("No question has been asked twice so far.")).to_be_visible()
