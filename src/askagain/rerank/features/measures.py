"""Every measure with its name, before it is told whether to look at titles or bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib import import_module
from operator import attrgetter
from typing import Any, Final, Literal

from askagain.rerank.features import overlap, strings
from askagain.rerank.features.overlap import Bag, Idf, ngrams
from askagain.rerank.features.texts import MOST_CHARACTERS, Prose

Kind = Literal["strings", "overlap", "translation"]
Reading = Callable[[Prose], Any]
Comparison = Callable[[Any, Any], float]

# A query, which is compared with many, and a few candidates, with three fields of four units each.
_CACHED_BAGS: Final = 256


@dataclass(frozen=True, slots=True)
class Measure:
    """How two texts are compared; the name ends with what of them is compared.

    `needs` names what must be there beyond the extra `features`; where it is missing, the comparison says so.
    """

    name: str
    kind: Kind
    description: str
    compare: Callable[[Prose, Prose], float]
    needs: str = ""


def all_measures(idf: Idf) -> tuple[Measure, ...]:
    """All measures, in their order; with these weights of terms for TF-IDF."""
    return (*_string_measures(), *_overlap_measures(), _tfidf_measure(idf), *_translation_measures())


def _lemma_characters(prose: Prose) -> str:
    return " ".join(prose.lemmas)[:MOST_CHARACTERS]


_SEQUENCES: Final[Mapping[str, Reading]] = {
    "characters": attrgetter("text"),
    "lemma-characters": _lemma_characters,
    "words": attrgetter("words"),
    "lemmas": attrgetter("lemmas"),
    "terms": attrgetter("terms"),
}

_STRINGS: Final[tuple[tuple[str, tuple[str, ...], str, Comparison], ...]] = (
    (
        "longest-common-substring",
        ("characters", "lemma-characters"),
        "longest run in both",
        strings.longest_common_substring,
    ),
    (
        "longest-common-subsequence",
        ("characters", "words", "terms"),
        "longest sequence in both, with gaps",
        strings.longest_common_subsequence,
    ),
    ("smith-waterman", ("words", "lemmas"), "best local alignment", strings.smith_waterman),
    ("tiling-1", ("terms",), "share covered by common runs", partial(strings.greedy_string_tiling, least=1)),
    (
        "tiling-2",
        ("words",),
        "share covered by common runs of two or more",
        partial(strings.greedy_string_tiling, least=2),
    ),
    ("jaro-winkler", ("characters",), "characters at about the same place", strings.jaro_winkler),
    ("levenshtein", ("characters",), "share that needs no edit", strings.levenshtein),
    ("profile-2", ("characters",), "cosine of pairs", partial(strings.character_profiles, size=2)),
    ("profile-3", ("characters",), "cosine of triples", partial(strings.character_profiles, size=3)),
    ("profile-4", ("characters",), "cosine of runs of four", partial(strings.character_profiles, size=4)),
)


def _string_measures() -> list[Measure]:
    return [
        Measure(f"{name}.{unit}", "strings", description, _read_by(_SEQUENCES[unit], compare))
        for name, units, description, compare in _STRINGS
        for unit in units
    ]


_ITEMS: Final[Mapping[str, Callable[[Prose], Iterable[Any]]]] = {
    "words": lambda prose: prose.words,
    "word-pairs": lambda prose: ngrams(prose.words, 2),
    "word-triples": lambda prose: ngrams(prose.words, 3),
    "terms": lambda prose: prose.terms,
}


@lru_cache(maxsize=_CACHED_BAGS)
def _bag(unit: str, prose: Prose) -> Bag[Any]:
    return Bag.of(_ITEMS[unit](prose))


def _members(unit: str, prose: Prose) -> frozenset[Any]:
    return _bag(unit, prose).members


_OVERLAPS: Final[tuple[tuple[str, Comparison, Callable[[str, Prose], Any], str], ...]] = (
    ("jaccard", overlap.jaccard, _members, "shared of all"),
    ("containment", overlap.containment, _members, "share of the first that the second has"),
    ("contained", lambda a, b: overlap.containment(b, a), _members, "share of the second that the first has"),
    ("overlap-coefficient", overlap.overlap_coefficient, _members, "shared of the shorter"),
    ("dice", overlap.dice, _members, "shared of the mean length"),
    ("binary-cosine", overlap.binary_cosine, _members, "cosine of presence"),
    ("kl", overlap.kl_similarity, _bag, "1 / (1 + divergence of the second from the first)"),
    (
        "kl-reverse",
        lambda a, b: overlap.kl_similarity(b, a),
        _bag,
        "1 / (1 + divergence of the first from the second)",
    ),
)


def _overlap_measures() -> list[Measure]:
    return [
        Measure(f"{name}.{unit}", "overlap", description, _read_by(partial(read, unit), compare))
        for unit in _ITEMS
        for name, compare, read, description in _OVERLAPS
    ]


def _tfidf_measure(idf: Idf) -> Measure:
    compare = _read_by(partial(_bag, "terms"), partial(overlap.tfidf_cosine, idf=idf))
    return Measure("tfidf-cosine.terms", "overlap", "cosine of weighted counts", compare)


_WORDNET: Final = "wordnet"

# The module and function of each metric under `mt`: they are loaded when they are needed.
_METRICS: Final[tuple[tuple[str, str, str, str, str], ...]] = (
    ("bleu", "bleu", "bleu", "n-grams of the second that the first has", ""),
    ("nist", "nist", "nist_similarity", "the same, weighted by their information", ""),
    ("meteor", "meteor", "meteor", "aligned words, stems and synonyms", _WORDNET),
    ("ter", "ter", "ter_similarity", "1 / (1 + edits and shifts per word)", ""),
    ("ter-plus", "terplus", "ter_plus_similarity", "the same, with stems and synonyms", _WORDNET),
    ("maxsim", "maxsim", "maxsim", "n-grams matched by lemma and meaning", _WORDNET),
)


def _translation_measures() -> list[Measure]:
    """Metrics of translations, of the words: the first text is the reference, the second the hypothesis."""
    return [
        Measure(
            name=f"{name}.words",
            kind="translation",
            description=description,
            compare=_read_by(_SEQUENCES["words"], partial(_by_metric, module, function)),
            needs=needs,
        )
        for name, module, function, description, needs in _METRICS
    ]


def _by_metric(module: str, function: str, reference: tuple[str, ...], hypothesis: tuple[str, ...]) -> float:
    """As for all other measures, nothing is like a text without words, whatever the metric says of it."""
    return _metric(module, function)(reference, hypothesis) if reference and hypothesis else 0.0


@cache
def _metric(module: str, function: str) -> Comparison:
    metric: Comparison = getattr(import_module(f"askagain.rerank.features.mt.{module}"), function)
    return metric


def _read_by(read: Reading, compare: Comparison) -> Callable[[Prose, Prose], float]:
    return lambda first, second: compare(read(first), read(second))
