"""Moderate, pairs: one at a time, judged by buttons or keys, taken back step by step."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from visiting import Visitor

from askagain import Archive
from askagain.question import Mark, Verdict
from running_service import RunningService

MODERATOR = "moderator"
MORE_THAN_A_PAGE = 25


@pytest.fixture(autouse=True)
def unmarked(forum_path: Path) -> Iterator[None]:
    """Marks of a test are taken back after it."""
    yield
    with Archive.open(forum_path) as archive:
        for mark in marks_in(archive):
            archive.withdraw(mark.first, mark.second)


def marks_in(archive: Archive) -> list[Mark]:
    return [mark for mark in archive.marks() if mark.who == MODERATOR]


def marks(path: Path) -> list[Mark]:
    """What was marked through the service."""
    with Archive.open(path) as archive:
        return marks_in(archive)


def titles(page: Page) -> list[str]:
    """Of the pair in sight."""
    expect(page.locator("#pair article h3")).to_have_count(2)
    return page.locator("#pair article h3").all_text_contents()


def test_a_pair_is_shown_side_by_side_with_what_is_the_same_and_what_is_not(
    visitor: Visitor, looked_through: RunningService
) -> None:
    page = visitor.open(looked_through, "moderate")

    titles(page)

    expect(page.locator("#pair")).to_contain_text(re.compile(r"duplicate · \d\d %"))
    expect(page.locator("#pair")).to_contain_text("only in the second:")
    for article in ("#pair-first", "#pair-second"):
        expect(page.locator(f"{article} mark").first).to_be_visible()
        expect(page.locator(f"{article} u.only").first).to_be_visible()
    expect(page.get_by_text("0 judged in this session; the archive is looked through: 100 %")).to_be_visible()


def test_d_marks_a_duplicate_and_shows_the_next_pair(
    visitor: Visitor, looked_through: RunningService, forum_path: Path
) -> None:
    page = visitor.open(looked_through, "moderate", key=looked_through.moderator)
    first = titles(page)

    page.keyboard.press("d")

    expect(page.get_by_text("Marked as duplicate.")).to_be_visible()
    expect(page.get_by_text("1 judged in this session")).to_be_visible()
    assert titles(page) != first
    assert [mark.verdict for mark in marks(forum_path)] == [Verdict.DUPLICATE]


def test_n_marks_a_pair_as_different(
    visitor: Visitor, looked_through: RunningService, forum_path: Path
) -> None:
    page = visitor.open(looked_through, "moderate", key=looked_through.moderator)
    titles(page)

    page.keyboard.press("n")

    expect(page.get_by_text("Marked as not a duplicate.")).to_be_visible()
    assert [mark.verdict for mark in marks(forum_path)] == [Verdict.NOT_DUPLICATE]


def test_buttons_do_the_same_and_keep_the_focus(
    visitor: Visitor, looked_through: RunningService, forum_path: Path
) -> None:
    page = visitor.open(looked_through, "moderate", key=looked_through.moderator)
    titles(page)
    button = page.get_by_role("button", name="Duplicate D", exact=True)

    button.click()

    expect(page.get_by_text("Marked as duplicate.")).to_be_visible()
    expect(button).to_be_focused()
    assert len(marks(forum_path)) == 1


def test_undo_takes_several_steps_back(
    visitor: Visitor, looked_through: RunningService, forum_path: Path
) -> None:
    page = visitor.open(looked_through, "moderate", key=looked_through.moderator)
    first = titles(page)
    page.keyboard.press("d")
    expect(page.get_by_text("Marked as duplicate.")).to_be_visible()
    second = titles(page)
    page.keyboard.press("s")
    expect(page.get_by_text("Skipped.")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text("2 judged in this session")).to_be_visible()

    page.keyboard.press("u")
    expect(page.get_by_text("1 judged in this session")).to_be_visible()
    assert [mark.verdict for mark in marks(forum_path)] == [Verdict.DUPLICATE]
    page.keyboard.press("u")
    expect(page.locator("#pair-first h3")).to_have_text(second[0])
    page.keyboard.press("u")

    expect(page.get_by_text("0 judged in this session")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    assert titles(page) == first
    assert marks(forum_path) == []


def test_keys_with_modifiers_judge_nothing(
    visitor: Visitor, looked_through: RunningService, forum_path: Path
) -> None:
    page = visitor.open(looked_through, "moderate", key=looked_through.moderator)
    first = titles(page)

    for keys in ("Control+d", "Alt+d", "Meta+d", "Shift+D"):
        page.keyboard.press(keys)
    page.wait_for_timeout(200)

    assert titles(page) == first
    assert marks(forum_path) == []


def test_keys_judge_nothing_while_the_dialog_is_open(
    visitor: Visitor, looked_through: RunningService, forum_path: Path
) -> None:
    page = visitor.open(looked_through, "moderate", key=looked_through.moderator)
    first = titles(page)
    page.get_by_role("button", name="Your key: set").click()

    page.get_by_label("Key", exact=True).press_sequentially("dns")
    page.get_by_role("button", name="Cancel").press("d")
    page.wait_for_timeout(200)

    assert titles(page) == first
    assert marks(forum_path) == []


def test_keys_can_be_switched_off(visitor: Visitor, looked_through: RunningService, forum_path: Path) -> None:
    page = visitor.open(looked_through, "moderate", key=looked_through.moderator)
    first = titles(page)

    page.get_by_label("The keys D, N, S and U").uncheck()
    page.keyboard.press("d")
    page.wait_for_timeout(200)

    assert titles(page) == first
    assert marks(forum_path) == []


def test_keys_judge_nothing_in_other_views(
    visitor: Visitor, looked_through: RunningService, forum_path: Path
) -> None:
    page = visitor.open(looked_through, "moderate", key=looked_through.moderator)
    titles(page)
    page.get_by_role("link", name="Insight").click()
    expect(page.get_by_role("heading", name="Insight")).to_be_focused()

    page.keyboard.press("d")
    page.wait_for_timeout(200)

    assert marks(forum_path) == []


def test_a_key_that_may_not_judge_is_asked_to_be_replaced_and_the_verdict_is_not_lost(
    visitor: Visitor, looked_through: RunningService, forum_path: Path
) -> None:
    visitor.expected.append("status of 403")
    page = visitor.open(looked_through, "moderate", key=looked_through.writer)
    titles(page)
    page.keyboard.press("d")
    expect(page.get_by_role("alert")).to_contain_text("scope moderate; yours has write")

    page.get_by_label("Key", exact=True).fill(looked_through.moderator)
    page.get_by_role("button", name="Use this key").click()

    expect(page.get_by_text("Marked as duplicate.")).to_be_visible()
    assert [mark.verdict for mark in marks(forum_path)] == [Verdict.DUPLICATE]


def skip(page: Page, times: int) -> list[tuple[str, ...]]:
    """The pairs that were skipped."""
    seen = []
    for _ in range(times):
        seen.append(tuple(titles(page)))
        pair = page.locator("#pair .side-by-side")
        before = pair.text_content() or ""
        page.keyboard.press("s")
        expect(pair).not_to_have_text(before)
    return seen


def test_further_pages_are_loaded_as_needed(visitor: Visitor, looked_through: RunningService) -> None:
    page = visitor.open(looked_through, "moderate")

    assert len(set(skip(page, MORE_THAN_A_PAGE))) == MORE_THAN_A_PAGE


def test_pairs_that_were_skipped_do_not_come_again(visitor: Visitor, looked_through: RunningService) -> None:
    page = visitor.open(looked_through, "moderate")
    before = skip(page, 3)
    page.get_by_role("link", name="Groups").click()
    with page.expect_response("**/v1/duplicates*"):
        page.get_by_role("link", name="Pairs").click()

    after = skip(page, 3)

    assert len({*before, *after}) == 6


def test_an_empty_queue_says_so(visitor: Visitor, keyed: RunningService) -> None:
    page = visitor.open(keyed, "moderate", key=keyed.moderator)

    expect(page.get_by_text("Nothing is left to judge.")).to_be_visible()
    expect(page.get_by_role("button", name="Skip")).to_be_disabled()
