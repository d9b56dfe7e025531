"""From a raw post to clean text to tokens."""

import gzip
import json
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from askagain.text import LINK, MAX_TOKEN, TextOptions, clean, steps, tokenize

STACK_EXCHANGE_POST = """\
<blockquote>
  <p><strong>Possible Duplicate:</strong><br>
  <a href="https://askubuntu.com/q/1">How to update?</a>  </p>
</blockquote>

<p>I use Ubuntu&nbsp;12.04 &amp; want <em>Wi&#8209;Fi</em>, see <a href="https://x.org/a">my notes</a>.</p>

<pre><code>sudo apt-get update
</code></pre>

<p>Is <code>apt-get</code> right? <img src="a.png" alt="enter image description here"></p>
"""

PIPELINE = [
    # raw, clean, tokens
    ("How  do I\tboot?", "How do I boot?", "how do i boot"),
    (
        STACK_EXCHANGE_POST,
        f"I use Ubuntu 12.04 & want Wi-Fi, see my notes {LINK} .\nIs apt-get right?",
        f"i use ubuntu 12.04 want wi-fi see my notes {LINK} is apt-get right",
    ),
    (
        "# Help\n\n* My **C++** build, see [the log](http://x.org/log)\n\n```\nmake: *** error\n```\nThanks",
        f"Help\nMy C++ build, see the log {LINK}\nThanks",
        f"help my c++ build see the log {LINK} thanks",
    ),
    ("List<String> with a < b && b > c", "List<String> with a < b && b > c", "list string with a b b c"),
    ("How do I center a <div>?", "How do I center a <div>?", "how do i center a div"),
    (
        "Ubuntu\u2019s \u201cwi\u200bfi\u201d\x00 is of\ufb01cial",
        "Ubuntu's “wifi” is official",
        "ubuntu wifi is official",
    ),
    ("mail me@x.org or www.x.org/a?b=c", f"mail {LINK} or {LINK}", f"mail {LINK} or {LINK}"),
    ("", "", ""),
]


@pytest.mark.parametrize(("raw", "text", "tokens"), PIPELINE)
def test_a_post_becomes_clean_text_and_tokens(raw: str, text: str, tokens: str) -> None:
    assert clean(raw) == text
    assert tokenize(text) == tokens.split()


def test_every_step_is_shown_and_the_last_one_is_the_clean_text() -> None:
    seen = steps(STACK_EXCHANGE_POST)
    names = ["raw", "length", "html", "entities", "characters", "code", "links", "notices", "markdown"]
    assert [step.name for step in seen] == [*names, "white space"]
    assert seen[0].text == STACK_EXCHANGE_POST
    assert seen[-1].text == clean(STACK_EXCHANGE_POST)


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (TextOptions(), "a inline d"),
        (TextOptions(block_code=True), "a inline block d"),
        (TextOptions(inline_code=False), "a d"),
        (TextOptions(block_code=True, inline_code=False), "a block d"),
    ],
)
@pytest.mark.parametrize(
    "raw",
    ["<p>a <code>inline</code></p><pre><code>block</code></pre><p>d</p>", "a `inline`\n~~~py\nblock\n~~~\nd"],
    ids=["html", "markdown"],
)
def test_code_is_kept_or_dropped_by_option(raw: str, options: TextOptions, kept: str) -> None:
    assert tokenize(clean(raw, options)) == kept.split()


NAMES = """
    12.04 12.04.1 3.x v2.0 1,000 1,000,000 c++ g++ c# f# .net asp.net node.js xorg.conf wi-fi apt-get
    state-of-the-art x86_64 ld_library_path don't rock'n'roll e.g u.s.a 64-bit café हिन्दी 한국어 привет
"""


@pytest.mark.parametrize("name", NAMES.split())
def test_a_name_is_one_token(name: str) -> None:
    assert tokenize(f"{name.upper()}, {name}. ({name})") == [name] * 3


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Ubuntu 12.04.", "ubuntu 12.04"),
        ("John's dogs' toys", "john dogs toys"),
        ("does not work.please help", "does not work please help"),
        ("edit /etc/fstab and/or ~/.bashrc", "edit etc fstab and or bashrc"),
        ("user@host: ls --all -l", "user host ls all l"),
        ("1,2,3 and 5% of $10", "1 2 3 and 5 of 10"),
        ("_emphasis_ __init__ a--b", "emphasis init a b"),
        ("C++11 issue#5 a+b", "c++ 11 issue 5 a b"),
        ("internet.network .netrc", "internet network netrc"),
        ("日本語テストabc", "日 本 語 テ ス ト abc"),
        ("STRASSE Straße", "strasse strasse"),
        ("great 😀👍🏽 1\u20e3", "great 1"),
    ],
)
def test_what_is_not_a_name_is_taken_apart(text: str, tokens: str) -> None:
    assert tokenize(text) == tokens.split()


def test_the_placeholder_of_links_is_one_token() -> None:
    assert tokenize(LINK) == [LINK]


def test_a_long_token_is_cut_and_ends_in_a_letter_or_digit() -> None:
    assert tokenize("a" * 100) == ["a" * MAX_TOKEN]
    assert tokenize("a" * (MAX_TOKEN - 1) + "-b") == ["a" * (MAX_TOKEN - 1)]


hostile_text = st.text(
    st.one_of(st.sampled_from("<>&;#*_`[]()!/\\'\".,:@-+\n\r\t 0aA\u0301\u200b\ud800"), st.characters()),
    max_size=200,
)


@given(hostile_text, st.booleans(), st.booleans())
@example("<p>\ud800&#xD800;&#0;" + "&#" + "9" * 5000 + ";", False, False)
def test_no_text_whatever_raises_and_tokens_are_well_formed(raw: str, block: bool, inline: bool) -> None:
    text = clean(raw, TextOptions(block_code=block, inline_code=inline))
    assert text == text.strip()
    text.encode("utf-8")
    for token in tokenize(text):
        assert 0 < len(token) <= MAX_TOKEN
        assert not any(map(str.isspace, token))
        assert not {"Cc", "Cf", "Cs", "Co"} & set(map(unicodedata.category, token))


@given(hostile_text)
def test_tokens_are_stable(raw: str) -> None:
    tokens = tokenize(clean(raw))
    assert tokenize(" ".join(tokens)) == tokens


BOMBS = [
    "<div>",
    "<b>",
    "<a><table>",
    "<p a='",
    '<p a="<',
    "<!--",
    "&#9",
    "[](http://x",
    "```x\n",
    "a.",
    "a-",
]
BOMBS += [
    "possible duplicate:\n",
    "a@",
    "`a",
    "*",
    "_a",
    "\u0301\u0316",
    "\ufdfa",
    "1,",
    "'s",
    "www.",
    "> ",
    "\r",
]


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_million_hostile_characters_take_seconds_at_most(bomb: str) -> None:
    started = time.perf_counter()
    tokenize(clean("<p>" + bomb * (1_000_000 // len(bomb))))
    assert time.perf_counter() - started < 10


def test_a_tag_with_a_hundred_thousand_attributes_takes_seconds_at_most() -> None:
    attributes = " ".join(f"a{number}" for number in range(100_000))
    started = time.perf_counter()
    assert clean(f"<p {attributes}>words</p>") == "words"
    assert time.perf_counter() - started < 10


def test_a_post_of_fifty_megabytes_is_cut() -> None:
    assert len(clean("word " * 10_000_000)) == 999_999


def test_plain_text_does_not_load_the_html_parser() -> None:
    code = "import sys, askagain.text as t; t.clean('a & b'); print('selectolax' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_no_markup_survives_in_real_posts(data_dir: Path) -> None:
    with gzip.open(data_dir / "cooking" / "questions.jsonl.gz", "rt") as file:
        bodies = [json.loads(next(file))["body"] for _ in range(2000)]
    tokens = [set(tokenize(clean(body))) for body in bodies]
    assert not any({"href", "nofollow", "blockquote", "nbsp", "img", "src"} & words for words in tokens)
    assert sum(len(words) > 5 for words in tokens) > 1990
