"""Ask: earlier questions while somebody types a new one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from visiting import Visitor, type_question, visiting

from askagain import Archive
from askagain.question import Verdict
from running_service import RunningService

VIM = "vim won't let me quit, how do I exit the editor?"
FOUND = "How do I save my file and quit vim?"
UNHEARD_OF = "Reupholstering a walnut ottoman"


@pytest.fixture(scope="module")
def asked(browser: Browser, forum: RunningService) -> Iterator[Page]:
    """A page on which somebody asks about vim."""
    with visiting(browser) as visitor:
        page = visitor.open(forum)
        type_question(page, VIM)
        yield page


def result(page: Page, title: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=title))


def test_suggestions_come_with_a_probability_in_words_and_as_a_number(asked: Page) -> None:
    expect(result(asked, FOUND)).to_contain_text(re.compile(r"(likely|possible) duplicate · \d\d %"))
    expect(asked.get_by_role("status").filter(has_text="may have your answer")).to_be_visible()


def test_words_that_match_are_marked_in_title_and_excerpt(asked: Page) -> None:
    expect(result(asked, FOUND).locator("h3 mark")).to_have_text(["quit", "vim"])
    expect(result(asked, FOUND).locator(".excerpt mark")).to_have_text(["vim", "quit"])


def test_words_that_only_one_of_the_two_has_are_told(asked: Page) -> None:
    expect(result(asked, FOUND).locator("h3 u.only")).to_have_text(["save", "file"])
    expect(result(asked, FOUND)).to_contain_text(re.compile("not in it: .*editor"))


def test_the_day_of_the_question_is_told(asked: Page) -> None:
    expect(result(asked, FOUND)).to_contain_text("Asked on 19 Jan 2021")


def test_the_answer_unfolds(asked: Page) -> None:
    answer = result(asked, FOUND).get_by_text("Press Esc, then type :wq")
    expect(answer).to_be_hidden()

    result(asked, FOUND).get_by_text("The answer").click()

    expect(answer).to_be_visible()


def test_the_details_count_too(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum)
    type_question(page, "Help, I am stuck")

    page.get_by_label("Details").fill("I cannot save my file and quit vim, whatever I type.")

    expect(result(page, FOUND)).to_be_visible()


def test_two_letters_are_no_question(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum)
    type_question(page, VIM)
    expect(result(page, FOUND)).to_be_visible()

    type_question(page, "vi")

    expect(page.get_by_text("They appear here while you type.")).to_be_visible()
    expect(page.locator(".result")).to_have_count(0)


def test_it_says_plainly_that_nothing_is_similar_and_shows_less_likely_ones_on_request(
    visitor: Visitor, forum: RunningService
) -> None:
    page = visitor.open(forum)
    type_question(page, UNHEARD_OF)
    expect(page.get_by_text("Nothing similar has been asked before.")).to_be_visible()

    page.get_by_role("button", name="Show less likely ones").click()

    expect(page.locator(".result").first).to_contain_text("unlikely duplicate")
    expect(page.get_by_role("heading", name="Earlier questions")).to_be_focused()
    expect(page.get_by_role("button", name="Show less likely ones")).to_be_hidden()


def test_an_answer_that_comes_late_is_dropped(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum)
    held: list[Route] = []
    page.route("**/v1/similar", lambda route: route.continue_() if held else held.append(route))
    type_question(page, VIM)
    page.wait_for_timeout(300)

    type_question(page, "My rice is sticky and mushy")
    expect(result(page, "My rice always turns out sticky and mushy")).to_be_visible()
    held[0].continue_()
    page.wait_for_timeout(300)

    expect(result(page, FOUND)).to_have_count(0)


def test_it_says_that_the_service_cannot_be_reached_and_goes_on_when_it_can(
    visitor: Visitor, forum: RunningService
) -> None:
    visitor.expected.append("ERR_INTERNET_DISCONNECTED")
    page = visitor.open(forum)
    expect(page.get_by_text("They appear here")).to_be_visible()
    page.context.set_offline(True)
    type_question(page, VIM)
    expect(page.get_by_text("The service cannot be reached.")).to_be_visible()

    page.context.set_offline(False)

    expect(result(page, FOUND)).to_be_visible()
    expect(page.get_by_text("The service cannot be reached.")).to_be_hidden()


def test_feedback_without_a_key_asks_for_one_and_is_then_recorded_with_the_focus_kept(
    visitor: Visitor, forum: RunningService, forum_path: Path
) -> None:
    page = visitor.open(forum)
    type_question(page, VIM)
    yes = result(page, FOUND).get_by_role("button", name="This answers my question")
    yes.click()
    expect(page.get_by_role("dialog", name="Your key")).to_be_visible()

    page.get_by_label("Key", exact=True).fill(forum.writer)
    page.get_by_role("button", name="Use this key").click()

    expect(result(page, FOUND).get_by_text("Recorded: this answers your question.")).to_be_visible()
    expect(yes).to_be_focused()
    expect(yes).to_have_attribute("aria-pressed", "true")
    with Archive.open(forum_path) as archive:
        given = list(archive.feedback())[-1]
    assert (given.title, given.found, given.verdict) == (VIM, "computers-1", Verdict.DUPLICATE)


def test_a_suggestion_can_be_said_to_be_another_question(
    visitor: Visitor, forum: RunningService, forum_path: Path
) -> None:
    page = visitor.open(forum, key=forum.writer)
    type_question(page, VIM)

    result(page, FOUND).get_by_role("button", name="Not the same").click()

    expect(result(page, FOUND).get_by_text("Recorded: this is another question.")).to_be_visible()
    with Archive.open(forum_path) as archive:
        assert list(archive.feedback())[-1].verdict is Verdict.NOT_DUPLICATE


def test_feedback_is_given_up_when_the_dialog_is_left(
    visitor: Visitor, forum: RunningService, forum_path: Path
) -> None:
    page = visitor.open(forum)
    type_question(page, VIM)
    result(page, FOUND).get_by_role("button", name="Not the same").click()

    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(result(page, FOUND).get_by_role("button", name="Not the same")).to_be_focused()
    expect(result(page, FOUND).get_by_text("Recorded")).to_have_count(0)
