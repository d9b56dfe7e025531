"""The script that a forum adds to its form, in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from askagain.question import Question
from examples.suggesting import WEB, Suggesting, suggesting
from running_service import RunningService

RICE = {"title": "Sticky rice", "url": "https://forum.example.org/t/1"}


@pytest.fixture
def service() -> Iterator[Suggesting]:
    with suggesting() as running:
        yield running


@pytest.fixture
def page(browser: Browser, service: Suggesting) -> Iterator[Page]:
    """The example page; whatever its policy forbids, or a script gets wrong, fails the test."""
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if "Policy" in message.text else None)
    page.goto(f"{service.url}/static/example.html")
    yield page
    page.close()
    assert wrong == []


def _suggested(page: Page) -> Any:
    return page.get_by_role("region", name="Has this been asked before?")


def test_earlier_questions_appear_as_a_list_of_links(page: Page, service: Suggesting) -> None:
    service.matches["rice"] = [RICE, {"title": "Burnt rice", "url": "http://forum.example.org/t/2"}]

    page.get_by_label("Title").fill("rice")

    box = _suggested(page)
    expect(box.get_by_role("list").get_by_role("link")).to_have_text(["Sticky rice", "Burnt rice"])
    expect(box.get_by_role("link").first).to_have_attribute("href", RICE["url"])
    expect(box.get_by_role("link").first).to_have_attribute("rel", "noopener")
    expect(box).to_have_attribute("aria-live", "polite")


def test_the_page_with_suggestions_is_accessible(page: Page, service: Suggesting) -> None:
    service.matches["rice"] = [RICE]
    page.get_by_label("Title").fill("rice")
    expect(_suggested(page).get_by_role("link")).to_be_visible()

    assert Axe().run(page).violations_count == 0


def test_title_and_details_are_sent(page: Page, service: Suggesting) -> None:
    service.matches["rice"] = [RICE]

    page.get_by_label("Details").fill("It is <b>burnt</b>.")
    page.get_by_label("Title").fill("  rice ")
    expect(_suggested(page).get_by_role("link")).to_be_visible()

    assert service.asked[-1] == {"title": "rice", "body": "It is <b>burnt</b>.", "k": 5, "explain": False}


def test_a_change_of_the_details_asks_again(page: Page, service: Suggesting) -> None:
    service.matches["rice"] = [RICE]
    page.get_by_label("Title").fill("rice")
    expect(_suggested(page).get_by_role("link")).to_be_visible()

    with page.expect_response("**/v1/similar"):
        page.get_by_label("Details").fill("burnt")

    assert [asked["body"] for asked in service.asked] == ["", "burnt"]


def test_a_question_is_asked_when_the_typing_has_stopped_for_a_while(page: Page, service: Suggesting) -> None:
    service.matches["sticky rice"] = [RICE]
    page.clock.install(time=0)
    page.clock.pause_at(1000)

    for title in ("sticky", "sticky ri", "sticky rice"):
        page.get_by_label("Title").fill(title)
        page.clock.run_for(149)
    page.clock.run_for(1)
    expect(_suggested(page).get_by_role("link")).to_be_visible()

    assert [asked["title"] for asked in service.asked] == ["sticky rice"]


def test_a_reply_that_comes_late_does_not_replace_that_of_a_later_question(
    page: Page, service: Suggesting
) -> None:
    service.matches = {"slow": [{"title": "Too late", "url": None}], "fast": [RICE]}
    service.delays["slow"] = 0.6

    with page.expect_request("**/v1/similar"):
        page.get_by_label("Title").fill("slow")
    page.get_by_label("Title").fill("fast")
    expect(_suggested(page).get_by_role("listitem")).to_have_text(["Sticky rice"])
    page.wait_for_timeout(700)

    expect(_suggested(page).get_by_role("listitem")).to_have_text(["Sticky rice"])


def test_fewer_than_three_letters_are_not_asked_about(page: Page, service: Suggesting) -> None:
    page.get_by_label("Title").fill("ri")
    page.wait_for_timeout(400)

    assert service.asked == []


@pytest.mark.parametrize("later", ["ri", "nothing like it"])
def test_suggestions_go_when_there_are_none_any_more(page: Page, service: Suggesting, later: str) -> None:
    service.matches["rice"] = [RICE]
    page.get_by_label("Title").fill("rice")
    expect(page.locator(".askagain li")).to_have_count(1)

    page.get_by_label("Title").fill(later)

    expect(page.locator(".askagain")).to_be_empty()


def test_a_service_that_fails_shows_nothing(page: Page, service: Suggesting) -> None:
    service.matches["rice"] = [RICE]
    service.status = 503

    with page.expect_response("**/v1/similar"):
        page.get_by_label("Title").fill("rice")

    expect(page.locator(".askagain")).to_be_empty()


def test_markup_in_a_title_is_text(page: Page, service: Suggesting) -> None:
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    service.matches["rice"] = [{"title": hostile, "url": None}]

    page.get_by_label("Title").fill("rice")

    expect(_suggested(page).get_by_role("listitem")).to_have_text([hostile])
    expect(page.locator(".askagain img, .askagain script")).to_have_count(0)


@pytest.mark.parametrize(
    "url", [None, "javascript:alert(1)", "data:text/html,x", "//evil.test", " https://x.test"]
)
def test_only_http_addresses_become_links(page: Page, service: Suggesting, url: str | None) -> None:
    service.matches["rice"] = [{"title": "Sticky rice", "url": url}]

    page.get_by_label("Title").fill("rice")

    expect(_suggested(page).get_by_role("listitem")).to_have_text(["Sticky rice"])
    expect(_suggested(page).get_by_role("link")).to_have_count(0)


def test_half_a_character_is_not_sent(page: Page, service: Suggesting) -> None:
    page.get_by_label("Title").evaluate("field => field.removeAttribute('maxlength')")
    with page.expect_response("**/v1/similar"):
        page.get_by_label("Title").fill("x" * 999 + "🍚")

    assert service.asked[-1]["title"] == "x" * 999


def test_it_works_on_a_page_of_another_site_whose_form_comes_later(
    browser: Browser, service: Suggesting
) -> None:
    script = f'<script src="{service.url}/static/askagain.js" data-title=".ask" data-limit="2"'
    service.matches["rice"] = [RICE]
    with suggesting() as forum:
        forum.pages["/"] = (
            f'<!doctype html><p>Forum</p>{script} data-heading="Schon gefragt?" defer></script>'
        )
        page = browser.new_page()
        page.goto(forum.url)
        page.evaluate(
            "document.body.insertAdjacentHTML('beforeend', '<label>Title <input class=ask></label>')"
        )
        page.get_by_label("Title").fill("rice")
        expect(page.get_by_role("region", name="Schon gefragt?").get_by_role("link")).to_have_text(
            ["Sticky rice"]
        )
        page.close()

    assert service.asked == [{"title": "rice", "body": "", "k": 2, "explain": False}]
    assert forum.asked == []


def test_the_services_own_example_page_finds_what_is_in_the_archive(
    browser: Browser, archive_service: RunningService
) -> None:
    with archive_service.writing() as client:
        client.put(Question("How do I cook rice without a lid?", id="rice", url=RICE["url"]))
    page = browser.new_page()
    page.goto(f"{archive_service.url}/static/example.html")
    page.get_by_label("Title").fill("How to cook rice without a lid")

    expect(_suggested(page).get_by_role("link").first).to_have_text("How do I cook rice without a lid?")
    page.close()


def test_the_script_is_short_and_builds_no_markup() -> None:
    script = (WEB / "askagain.js").read_text()

    assert len(script.splitlines()) <= 60
    assert not any(word in script for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval("))
