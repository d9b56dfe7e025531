"""Does hostile input crash or hang anything? Feeds generated posts to every target, each with a time limit.

python benchmarks/fuzz.py [--inputs 100000] [--json]
"""

import argparse
import faulthandler
import json
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from types import FrameType

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.text import TextOptions, clean, tokenize

SECONDS_PER_INPUT = 10.0

_KEEP_CODE = TextOptions(block_code=True, inline_code=True)
_DROP_CODE = TextOptions(block_code=False, inline_code=False)
_EVERYTHING = Analyzer(AnalyzerSettings(stop_words="english", ngrams=3, text=_KEEP_CODE))

Target = Callable[[str], object]

# A target takes any string, lone surrogates included; what needs bytes encodes with "surrogatepass".
TARGETS: list[tuple[str, Target]] = [
    ("text: clean", clean),
    ("text: clean, no code kept", lambda post: clean(post, _DROP_CODE)),
    ("text: tokenize raw posts", tokenize),
    ("analysis: clean, stop, stem, 3-grams", _EVERYTHING.terms),
]

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


class HangError(Exception):
    """The input took longer than the limit."""


@dataclass
class Case:
    """What became of a target's inputs."""

    name: str
    inputs: int = 0
    crashes: int = 0
    hangs: int = 0
    slowest_ms: float = 0.0


def hostile_post(number: int) -> str:
    """The post of this number, always the same one."""
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
    return _fragment(chance) + unit * (300_000 // len(unit))


def _damaged(post: str, chance: random.Random) -> str:
    """Now and then, bytes are lost or replaced before the post is decoded again."""
    if chance.random() < 0.8:
        return post
    data = bytearray(post.encode("utf-8", "surrogatepass"))
    for _ in range(chance.randrange(1, 8)):
        position = chance.randrange(len(data) + 1)
        data[position : position + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
    return data.decode("utf-8", "surrogateescape")


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises HangError inside the block when the time is over."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise HangError

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def fuzz(name: str, target: Target, inputs: int) -> Case:
    """Every failure is told on standard error with the number that `hostile_post` makes its input from."""
    case = Case(name, inputs)
    for number in range(inputs):
        post = hostile_post(number)
        started = time.perf_counter()
        try:
            with time_limit(SECONDS_PER_INPUT):
                target(post)
        except HangError:
            case.hangs += 1
            print(f"{name}: input {number} hangs", file=sys.stderr)
        except Exception as error:
            case.crashes += 1
            print(f"{name}: input {number} raises {error!r}", file=sys.stderr)
        case.slowest_ms = max(case.slowest_ms, round((time.perf_counter() - started) * 1000, 1))
    return case


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    faulthandler.enable()
    cases = [fuzz(name, target, options.inputs) for name, target in TARGETS]
    if options.json:
        print(json.dumps({"cases": [asdict(case) for case in cases]}))
    else:
        print(f"{'target':40} {'inputs':>8} {'crashes':>8} {'hangs':>6} {'slowest ms':>11}")
        for case in cases:
            print(f"{case.name:40} {case.inputs:8} {case.crashes:8} {case.hangs:6} {case.slowest_ms:11}")
    return 1 if any(case.crashes or case.hangs for case in cases) else 0


if __name__ == "__main__":
    sys.exit(main())
