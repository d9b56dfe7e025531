"""The words of a question as an explanation sees them: in order, each with its stem."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from askagain.stopwords import ENGLISH
from askagain.text import LINK

_QUESTION_WORDS: Final = {"how", "what", "when", "where", "which", "who", "whom", "whose", "why"}
FUNCTION_WORDS: Final = ENGLISH | _QUESTION_WORDS | {LINK}
"""Words that say nothing about what is asked, and the one that stands for a link."""

_ARTICLES: Final = {"a", "an", "the", "this", "that", "these", "those"}
_POSSESSIVES: Final = {"my", "your", "his", "her", "its", "our", "their"}
_DETERMINERS: Final = _ARTICLES | _POSSESSIVES
_WIDEST_GAP: Final = 3


class Step(NamedTuple):
    """The places of two telling words in a row, and the stems from the one to the other.

    Determiners are not among these: "from a stick" and "from my stick" are the same steps.
    """

    start: int
    end: int
    stems: tuple[str, ...]


@dataclass(frozen=True)
class Post:
    """A title or a body: its words in lower case, their stems, and the places of the telling ones."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    telling: tuple[int, ...]

    def steps(self, stems: Collection[str]) -> Iterator[Step]:
        """Between telling words with these stems that follow each other, with little in between."""
        mine = self.stems
        for start, end in pairwise(self.telling):
            if mine[start] in stems and mine[end] in stems and end - start <= _WIDEST_GAP + 1:
                inner = [
                    mine[place] for place in range(start + 1, end) if self.words[place] not in _DETERMINERS
                ]
                yield Step(start, end, (mine[start], *inner, mine[end]))

    def with_all_words_telling(self) -> Post:
        """The same words, function words counted in."""
        return Post(self.words, self.stems, tuple(range(len(self.words))))


@dataclass(frozen=True)
class Reading:
    """A question's title and body."""

    title: Post
    body: Post

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of all words, telling or not."""
        return frozenset(self.title.stems + self.body.stems)

    @cached_property
    def telling(self) -> dict[str, str]:
        """For each stem of a telling word, the word as it is written first; those of the title come first."""
        words: dict[str, str] = {}
        for post in (self.title, self.body):
            for place in post.telling:
                words.setdefault(post.stems[place], post.words[place])
        return words

    @cached_property
    def headline(self) -> Post:
        """The title, or the body if no word of the title is telling."""
        return self.title if self.title.telling else self.body

    @cached_property
    def headline_stems(self) -> frozenset[str]:
        """Of the headline's telling words."""
        return frozenset(self.headline.stems[place] for place in self.headline.telling)

    def with_all_words_telling(self) -> Reading:
        """The same question, function words counted in."""
        return Reading(self.title.with_all_words_telling(), self.body.with_all_words_telling())
