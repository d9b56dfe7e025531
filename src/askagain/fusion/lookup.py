"""Questions by their numbers in the archive; those that were looked up are remembered until it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from askagain.archive import Archive, Position
from askagain.archive.hygiene import length
from askagain.question import Question

_MOST_CHARACTERS: Final = 16_000_000
# About what Python needs besides the texts of a question.
_CHARACTERS_OF_A_QUESTION: Final = 500


@dataclass
class _Remembered:
    """What the archive has had at a point of its history."""

    position: Position
    questions: dict[int, Question] = field(default_factory=dict)
    characters: int = 0

    def add(self, found: dict[int, Question]) -> None:
        self.questions.update(found)
        self.characters += sum(map(length, found.values())) + len(found) * _CHARACTERS_OF_A_QUESTION


class Lookup:
    """Looks questions up. May be shared by threads."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._remembered = _Remembered(archive.sequence)

    def by_numbers(self, numbers: Sequence[int]) -> dict[int, Question]:
        """The questions with these numbers; deleted and unknown ones are left out."""
        # Read before the questions: what has changed in between is forgotten by the next call.
        now = self._archive.sequence
        remembered = self._remembered
        if remembered.position != now or remembered.characters > _MOST_CHARACTERS:
            # A new one, and not the old one emptied: another thread may be reading that.
            remembered = self._remembered = _Remembered(now)
        known = remembered.questions
        if missing := [number for number in numbers if number not in known]:
            remembered.add(self._archive.by_numbers(missing))
        return {number: known[number] for number in numbers if number in known}
