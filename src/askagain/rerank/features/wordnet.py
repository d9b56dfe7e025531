"""WordNet 3.0 (Fellbaum 1998) as plain dictionaries, read from its own files.

A word is looked up in any inflected form, for every part of speech, as WordNet's own `morphy` does it: the
form itself, and what the list of exceptions (`*.exc`) gives or, where that is silent, what the rules of
detachment give, if WordNet has it. A synset is known by the number that is usual elsewhere: 1, 2, 3 or 4 for
noun, verb, adjective or adverb, and the eight digits of its place in its file.

Everything is read once, on first use, from `data.*`, `*.exc` and `cntlist.rev`; `index.*` says nothing that
`data.*` does not.
"""

from __future__ import annotations

import os
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from askagain.errors import MissingResourceError

Folder: TypeAlias = Path | zipfile.Path
"""nltk's own download leaves a corpus in its archive, which is read as well as a folder."""

NOUN: Final = 1
VERB: Final = 2
ADJECTIVE: Final = 3
ADVERB: Final = 4

_FILES: Final = {NOUN: "noun", VERB: "verb", ADJECTIVE: "adj", ADVERB: "adv"}
_ENDINGS: Final = {
    NOUN: (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
           ("men", "man"), ("ies", "y")),
    VERB: (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
           ("ing", "")),
    ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    ADVERB: (),
}  # fmt: skip
_FILE_SIZE: Final = 10**8
"""More than any place in a file: eight digits."""
_SATELLITE: Final = 5
"""The number by which sense keys tell adjectives that stand close to another one."""

_SYSTEM: Final = ("/usr/local/share/nltk_data", "/usr/share/nltk_data")
_DEBIAN: Final = "/usr/share/wordnet"
_CACHED_WORDS: Final = 200_000


@dataclass(frozen=True)
class WordNet:
    """What the files say, by lemma in lower case; words of a phrase are joined by `_`."""

    synsets: dict[int, dict[str, list[int]]]
    """By part of speech, in the order of their places in the file."""
    names: dict[int, list[str]]
    """The words of every synset, as they are written."""
    exceptions: dict[int, dict[str, list[str]]]
    """Irregular forms, by part of speech."""
    frequencies: dict[tuple[str, int], int]
    """How often a lemma has been met as a part of speech in WordNet's tagged texts."""


@lru_cache(_CACHED_WORDS)
def synsets(word: str) -> frozenset[int]:
    """The synsets of a word in any inflected form, of all parts of speech; a phrase may be joined by `_`."""
    return _entry(word).synsets


def same_meaning(first: str, second: str) -> bool:
    """Whether two words share a synset."""
    return not synsets(first).isdisjoint(synsets(second))


@lru_cache(_CACHED_WORDS)
def synonyms(word: str) -> frozenset[str]:
    """The single words of the word's synsets, as they are written."""
    names = loaded().names
    return frozenset(name for number in synsets(word) for name in names[number] if "_" not in name)


def part_of_speech(word: str) -> int | None:
    """The part of speech that the word is most often met as in WordNet's tagged texts; None if unknown.

    Where the texts do not decide, noun goes before verb, verb before adjective, adjective before adverb.
    """
    return _entry(word).part_of_speech


def lemma(word: str) -> str:
    """The base form of a word as its most frequent part of speech; an unknown word is its own lemma."""
    return _entry(word).lemma


@dataclass(frozen=True, slots=True)
class _Entry:
    synsets: frozenset[int]
    part_of_speech: int | None
    lemma: str


@lru_cache(_CACHED_WORDS)
def _entry(word: str) -> _Entry:
    known, form = loaded(), word.lower()
    lemmas = {part: found for part in _FILES if (found := _lemmas(known, form, part))}
    if not lemmas:
        return _Entry(frozenset(), None, form)
    seen = {part: sum(known.frequencies.get((base, part), 0) for base in lemmas[part]) for part in lemmas}
    best = max(lemmas, key=lambda part: (seen[part], -part))
    irregular = known.exceptions[best].get(form, [])
    base = next((base for base in lemmas[best] if base in irregular), lemmas[best][0])
    meanings = (number for part in lemmas for base in lemmas[part] for number in known.synsets[part][base])
    return _Entry(frozenset(meanings), best, base)


def _lemmas(known: WordNet, form: str, part: int) -> list[str]:
    """The form itself and its base forms, each once, as far as WordNet has them as this part of speech."""
    bases = known.exceptions[part].get(form)
    if bases is None:
        bases = [form.removesuffix(old) + new for old, new in _ENDINGS[part] if form.endswith(old)]
    return [base for base in dict.fromkeys([form, *bases]) if base in known.synsets[part]]


@cache
def loaded() -> WordNet:
    """The WordNet of this machine."""
    return read(folder())


def folder() -> Folder:
    """The first folder that holds WordNet: of NLTK_DATA, of this environment, of the system."""
    for place in _places():
        if (place / "data.noun").is_file():
            return place
    raise MissingResourceError(
        "WordNet is not installed: install Debian's wordnet-base and wordnet-sense-index,"
        " or set NLTK_DATA to a folder that holds corpora/wordnet"
    )


def _places() -> Iterator[Folder]:
    own = [name for name in os.environ.get("NLTK_DATA", "").split(os.pathsep) if name]
    for name in [*own, f"{sys.prefix}/nltk_data", *_SYSTEM]:
        corpora = Path(name) / "corpora"
        yield corpora / "wordnet"
        if zipfile.is_zipfile(corpora / "wordnet.zip"):
            yield zipfile.Path(corpora / "wordnet.zip", "wordnet/")
    yield Path(_DEBIAN)


def read(place: Folder) -> WordNet:
    """The WordNet of a folder."""
    names: dict[int, list[str]] = {}
    try:
        numbers = {
            part: _read_synsets((place / f"data.{file}").read_text("utf-8"), part, names)
            for part, file in _FILES.items()
        }
        exceptions = {
            part: _read_exceptions((place / f"{file}.exc").read_text("utf-8"))
            for part, file in _FILES.items()
        }
        frequencies = _read_frequencies((place / "cntlist.rev").read_text("utf-8"))
    except (OSError, ValueError, IndexError) as error:
        raise MissingResourceError(
            f"WordNet in {place} cannot be read: {error}; install Debian's wordnet-base again"
        ) from error
    return WordNet(numbers, names, exceptions, frequencies)


def _read_synsets(text: str, part: int, names: dict[int, list[str]]) -> dict[str, list[int]]:
    """Lines of `place file kind count word id word id … | gloss`, the count in two hexadecimal digits."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for line in text.splitlines():
        if line.startswith("  "):  # the licence
            continue
        number = part * _FILE_SIZE + int(line[:8])
        count = int(line[14:16], 16)
        words = line[17:].split(" ", 2 * count)[: 2 * count : 2]
        if part == ADJECTIVE:
            words = [word.partition("(")[0] for word in words]  # "(p)": stands behind the noun only
        names[number] = words
        for word in words:
            numbers[word.lower()].append(number)
    return dict(numbers)


def _read_exceptions(text: str) -> dict[str, list[str]]:
    """Lines of an irregular form and its base forms."""
    return {form: bases for form, *bases in map(str.split, text.splitlines())}


def _read_frequencies(text: str) -> dict[tuple[str, int], int]:
    """Lines of a sense key, `lemma%part:…`, the sense's number and how often it has been met."""
    seen: dict[tuple[str, int], int] = defaultdict(int)
    for line in text.splitlines():
        key, _, count = line.split()
        name, _, rest = key.rpartition("%")
        part = int(rest[0])
        seen[name, ADJECTIVE if part == _SATELLITE else part] += int(count)
    return dict(seen)
