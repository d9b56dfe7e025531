"""Analysis: from a raw post to the terms that an index or a model counts."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import Stemmer

from askagain.errors import SettingsError
from askagain.stopwords import ENGLISH
from askagain.text import DEFAULT_OPTIONS, Step, TextOptions, clean, steps, tokenize

_NONE = "none"
_STOP_WORDS: Mapping[str, frozenset[str]] = {_NONE: frozenset(), "english": ENGLISH}
_LONGEST_NGRAM = 3

# More stems than a large forum has words; the cache starts anew when it is full.
_CACHED_STEMS = 500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyzerSettings:
    """Everything that decides which terms a post gives; stored with each index and model.

    `stemmer` is "none" or a Snowball algorithm, `stop_words` is "none" or "english", and `ngrams` is the
    longest word n-gram, 1 to 3: with 2 the terms are all single words and then all pairs of neighbours.
    """

    stemmer: str = "english"
    stop_words: str = _NONE
    ngrams: int = 1
    text: TextOptions = DEFAULT_OPTIONS

    def __post_init__(self) -> None:
        _check("stemmer", self.stemmer, [_NONE, *Stemmer.algorithms()])
        _check("stop_words", self.stop_words, list(_STOP_WORDS))
        _check("ngrams", self.ngrams, list(range(1, _LONGEST_NGRAM + 1)))
        _check("text.block_code", self.text.block_code, [False, True])
        _check("text.inline_code", self.text.inline_code, [False, True])

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain values, ready for JSON or TOML."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> AnalyzerSettings:
        """The settings that `to_dict` gave; what is not named has its default."""
        _check_names("", values, cls)
        text = values.get("text", {})
        if not isinstance(text, Mapping):
            raise SettingsError(f"analyzer setting text is {text!r}; expected a table of settings")
        _check_names("text.", text, TextOptions)
        return cls(**{**values, "text": TextOptions(**text)})


def _check(name: str, value: object, allowed: list[Any]) -> None:
    if not any(type(value) is type(known) and value == known for known in allowed):
        choices = ", ".join(repr(known) for known in allowed)
        raise SettingsError(f"analyzer setting {name} is {value!r}; expected one of {choices}")


def _check_names(prefix: str, values: Iterable[str], settings: type[AnalyzerSettings | TextOptions]) -> None:
    known = [prefix + field.name for field in fields(settings)]
    for name in values:
        if f"{prefix}{name}" not in known:
            raise SettingsError(
                f"unknown analyzer setting {prefix}{name}; the settings are {', '.join(known)}"
            )


class Analyzer:
    """Turns posts into terms, always in the same way; may be shared by threads."""

    def __init__(self, settings: AnalyzerSettings | None = None) -> None:
        self.settings = settings or AnalyzerSettings()
        self._stop_words = _STOP_WORDS[self.settings.stop_words]
        self._stems = None if self.settings.stemmer == _NONE else _Stems(self.settings.stemmer)

    def terms(self, raw: str) -> list[str]:
        """The post's terms in order, repetitions included: words first, then pairs, then triples."""
        if not raw:  # many questions have no body
            return []
        tokens = tokenize(clean(raw, self.settings.text))
        return self._with_ngrams(self._stemmed(self._without_stop_words(tokens)))

    def words_and_terms(self, raw: str) -> tuple[list[str], list[str]]:
        """The post's words in order, without stop words, and for each the term that it gives."""
        tokens = self._without_stop_words(tokenize(clean(raw, self.settings.text)))
        return tokens, self._stemmed(tokens)

    def words(self, raw: str) -> dict[str, str]:
        """For each term of a post that is a single word, the word as the post has it first."""
        tokens, terms = self.words_and_terms(raw)
        return dict(zip(reversed(terms), reversed(tokens), strict=True))

    def steps(self, raw: str) -> list[Step]:
        """What becomes of a post, step by step; the last one shows the terms."""
        seen = steps(raw, self.settings.text)
        tokens = tokenize(seen[-1].text)
        content = self._without_stop_words(tokens)
        stems = self._stemmed(content)
        lists = {"tokens": tokens, "stop words": content, "stems": stems, "n-grams": self._with_ngrams(stems)}
        return seen + [Step(name, " ".join(terms)) for name, terms in lists.items()]

    def _without_stop_words(self, tokens: list[str]) -> list[str]:
        if not self._stop_words:
            return tokens
        return [token for token in tokens if token not in self._stop_words]

    def _stemmed(self, tokens: list[str]) -> list[str]:
        return tokens if self._stems is None else [self._stems[token] for token in tokens]

    def _with_ngrams(self, words: list[str]) -> list[str]:
        """N-grams run over what stop words and stemming have left."""
        terms = list(words)
        for size in range(2, self.settings.ngrams + 1):
            terms += map("_".join, zip(*(words[start:] for start in range(size)), strict=False))
        return terms


class _Stems(dict[str, str]):
    """The stem of every word that is looked up; a Snowball stemmer serves one thread at a time."""

    def __init__(self, algorithm: str) -> None:
        super().__init__()
        self._stemmer = Stemmer.Stemmer(algorithm, 0)
        self._lock = threading.Lock()

    def __missing__(self, word: str) -> str:
        with self._lock:
            if len(self) >= _CACHED_STEMS:
                self.clear()
            stem: str = self._stemmer.stemWord(word)
            self[word] = stem
        return stem
