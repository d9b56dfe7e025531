"""Text: one pass from a raw post to clean text to tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from askagain.characters import combining_marks, cut, normalise
from askagain.markup import LINK, decode_entities, html_to_text, replace_links, strip_markdown, unquote_code
from askagain.notices import without_notices

__all__ = ["DEFAULT_OPTIONS", "LINK", "MAX_TOKEN", "Step", "TextOptions", "clean", "steps", "tokenize"]

# A longer token is cut here: it is no word, and must not fill an index.
MAX_TOKEN = 64

# A dot joins two words only in front of one of these, because people forget the space after a full stop.
_NAME_ENDINGS = (
    "avi|bat|bin|bz2|c|cfg|co|com|conf|cpp|cs|css|csv|d|dat|deb|desktop|dll|doc|docx|efi|exe|gov|gz|h|hpp|htm"
    "|html|img|info|ini|io|iso|jar|java|jpg|js|json|list|local|log|mp3|mp4|net|org|pdf|php|png|py|rb|rpm|rs|sh"
    "|so|sql|sys|tar|tex|toml|ts|txt|uk|xls|xml|yaml|yml|zip"
)
_SINGLE_CHARACTER_WORDS = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions:
    """Which code of a post is kept: that of its blocks, and that within its sentences."""

    block_code: bool = False
    inline_code: bool = True


DEFAULT_OPTIONS = TextOptions()


@dataclass(frozen=True, slots=True)
class Step:
    """What a text has become after the step of this name."""

    name: str
    text: str


def clean(raw: str, options: TextOptions = DEFAULT_OPTIONS) -> str:
    """The words of a post as a reader sees them, one line per paragraph or line of the post."""
    text = raw
    for _, change in _changes(options):
        text = change(text)
    return text


def steps(raw: str, options: TextOptions = DEFAULT_OPTIONS) -> list[Step]:
    """The post as it came and after each step of `clean`."""
    seen = [Step("raw", raw)]
    for name, change in _changes(options):
        seen.append(Step(name, change(seen[-1].text)))
    return seen


@cache
def _changes(options: TextOptions) -> tuple[tuple[str, Callable[[str], str]], ...]:
    """The steps of `clean`, in order; each leaves a text alone that has nothing of its concern."""
    code = {"block_code": options.block_code, "inline_code": options.inline_code}
    return (
        ("length", cut),
        ("html", lambda text: html_to_text(text, **code)),
        ("entities", decode_entities),
        ("characters", normalise),
        ("code", lambda text: unquote_code(text, **code)),
        ("links", replace_links),
        ("notices", without_notices),
        ("markdown", strip_markdown),
        ("white space", _collapse_white_space),
    )


def _collapse_white_space(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def tokenize(text: str) -> list[str]:
    """Lower-cased words, numbers and names of a clean text, in order.

    Kept whole: `12.04.1`, `1,000`, `c++`, `c#`, `.net`, `node.js`, `wi-fi`, `apt-get`, `x86_64`, `don't`,
    `e.g`. Taken apart: paths (`/etc/fstab`), `and/or`, `user@host`. Without its end: `john's`. Han characters
    and kana are one token each; the words of every other script are runs of letters, digits and marks.
    """
    folded = text.casefold()
    pattern = _ascii_tokens() if folded.isascii() else _unicode_tokens()
    tokens: list[str] = pattern.findall(folded)
    if tokens and len(max(tokens, key=len)) > MAX_TOKEN:
        return [token[:MAX_TOKEN].rstrip("-_.,'") for token in tokens]
    return tokens


@cache
def _ascii_tokens() -> re.Pattern[str]:
    return _tokens(character="[a-z0-9]", word="[a-z0-9]++")


@cache
def _unicode_tokens() -> re.Pattern[str]:
    character = rf"[^\W_{_SINGLE_CHARACTER_WORDS}]"
    word = f"(?:{character}++[{combining_marks()}]*+)++"
    return _tokens(character=character, word=word, first=f"[{_SINGLE_CHARACTER_WORDS}]|")


def _tokens(*, character: str, word: str, first: str = "") -> re.Pattern[str]:
    """Possessive throughout (`++`, `*+`): what has been matched is never tried again, so time is linear."""
    end = f"(?!{character})"
    joint = (
        rf"-|_++|'(?!s{end})"
        rf"|(?<=[0-9])\.(?=[0-9]|x{end})|(?<=[0-9]),(?=[0-9]{{3}}(?![0-9]))"
        rf"|(?<=\b[a-z])\.(?=[a-z]{end})|\.(?=(?:{_NAME_ENDINGS}){end})"
    )
    suffix = rf"\+\+(?!\+)|(?<=\b[a-z])#{end}"
    joined = rf"{word}(?:(?=[-_'.,+#])(?:(?:{joint}){word})*+(?:{suffix})?+)?+"
    dot_net = rf"\.net(?<!{character}\.net){end}"
    return re.compile(rf"({first}{joined}|{dot_net})(?:'s{end})?+")
