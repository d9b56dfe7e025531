"""Hostile posts: markup, Markdown, links and characters that break things, glued together by chance."""

import random

TAGS = """
    p a b i br hr em div span pre code li ul ol table tr td th tbody blockquote h1 script style textarea title
    template svg math select option button form iframe noscript plaintext frameset font nobr object xmp img
"""
TAG_SHAPES = ["<{}>", "</{}>", "<{} x='", '<{} href="y">', "<{}"]
MARKUP = ["<", ">", "</", "/>", "<!--", "-->", "<!DOCTYPE", "<![CDATA[", "]]>", "<?xml ", ' a="', " a='"]
MARKUP += ["&", "&#", "&amp;", "&amp;amp;", "&lt;p&gt;", "&#0;", "&#xD800;", "&#x110000;", "&nbsp", "&zwj;"]
MARKDOWN = ["```\n", "~~~\n", "```sh\n", "`", "``", "**", "*", "__", "_", "~~", "# ", "> ", "- ", "1. "]
MARKDOWN += ["![a](", "[a](", "](", "[1]: ", "\n", "\r\n", "\r", "\n\n", "    ", "\t", "|", "\\"]
LINKS = ["http://", "https://x.org/", "www.", "ftp://", "://", "a@b.c", "@", "mailto:", "<http://x>"]
NOTICES = ["Possible Duplicate:", "possible duplicate ", "> **Possible Duplicate:**\n", "[duplicate]"]
NOTICES += ["This question already has an answer here:", "3 answers", "marked as duplicate by ", "urltoken"]
WORDS = ["word ", "12.04", "c++", "c#", ".net", "wi-fi", "don't", "'s", "1,000", "e.g.", "x86_64", "a.", "-"]
UNICODE = ["\u200b", "\u202e", "\ufeff", "\u00ad", "\u0301", "\u0316\u0301", "\ufdfa", "\u3300", "\u2028"]
UNICODE += ["\x00", "\x85", "\x1b[31m", "\ud800", "\udfff", "\ue000", "\U0010ffff", "\ufffd", "\u3164"]
UNICODE += ["İ", "ß", "日本", "한국어", "हिन्दी", "👩\u200d💻", "🇩🇪", "\ufe0f", "ﬁ", "①", "™", "’", "‑"]
FRAGMENTS = [MARKUP, MARKDOWN, LINKS, NOTICES, WORDS, UNICODE]

BOMB_SIZE = 300_000


def hostile_post(number: int) -> str:
    """The post of this number, always the same one; it may contain lone surrogates."""
    chance = random.Random(number)
    if chance.random() < 0.001:
        return _bomb(chance)
    pieces = [_fragment(chance) for _ in range(chance.choice([1, 3, 10, 30, 100]))]
    return _damaged("".join(pieces), chance)


def _fragment(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.25:
        return chance.choice(TAG_SHAPES).format(chance.choice(TAGS.split()))
    if kind < 0.30:
        return chr(chance.randrange(0x110000))
    fragment = chance.choice(chance.choice(FRAGMENTS))
    return fragment * chance.randrange(2, 50) if chance.random() < 0.05 else fragment


def _bomb(chance: random.Random) -> str:
    """A few fragments repeated up to some 300,000 characters."""
    unit = "".join(_fragment(chance) for _ in range(chance.randrange(1, 4)))
    return _fragment(chance) + unit * (BOMB_SIZE // len(unit))


def _damaged(post: str, chance: random.Random) -> str:
    """Now and then, bytes are lost or replaced before the post is decoded again."""
    if chance.random() < 0.8:
        return post
    data = bytearray(post.encode("utf-8", "surrogatepass"))
    for _ in range(chance.randrange(1, 8)):
        position = chance.randrange(len(data) + 1)
        data[position : position + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
    return data.decode("utf-8", "surrogateescape")
