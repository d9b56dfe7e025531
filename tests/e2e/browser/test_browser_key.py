"""The key: given in a dialog, kept for the tab, sent in a header, and nowhere else."""

import pytest
from playwright.sync_api import Page, expect
from visiting import Visitor, type_question

from running_service import RunningService

MADE_UP = "ask_" + "x" * 43


def give_key(page: Page, key: str) -> None:
    page.get_by_label("Key", exact=True).fill(key)
    page.get_by_role("button", name="Use this key").click()


def test_a_key_stays_in_the_tab(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum)
    page.get_by_role("button", name="Your key: none").click()

    give_key(page, forum.writer)

    expect(page.get_by_role("button", name="Your key: set")).to_be_focused()
    assert page.evaluate("Object.values(sessionStorage)") == [forum.writer]
    assert page.evaluate("Object.values(localStorage)") == []
    assert page.context.cookies() == []


def test_a_key_is_sent_in_a_header_and_never_in_an_address(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum, key=forum.writer)

    with page.expect_request("**/v1/similar") as sent:
        type_question(page, "vim")

    assert sent.value.headers["authorization"] == f"Bearer {forum.writer}"
    assert forum.writer not in sent.value.url + page.url


def test_a_key_can_be_removed(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum)
    page.get_by_role("button", name="Your key: none").click()
    give_key(page, forum.writer)
    page.get_by_role("button", name="Your key: set").click()

    page.get_by_role("button", name="Remove the key").click()

    expect(page.get_by_role("button", name="Your key: none")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0


def test_a_key_that_is_unknown_is_not_kept(visitor: Visitor, forum: RunningService) -> None:
    visitor.expected.append("status of 401")
    page = visitor.open(forum)
    page.get_by_role("button", name="Your key: none").click()

    give_key(page, MADE_UP)

    expect(page.get_by_role("alert")).to_contain_text("unknown, revoked or expired")
    assert page.evaluate("sessionStorage.length") == 0


def test_a_key_that_no_header_can_carry_is_refused_at_once(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum)
    page.get_by_role("button", name="Your key: none").click()

    give_key(page, "clé à moi")

    expect(page.get_by_role("alert")).to_contain_text("no spaces and none but plain characters")


def test_where_reads_are_keyed_the_page_says_so_and_goes_on_with_a_key(
    visitor: Visitor, keyed: RunningService
) -> None:
    visitor.expected.append("status of 401")
    page = visitor.open(keyed)
    type_question(page, "Descale a kettle")
    expect(page.get_by_text("this needs a key")).to_be_visible()

    page.get_by_role("button", name="Enter a key").click()
    give_key(page, keyed.moderator)

    expect(page.get_by_role("heading", name="How do I descale a kettle?")).to_be_visible()


@pytest.mark.parametrize("view", ["moderate", "moderate/groups", "insight", "compare"])
def test_every_view_asks_for_the_key_that_it_needs(
    visitor: Visitor, keyed: RunningService, view: str
) -> None:
    visitor.expected.append("status of 401")
    page = visitor.open(keyed, view)
    expect(page.get_by_text("this needs a key")).to_be_visible()

    page.get_by_role("button", name="Your key: none").click()
    give_key(page, keyed.moderator)

    expect(page.get_by_text("this needs a key")).to_be_hidden()
