"""The page for everybody: axe finds nothing serious, the keyboard does it all, small screens are enough."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from visiting import Visitor, type_question, visiting

from running_service import RunningService

VIEWS = ["ask", "moderate", "moderate/groups", "insight", "compare"]


def fill_view(page: Page, view: str) -> None:
    """Shows what a person would see after a little while."""
    if view == "ask":
        type_question(page, "vim won't let me quit")
        expect(page.locator("#ask-results .result").first).to_be_visible()
        page.locator("summary").first.click()
    elif view == "moderate":
        expect(page.locator("#pair")).to_be_visible()
    elif view == "moderate/groups":
        expect(page.locator("#groups .result").first).to_be_visible()
    elif view == "insight":
        page.get_by_text("Model card").click()
    else:
        expect(page.get_by_label("First model").locator("option").first).to_be_attached()
        page.get_by_label("Question", exact=True).fill("vim won't let me quit")
        page.get_by_role("button", name="Compare").click()
        expect(page.locator("#compare-right-results .result").first).to_be_visible()


@pytest.fixture(scope="module")
def filled(browser: Browser, forum: RunningService) -> Iterator[dict[str, Page]]:
    """All views, each in a page of its own."""
    with visiting(browser) as visitor:
        pages = {view: visitor.open(forum, view) for view in VIEWS}
        for view, page in pages.items():
            fill_view(page, view)
        yield pages


def serious(page: Page) -> list[str]:
    """What axe holds against the page in light or dark, apart from trifles."""
    found = []
    for scheme in ("light", "dark"):
        # Else colours that are still on their way are measured.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [
            f"{scheme}: {violation['id']}: {[node['html'] for node in violation['nodes']][:3]}"
            for violation in Axe().run(page).response["violations"]
            if violation["impact"] in ("serious", "critical")
        ]
    return found


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(filled: dict[str, Page], view: str) -> None:
    assert serious(filled[view]) == []


def test_axe_finds_nothing_serious_in_the_dialog(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum)

    page.get_by_role("button", name="Your key: none").click()

    assert serious(page) == []


@pytest.mark.parametrize("view", VIEWS)
def test_a_phone_of_320_pixels_is_wide_enough(filled: dict[str, Page], view: str) -> None:
    filled[view].set_viewport_size({"width": 320, "height": 640})

    assert filled[view].evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("view", VIEWS)
def test_headings_leave_no_level_out(filled: dict[str, Page], view: str) -> None:
    headings = filled[view].locator("main :is(h1, h2, h3, h4):visible")
    levels = headings.evaluate_all("all => all.map((heading) => Number(heading.tagName[1]))")

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


def test_the_first_tab_leads_past_the_navigation(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum, "insight")
    expect(page.locator(".figures")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()

    page.keyboard.press("Enter")

    expect(page.get_by_role("main")).to_be_focused()
    expect(page.get_by_role("heading", name="Insight")).to_be_visible()


def test_navigation_tells_where_one_is_and_moves_the_focus(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum)
    insight = page.get_by_role("link", name="Insight")
    insight.focus()

    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Insight")).to_be_focused()
    expect(insight).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("link", name="Ask", exact=True)).not_to_have_attribute("aria-current", "page")
    expect(page).to_have_title("Insight · askagain")


def test_the_way_back_works(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum)
    page.get_by_role("link", name="Try the models").click()
    expect(page.get_by_role("heading", name="Try the models")).to_be_visible()

    page.go_back()

    expect(page.get_by_role("heading", name="Has this been asked before?")).to_be_visible()


def test_a_suggestion_is_judged_by_keyboard_alone(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum, key=forum.writer)
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("How do I undo a change in vim")
    expect(page.locator("#ask-results .result").first).to_contain_text("same: undo, change in vim")

    for _ in range(10):
        page.keyboard.press("Tab")
        if page.get_by_role("button", name="This answers my question").first.evaluate(
            "b => b === document.activeElement"
        ):
            break
    page.keyboard.press("Enter")

    expect(page.get_by_text("Recorded: this answers your question.")).to_be_visible()


def test_the_focus_is_visible(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum)
    expect(page.get_by_label("Your question")).to_be_focused()

    page.keyboard.press("Tab")

    expect(page.get_by_label("Details")).to_have_css("outline-style", "solid")
    expect(page.get_by_label("Details")).to_have_css("outline-width", "3px")
