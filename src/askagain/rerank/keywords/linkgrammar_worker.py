"""A program: parses the texts of standard input with link-grammar, one JSON string per line.

Each is answered by a line of JSON: its words, and its links as pairs of places of words, -1 being the wall on
the left, which stands for the root. With --version it gives the library's version and ends.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

# After this time, link-grammar gives up on a text.
_MOST_SECONDS: Final = 1
_MOST_WORDS_LEFT_OUT: Final = 250
_LEFT_WALL: Final = "LEFT-WALL"
_RIGHT_WALL: Final = "RIGHT-WALL"


def main() -> None:
    """Answers line by line, so that whatever was done before a failure is not lost."""
    import linkgrammar

    dictionary = linkgrammar.Dictionary("en")
    if sys.argv[1:] == ["--version"]:
        _say(linkgrammar.clinkgrammar.linkgrammar_get_version())
        return
    options = linkgrammar.ParseOptions(
        verbosity=0,
        linkage_limit=1,
        max_null_count=_MOST_WORDS_LEFT_OUT,
        max_parse_time=_MOST_SECONDS,
        spell_guess=False,
    )
    for line in sys.stdin:
        try:
            linkages = linkgrammar.Sentence(json.loads(line), dictionary, options).parse()
        except linkgrammar.LG_Error:  # too long or too complicated
            linkages = ()
        answers = [_answer(linkage, linkgrammar.clinkgrammar) for linkage in linkages]
        _say(answers[0] if answers else [[], []])


def _answer(linkage: Any, library: Any) -> list[Any]:
    words = list(linkage.words())
    first = 1 if words[:1] == [_LEFT_WALL] else 0
    end = len(words) - 1 if words[-1:] == [_RIGHT_WALL] else len(words)
    links = []
    for number in range(linkage.num_of_links()):
        left = library.linkage_get_link_lword(linkage._obj, number)
        right = library.linkage_get_link_rword(linkage._obj, number)
        if right < end:
            links.append([left - first, right - first])
    return [words[first:end], links]


def _say(answer: object) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
