"""Highlighting: a pure function, called in the browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from visiting import visiting

from running_service import RunningService

PARTS = """async ([text, lists]) => {
    const { kindsOf, partsOf } = await import("/static/words.js");
    return partsOf(text, kindsOf(lists)).map(({ text, kind }) => [text, kind]);
}"""
MARKUP = """async ([text, lists]) => {
    const { highlighted, kindsOf } = await import("/static/words.js");
    const shown = document.createElement("p");
    shown.append(highlighted(text, kindsOf(lists)));
    return shown.outerHTML;
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, forum: RunningService) -> Iterator[Page]:
    with visiting(browser) as visitor:
        yield visitor.open(forum)


def parts(page: Page, text: str, **lists: list[str]) -> Any:
    return page.evaluate(PARTS, [text, lists])


def marked(page: Page, text: str, *words: str) -> list[str]:
    return [part for part, kind in parts(page, text, shared=list(words)) if kind]


def test_parts_are_the_text_in_order(page: Page) -> None:
    assert parts(page, "Boot from USB?", shared=["usb"], only=["boot"]) == [
        ["Boot", "only"],
        [" from ", None],
        ["USB", "shared"],
        ["?", None],
    ]


def test_only_whole_words_count(page: Page) -> None:
    assert marked(page, "A cat, a category and concatenation", "cat") == ["cat"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("ÜBER alles", "über"),
        ("ДОМ и сад", "дом"),
        ("café Noir", "café"),
        ("e\u0301te\u0301!", "e\u0301te\u0301"),
    ],
)
def test_letters_of_all_scripts_match_in_either_case(page: Page, text: str, word: str) -> None:
    assert [found.lower() for found in marked(page, text, word)] == [word]


def test_han_characters_are_words_of_their_own(page: Page) -> None:
    assert marked(page, "东京旅行", "京", "行") == ["京", "行"]


@pytest.mark.parametrize("word", ["wi-fi", "node.js", "c++", "don't", ".net", "12.04", "x86_64"])
def test_names_with_signs_are_whole_words(page: Page, word: str) -> None:
    assert marked(page, f"Is it {word.upper()}, or not?", word) == [word.upper()]


def test_a_compound_that_is_not_looked_for_is_marked_in_its_parts(page: Page) -> None:
    assert marked(page, "The end.Start of a ten-day trip", "start", "day") == ["Start", "day"]


def test_the_curly_apostrophe_is_the_straight_one(page: Page) -> None:
    assert marked(page, "It won’t start", "won't") == ["won’t"]


@pytest.mark.parametrize(
    ("word", "form"),
    [("boot", "booting"), ("batteries", "battery"), ("stopped", "stop"), ("use", "using"), ("eggs", "egg")],
)
def test_inflected_forms_of_a_word_are_marked(page: Page, word: str, form: str) -> None:
    assert marked(page, f"about {form} here", word) == [form]
    assert marked(page, f"about {word} here", form) == [word]


def test_a_word_of_several_kinds_is_of_the_first_one(page: Page) -> None:
    assert parts(page, "usb", shared=["usb"], similar=["usb"], only=["usb"]) == [["usb", "shared"]]


def test_kinds_become_elements_and_the_rest_stays_text(page: Page) -> None:
    lists = {"shared": ["usb"], "similar": ["drive"], "only": ["dell"]}

    assert page.evaluate(MARKUP, ["<b>USB</b> drive & Dell", lists]) == (
        '<p>&lt;b&gt;<mark>USB</mark>&lt;/b&gt; <mark class="similar">drive</mark> '
        '&amp; <u class="only">Dell</u></p>'
    )


def test_a_gigantic_text_is_marked_at_once(page: Page) -> None:
    text = "a" * 500_000 + " usb " + "-._'" * 50_000

    assert marked(page, text, "usb") == ["usb"]
