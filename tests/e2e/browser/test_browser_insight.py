"""Insight: the archive, what people said of suggestions, and the model in numbers and pictures."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect
from visiting import Visitor, load_half, served, type_question, visiting

from askagain import Archive
from askagain.question import Mark, Verdict
from commands import succeeded
from running_service import RunningService

QUICK = ["--set", "learning.methods=logistic", "--set", "fusion.depth=20"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A forum with a model of its own, and with verdicts of a moderator in two months."""
    path = tmp_path_factory.mktemp("trained") / "forum.db"
    with Archive.open(path) as archive:
        load_half(archive)
    succeeded("train", "best", "--archive", path, *QUICK)
    with Archive.open(path) as archive:
        judge(archive, "2026-08-03T10:00:00Z", Verdict.DUPLICATE, Verdict.NOT_DUPLICATE)
        judge(archive, "2026-09-07T10:00:00Z", Verdict.DUPLICATE, Verdict.DUPLICATE)
    with served(path, "min_probability = 1.0\n") as service:
        yield service


def judge(archive: Archive, when: str, *verdicts: Verdict) -> None:
    """Judges pairs that nobody has marked: those of neighbours in the list."""
    known = {frozenset((mark.first, mark.second)) for mark in archive.marks()}
    pairs = (pair for pair in pairwise(archive.questions()) if frozenset(q.id for q in pair) not in known)
    for verdict, (first, second) in zip(verdicts, pairs, strict=False):
        archive.mark(Mark(first.id, second.id, verdict, who="ann", when=when))


@pytest.fixture(scope="module")
def page(browser: Browser, trained: RunningService) -> Iterator[Page]:
    with visiting(browser) as visitor:
        yield visitor.open(trained, "insight")


def figure(page: Page, name: str) -> str:
    cell = page.locator(".figures div").filter(has=page.get_by_text(name, exact=True))
    expect(cell).to_be_visible()
    return " ".join(cell.locator("dd").all_text_contents())


def test_the_archive_in_numbers(page: Page) -> None:
    assert figure(page, "Questions") == "176 in the archive"
    assert figure(page, "Pairs marked") == "137 80 as duplicates"
    assert figure(page, "Suggestions right") == "75 % 3 of 4 judged"
    assert figure(page, "Feedback") == "0 0 found an answer"
    assert "of the archive looked through" in figure(page, "Pairs to judge")


def test_suggestions_by_month(page: Page) -> None:
    rows = page.get_by_role("row")

    expect(rows).to_have_text(["MonthRightWrongShare", "2026-0811 50 %", "2026-0920 100 %"])
    expect(page.get_by_role("meter", name="2026-08: 50 %")).to_be_visible()


def test_what_is_asked_again_and_again(page: Page) -> None:
    expect(page.get_by_role("heading", name="What people ask again and again")).to_be_visible()
    expect(page.locator(".faq li")).to_have_count(10)
    expect(page.locator(".faq li").first).to_contain_text(re.compile(r"asked \d+ times"))


def test_the_pictures_of_the_model_are_drawn_and_described(page: Page) -> None:
    calibration = page.get_by_role("img", name="Calibration")
    expect(calibration).to_be_visible()
    calibration.scroll_into_view_if_needed()

    expect(page.get_by_role("img", name="Precision and recall")).to_be_visible()
    expect(calibration).to_have_js_property("complete", True)
    assert calibration.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0


def test_the_model_card_unfolds(page: Page) -> None:
    page.get_by_text("Model card").click()

    expect(page.locator("pre")).to_contain_text("# best")


def test_a_model_that_is_never_sure_enough_says_so(visitor: Visitor, trained: RunningService) -> None:
    page = visitor.open(trained, "insight")
    expect(page.get_by_text("so it suggests nothing unless asked for less likely ones")).to_be_visible()

    page.get_by_role("link", name="Ask", exact=True).click()
    type_question(page, "How do I save my file and quit vim?")

    expect(page.get_by_text("No earlier question is certain enough to be suggested.")).to_be_visible()


def test_probabilities_of_other_forums_are_told_as_such(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum, "insight")

    expect(page.get_by_text("Its probabilities come from other forums")).to_be_visible()
    expect(page.get_by_text("Below 5 % nothing is suggested.")).to_be_visible()
