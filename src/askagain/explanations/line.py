"""A comparison in one line of plain language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from askagain.explanations.comparison import Comparison, Stems
from askagain.explanations.reading import Post, Reading, Step

_MOST_SAME: Final = 5
_MOST_DIFFERENT: Final = 3
_LONGEST_PHRASE: Final = 8
_MOST_CHARACTERS: Final = 60


class Phrase(NamedTuple):
    """Words of a question as they are told, and the stems that it is told for."""

    text: str
    stems: frozenset[str]


def line_of(comparison: Comparison) -> str:
    """`same: boot from usb; similar: stick ~ drive; only yours: windows 8; only theirs: dell`."""
    same, similar = _same(comparison), _similar(comparison)
    kinds = {
        "same": same,
        "similar": similar,
        "only yours": _alone(comparison.asked, comparison.only_asked, comparison.heavy),
        "only theirs": _alone(comparison.found, comparison.only_found, comparison.heavy),
    }
    told = [f"{kind}: {', '.join(items)}" for kind, items in kinds.items() if items]
    return "; ".join(told if same or similar else ["no word in common", *told])


def _same(comparison: Comparison) -> list[str]:
    """In the asker's words; those that stand in a row in both questions are one phrase."""
    asked, found = comparison.shared_by
    stems = frozenset(comparison.shared)
    in_found = {step.stems for post in (found.title, found.body) for step in post.steps(stems)}
    phrases = [
        phrase
        for post in (asked.title, asked.body)
        for phrase in _phrases(post, stems, (step for step in post.steps(stems) if step.stems in in_found))
    ]
    heavy = [phrase for phrase in phrases if phrase.stems & comparison.heavy]
    return _told(heavy or phrases, comparison.shared)[:_MOST_SAME]


def _similar(comparison: Comparison) -> list[str]:
    asked, found = comparison.asked.telling, comparison.found.telling
    return [f"{asked[pair.asked]} ~ {found[pair.found]}" for pair in comparison.aligned[:_MOST_DIFFERENT]]


def _alone(question: Reading, alone: Stems, heavy: frozenset[str]) -> list[str]:
    """Words that stand side by side are one phrase; those beyond the headline are not told."""
    post, stems = question.headline, question.headline_stems.intersection(alone)
    phrases = _phrases(post, stems, (step for step in post.steps(stems) if step.end == step.start + 1))
    return _told((phrase for phrase in phrases if phrase.stems & heavy), alone)[:_MOST_DIFFERENT]


def _phrases(post: Post, stems: frozenset[str], joined: Iterable[Step]) -> Iterator[Phrase]:
    """The telling words with these stems; joined ones are one phrase, with whatever stands between."""
    following = {step.start: step.end for step in joined}
    done = 0
    for place in post.telling:
        if place < done or post.stems[place] not in stems:
            continue
        end = place
        while following.get(end, place + _LONGEST_PHRASE) < place + _LONGEST_PHRASE:
            end = following[end]
        done = end + 1
        text = " ".join(post.words[place:done])
        yield Phrase(_shortened(text), stems.intersection(post.stems[place:done]))


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"


def _told(phrases: Iterable[Phrase], stems: Stems) -> list[str]:
    """The phrase with the first of the stems comes first; nothing is told twice."""
    places = {stem: place for place, stem in enumerate(stems)}
    told: set[str] = set()
    texts = []
    for phrase in sorted(phrases, key=lambda p: (min(places[stem] for stem in p.stems), -len(p.stems))):
        if not phrase.stems <= told:
            told |= phrase.stems
            texts.append(phrase.text)
    return texts
