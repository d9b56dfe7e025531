"""Posts in short, as plain text."""

import pytest

from askagain.service.excerpts import LONGEST, excerpt, web_address


@pytest.mark.parametrize(
    ("post", "shown"),
    [
        ("", ""),
        ("Plain  text\n\nwith lines", "Plain text with lines"),
        ("<p>One <b>bold</b> word</p><p>and another</p>", "One bold word and another"),
        ("<p>a &lt; b &amp; c</p>", "a < b & c"),
        ('<p>See <a href="https://x.example">this page</a>.</p>', "See this page."),
        ("<script>alert(1)</script><p>Seen</p>", "Seen"),
        ("How do I center a <div>?", "How do I center a <div>?"),
    ],
)
def test_what_a_reader_would_see(post: str, shown: str) -> None:
    assert excerpt(post).replace(" .", ".") == shown


@pytest.mark.parametrize(
    "post", ["word " * 1000, "x" * 100_000, "<p>" + "word " * 100_000 + "</p>", "<div>" * 50_000]
)
def test_a_long_post_is_cut(post: str) -> None:
    assert len(excerpt(post)) <= LONGEST


def test_a_cut_is_shown() -> None:
    assert excerpt("word " * 1000).endswith("word…")


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://forum.example/q/1", "https://forum.example/q/1"),
        ("http://forum.example", "http://forum.example"),
        ("javascript:alert(1)", None),
        ("JaVaScRiPt:alert(1)", None),
        ("data:text/html,<script>", None),
        ("//forum.example", None),
        ("\x01https://forum.example", None),
        ("", None),
    ],
)
def test_only_addresses_of_the_web_become_links(url: str, link: str | None) -> None:
    assert web_address(url) == link


def test_of_a_gigantic_post_only_the_beginning_is_kept() -> None:
    from askagain.service import excerpts

    excerpts._excerpt.cache_clear()
    before = excerpt("word " * 1_000_000)
    assert before.endswith("…")
    assert excerpt("word " * 800 + "other " * 1_000_000) == before
    assert excerpts._excerpt.cache_info().currsize == 1
