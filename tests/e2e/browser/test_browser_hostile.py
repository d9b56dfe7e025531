"""Whatever a forum's users have written, it is shown as text and nothing of it runs."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from visiting import Visitor, served, type_question

from askagain import Archive
from askagain.question import Mark, Question
from running_service import RunningService

SCRIPT = "<script>window.__hacked = 1</script>"
IMAGE = "<img src=x onerror='window.__hacked = 1'>"
SVG = "<svg onload=window.__hacked=1></svg>"
ESCAPED = "&lt;img src=x onerror='window.__hacked = 1'&gt;"  # becomes markup where it is unescaped
OVERRIDE = "\u202egnp.exe\u2066"
HUGE = "pneumono" * 1_000
LINK = "<a href='javascript:window.__hacked=1' style='position:fixed;inset:0'>kettle</a>"
SEVERAL = [
    Question(f"{SCRIPT} My kettle is full of limescale", f"{ESCAPED} How to descale a kettle?", "plain"),
    Question(f"{IMAGE} Limescale in my kettle", f"{SCRIPT}{SVG} How to descale a kettle?", f"id {IMAGE}"),
    Question(f"{OVERRIDE} Limescale: descale my kettle", f"{OVERRIDE} {LINK}", "?first=1&second=2#x"),
    Question(f"Kettle limescale \x00 {HUGE}", f"Descale \x00 {HUGE} a kettle", "../../v1/about"),
    Question(
        "Descale my kettle: javascript: address", "Limescale.", "script", url="javascript:window.__hacked=1"
    ),
    Question("Descale my kettle: data address", "Limescale.", "data", url=f"data:text/html,{SCRIPT}"),
    Question("Descale my kettle: broken address", "Limescale.", "broken", url="https://[x\"onclick='1'"),
    Question(
        "Descale my kettle: good address", "Limescale.", "good", url="https://forum.example/q/1?a=b&c=d"
    ),
    Question(
        "{{constructor.constructor('window.__hacked=1')()}} descale kettle ${__hacked=1}", "", "__proto__"
    ),
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A forum that has attracted the wrong people, with groups of duplicates among them."""
    path = tmp_path_factory.mktemp("hostile") / "forum.db"
    with Archive.open(path) as archive:
        for question in SEVERAL:
            archive.add(
                Question(
                    question.title,
                    question.body,
                    question.id,
                    tags=(SCRIPT, IMAGE),
                    created=IMAGE,
                    url=question.url,
                    answer=f"Vinegar. {ESCAPED} {SVG} {LINK} {OVERRIDE}",
                )
            )
        archive.mark(Mark("plain", f"id {IMAGE}", who=IMAGE))
    with served(path) as service:
        yield service


@pytest.fixture(autouse=True)
def harmless(visitor: Visitor) -> Iterator[None]:
    """After every test: nothing has run on any page."""
    yield
    for page in visitor.pages():
        assert page.evaluate("window.__hacked") is None
        assert page.locator("main script, main svg, main [onerror], main [onload], main [style]").count() == 0
        assert page.locator("a[href^='javascript:'], a[href^='data:']").count() == 0


def ask(page: Page) -> None:
    type_question(page, "How to descale my kettle, limescale?")
    expect(page.locator("#ask-results .result").first).to_be_visible()
    page.get_by_role("button", name="Show less likely ones").click()
    expect(page.locator("#ask-results .result")).to_have_count(len(SEVERAL))


def test_suggestions_show_markup_as_text(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile)

    ask(page)

    expect(page.get_by_role("heading", name=f"{SCRIPT} My kettle")).to_be_visible()
    expect(page.get_by_role("heading", name=f"{IMAGE} Limescale")).to_be_visible()


def test_answers_show_markup_as_text(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile)
    ask(page)

    page.get_by_text("The answer").first.click()

    expect(page.locator("details p").first).to_contain_text(f"Vinegar. {IMAGE}")


def test_what_is_no_date_is_not_shown_as_one(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile)

    ask(page)

    expect(page.get_by_text("Asked on")).to_have_count(0)


def test_only_addresses_of_the_web_become_links(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile)

    ask(page)

    links = page.locator("#ask-results a")
    expect(links).to_have_text(["Descale my kettle: good address"])
    expect(links).to_have_attribute("href", "https://forum.example/q/1?a=b&c=d")
    expect(links).to_have_attribute("rel", "noopener noreferrer")


def test_a_huge_word_does_not_widen_the_page(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile, viewport={"width": 320, "height": 640})

    ask(page)

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_overrides_the_direction_stays_within_its_title(
    visitor: Visitor, hostile: RunningService
) -> None:
    page = visitor.open(hostile)

    ask(page)

    title = page.locator("h3 bdi").filter(has_text=OVERRIDE)
    expect(title).to_have_css("unicode-bidi", "isolate")


def test_feedback_names_a_hostile_id_faithfully(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile, key=hostile.writer)
    ask(page)
    result = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=f"{IMAGE} Limescale"))

    with page.expect_request("**/v1/feedback") as sent:
        result.get_by_role("button", name="Not the same").click()

    expect(result.get_by_text("Recorded: this is another question.")).to_be_visible()
    assert (sent.value.post_data_json or {})["id"] == f"id {IMAGE}"


def test_pairs_with_hostile_ids_are_marked_and_taken_back(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile, "moderate", key=hostile.moderator)
    pairs = page.locator("#pair")
    expect(pairs).to_be_visible()
    page.keyboard.press("d")
    expect(page.get_by_text("Marked as duplicate.")).to_be_visible()

    page.keyboard.press("u")

    expect(page.get_by_text("Taken back.")).to_be_visible()
    expect(page.get_by_text("0 judged in this session")).to_be_visible()


def test_groups_show_markup_as_text(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile, "moderate/groups")

    expect(page.locator("#groups .result").filter(has_text=IMAGE)).not_to_have_count(0)


def test_insight_shows_markup_as_text(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile, "insight")

    expect(page.locator(".faq li").first).to_contain_text("asked")


def test_models_show_markup_as_text(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile, "compare")
    expect(page.get_by_label("First model").locator("option").first).to_be_attached()
    page.get_by_label("Question", exact=True).fill(f"{SCRIPT} descale kettle {IMAGE}")

    page.get_by_role("button", name="Compare").click()

    expect(page.get_by_role("heading", name=f"{SCRIPT} My kettle").first).to_be_visible()


def test_a_hostile_question_may_be_typed(visitor: Visitor, hostile: RunningService) -> None:
    page = visitor.open(hostile)

    type_question(page, f"{SCRIPT} descale kettle {IMAGE}")

    expect(page.locator("#ask-results .result").first).to_be_visible()
