"""HTML and Markdown become the words that a reader sees."""

import pytest

from askagain.markup import (
    LINK,
    MAX_TAGS,
    decode_entities,
    html_to_text,
    replace_links,
    strip_markdown,
    unquote_code,
)


def visible(raw: str) -> str:
    return " ".join(html_to_text(raw, block_code=False, inline_code=True).split())


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("<p>one</p><p>two</p>", "one two"),
        ("<p>un<b>believ</b>able", "unbelievable"),
        ("one<br>two<BR/>three", "one two three"),
        ("<ul><li>one<li>two</ul>", "one two"),
        ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
        ("<p>a<script>alert('x')</script><style>p {}</style><!-- secret -->b</p>", "ab"),
        ("<p>a <img src='x.png' alt='a > picture'> b</p>", "a b"),
        ("<p title='x > y' class=\"a<b\">text</p>", "text"),
        ("<p>cut in the middle of a <a href='http", "cut in the middle of a"),
        ("<p>a &lt;b&gt; c</p>", "a <b> c"),
        ("<p>press <kbd>Ctrl</kbd>, H<sub>2</sub>O</p>", "press Ctrl, H2O"),
        ("<iframe src='x'><p>x</p></iframe>y", "y"),
        ("<!-- nothing else --> y", "y"),
        ("<p>only <xyz>unknown</xyz> tags go too</p>", "only unknown tags go too"),
    ],
)
def test_html_leaves_its_visible_words(raw: str, words: str) -> None:
    assert visible(raw) == words


@pytest.mark.parametrize(
    "plain",
    ["List<String>", "a < b and c > d", "the <div> tag", "apt-get install <package>", "x <y", "<div> vs <p>"],
)
def test_text_without_evidence_of_html_stays(plain: str) -> None:
    assert html_to_text(plain, block_code=False, inline_code=True) == plain


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("<p>see <a href='http://x.org'>the manual</a> first</p>", f"see the manual {LINK} first"),
        ("<p><a href='/q/1'></a></p>", LINK),
        ("<p><a href='x.png'><img alt='enter image description here'></a></p>", LINK),
        ("<p>Try <http://x.org/a> and <me@x.org>.</p>", f"Try {LINK} and {LINK} ."),
    ],
)
def test_an_anchor_keeps_its_words_and_gets_one_placeholder(raw: str, words: str) -> None:
    assert visible(raw) == words


@pytest.mark.parametrize("address", ["http://x.org/a?b=c", "www.x.org", "me@x.org"])
def test_an_anchor_that_shows_its_address_is_one_placeholder(address: str) -> None:
    text = replace_links(visible(f"<p>see <a href='{address}'>{address}</a></p>"))
    assert text.split() == ["see", LINK]


def test_text_behind_too_many_tags_is_cut() -> None:
    assert visible("<b>x</b>" * MAX_TAGS).count("x") == MAX_TAGS // 2


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Tom &amp; Jerry", "Tom & Jerry"),
        ("&lt;b&gt; &eacute; &#233; &#xE9; &#233", "<b> é é é é"),
        ("&amp;lt;b&amp;gt;", "<b>"),
        ("AT&T cats&notes R&D;", "AT&T cats&notes R&D;"),
        ("a&#" + "9" * 5000 + ";b", "a b"),
    ],
)
def test_entities_are_decoded_even_when_encoded_twice(raw: str, text: str) -> None:
    assert decode_entities(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("https://x.org/a_(b)?c=d#e end", f"{LINK} end"),
        ("FTP://x.org, WWW.x.org", f"{LINK} {LINK}"),
        ("apt://gimp and git+ssh://x.org/y", f"{LINK} and {LINK}"),
        ("<https://x.org> <mailto:me@x.org>", f"{LINK} {LINK}"),
        ('[the docs](https://x.org "title")', f"the docs {LINK}"),
        ("[wiki](https://x.org/a_(b)) end", f"wiki {LINK} end"),
        ("[![alt](http://x.org/i.png)](http://x.org)", LINK),
        ("![screenshot](http://x.org/i.png)", ""),
        ("  [1]: http://x.org", LINK),
        ("what is http:// for, or www. names", "what is http:// for, or www. names"),
        ("a[i](x) and @home and user@host", "a[i](x) and @home and user@host"),
    ],
)
def test_every_address_becomes_one_placeholder(raw: str, text: str) -> None:
    assert " ".join(replace_links(raw).split()) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("## Title", "Title"),
        ("* one\n- two\n+ three\n1. four\n2) five", "one\ntwo\nthree\nfour\nfive"),
        ("> quoted\n>> twice", "quoted\ntwice"),
        ("**bold**, *it*, __bold__, _it_, ~~gone~~", "bold, it, bold, it, gone"),
        ("**C++**, **Why?**", "C++, Why?"),
        ("2*3*4, *.iso, snake_case, 5 * 3", "2*3*4, *.iso, snake_case, 5 * 3"),
        ("C# is #1", "C# is #1"),
    ],
)
def test_marks_of_markdown_go_and_other_signs_stay(raw: str, text: str) -> None:
    assert strip_markdown(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a\n```sh\nls\n```\nb", "a b"),
        ("a\n~~~\n```\n~~~\nb", "a b"),
        ("a\n```\nnever closed", "a"),
        ("use `ls` or ``a`` now", "use ls or a now"),
        ("a ` lonely back-tick", "a ` lonely back-tick"),
    ],
)
def test_fences_go_and_back_ticked_words_stay(raw: str, text: str) -> None:
    assert " ".join(unquote_code(raw, block_code=False, inline_code=True).split()) == text
