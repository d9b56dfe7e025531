"""What the measures read: a question's title, its body and both, as characters, words, lemmas and terms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.errors import MissingExtraError
from askagain.question import Question
from askagain.text import clean, tokenize

if TYPE_CHECKING:
    from simplemma import Lemmatizer

MOST_WORDS: Final = 1_000
"""Of a longer title or body, or of both together, the rest is not read: some measures take quadratic time."""

MOST_CHARACTERS: Final = 10_000
"""The same for the measures that compare characters."""

_CACHED_QUESTIONS: Final = 2_048
_CACHED_WORDS: Final = 200_000

_ANALYZER: Final = Analyzer(AnalyzerSettings(stop_words="english"))


@dataclass(frozen=True, slots=True, eq=False)
class Prose:
    """A text as the measures need it; what it says is lower-cased, without markup and punctuation.

    `text` has the words with blanks between them; `lemmas` has one for each word; `terms` are the stems of
    the words that are no stop words.
    """

    text: str
    words: tuple[str, ...]
    lemmas: tuple[str, ...]
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question's title, its body, and both as one text."""

    title: Prose
    body: Prose
    both: Prose


def prepare(question: Question) -> Prepared:
    """Everything that measures read of a question; the latest ones are remembered."""
    return _prepared(question.title, question.body)


@lru_cache(maxsize=_CACHED_QUESTIONS)
def _prepared(title: str, body: str) -> Prepared:
    title_words, body_words = _words(title), _words(body)
    return Prepared(_prose(title_words), _prose(body_words), _prose(title_words + body_words))


def _words(raw: str) -> tuple[str, ...]:
    return tuple(tokenize(clean(raw))[:MOST_WORDS])


def _prose(words: tuple[str, ...]) -> Prose:
    words = words[:MOST_WORDS]
    return Prose(
        text=" ".join(words)[:MOST_CHARACTERS],
        words=words,
        lemmas=tuple(map(_lemma, words)),
        terms=tuple(chain.from_iterable(map(_terms, words))),
    )


@lru_cache(maxsize=_CACHED_WORDS)
def _lemma(word: str) -> str:
    return _lemmatizer().lemmatize(word, lang="en").casefold()


@cache
def _lemmatizer() -> Lemmatizer:
    try:
        from simplemma import Lemmatizer
    except ImportError as error:
        raise MissingExtraError("lemmas need simplemma: pip install 'askagain[features]'") from error
    return Lemmatizer()


@lru_cache(maxsize=_CACHED_WORDS)
def _terms(word: str) -> tuple[str, ...]:
    """The word's stem, or nothing where it is a stop word."""
    return tuple(_ANALYZER.terms(word))
