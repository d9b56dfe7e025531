"""Try the models: one question, two systems, side by side."""

import re

from playwright.sync_api import Page, expect
from visiting import Visitor

from running_service import RunningService


def compare(page: Page, question: str) -> None:
    expect(page.get_by_label("First model").locator("option").first).to_be_attached()
    page.get_by_label("Question", exact=True).fill(question)
    page.get_by_role("button", name="Compare").click()


def test_all_systems_of_the_service_can_be_chosen(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum, "compare")

    for name in ("First model", "Second model"):
        expect(page.get_by_label(name).locator("option").filter(has_text="bm25")).to_have_count(1)
    expect(page.get_by_label("First model")).to_have_value("best")


def test_results_stand_side_by_side_with_their_times(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum, "compare")

    compare(page, "vim won't let me quit")

    for side, name in (("left", "best"), ("right", "tfidf")):
        results = page.locator(f"#compare-{side}-results")
        expect(results.get_by_role("heading", level=2)).to_have_text(name)
        expect(results).to_contain_text(re.compile(r"\d+ ms · \d of 5 in both"))
        expect(results.get_by_role("listitem")).to_have_count(5)


def test_what_both_have_found_is_told_and_a_system_without_probabilities_has_scores(
    visitor: Visitor, forum: RunningService
) -> None:
    page = visitor.open(forum, "compare")

    compare(page, "vim won't let me quit")

    found = page.get_by_role("listitem").filter(has_text="How do I save my file and quit vim?")
    expect(found).to_have_count(2)
    expect(found.nth(0)).to_contain_text(re.compile(r"duplicate · \d\d % · in both"))
    expect(found.nth(1)).to_contain_text(re.compile(r"score \d+\.\d\d · in both"))


def test_another_model_answers_at_once(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum, "compare")
    compare(page, "vim won't let me quit")
    expect(page.get_by_role("heading", name="tfidf")).to_be_visible()

    page.get_by_label("Second model").select_option("bm25")

    expect(page.get_by_role("heading", name="bm25")).to_be_visible()


def test_the_same_model_twice_agrees_with_itself(visitor: Visitor, forum: RunningService) -> None:
    page = visitor.open(forum, "compare")
    expect(page.get_by_label("Second model").locator("option").first).to_be_attached()
    page.get_by_label("Second model").select_option("best")

    compare(page, "vim won't let me quit")

    expect(page.locator("#compare-right-results")).to_contain_text("5 of 5 in both")
