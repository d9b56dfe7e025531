"""Candidates: the words of a parse that may become keywords."""

from __future__ import annotations

from typing import Final

from askagain.rerank.keywords.parsing import Parse
from askagain.stopwords import ENGLISH

# What a search must keep, because it tells questions apart, is no keyword: question words, negations, words
# of place and time. Nor are words of courtesy, which forums are full of. The last line holds the pieces into
# which parsers take contractions apart.
_NO_KEYWORDS: Final = """
    how why which what when where who whom whose whether
    no not never none nothing nobody neither without cannot
    after again against before between once until up down out off over under further now ever even still
    please plz pls thanks thank thx hi hello hey dear regards cheers
    few much many every either else like well
    n't 's 'm 're 've 'll 'd ca wo nt im ive dont
"""
STOP_WORDS: Final = ENGLISH | frozenset(_NO_KEYWORDS.split())


def candidates(parse: Parse) -> dict[str, list[int]]:
    """Each lower-cased word that has a letter or digit and is no stop word, with all its places, in order."""
    places: dict[str, list[int]] = {}
    for place, form in enumerate(parse.forms):
        if form not in STOP_WORDS and _is_word(form):
            places.setdefault(form, []).append(place)
    return places


def count_words(parse: Parse) -> int:
    """How many words there are, stop words among them, without punctuation."""
    return sum(map(_is_word, parse.forms))


def _is_word(form: str) -> bool:
    return any(character.isalnum() for character in form)
