"""Questions by their numbers, remembered as long as the archive stays as it is."""

import pytest
from forum_of_words import FORUM

from askagain.archive import Archive
from askagain.fusion import lookup
from askagain.fusion.lookup import Lookup
from askagain.question import Question


@pytest.fixture
def numbers(archive: Archive) -> list[int]:
    known = archive.numbers(question.id for question in FORUM)
    return [known[question.id] for question in FORUM]


def test_questions_are_found_by_their_numbers(archive: Archive, numbers: list[int]) -> None:
    assert list(Lookup(archive).by_numbers(numbers).values()) == FORUM


def test_what_is_not_there_is_left_out(archive: Archive, numbers: list[int]) -> None:
    assert Lookup(archive).by_numbers([numbers[0], 10_000]) == {numbers[0]: FORUM[0]}


def test_what_was_looked_up_before_is_not_read_again(archive: Archive, numbers: list[int]) -> None:
    known = Lookup(archive)
    first = known.by_numbers(numbers[:2])[numbers[1]]
    assert known.by_numbers(numbers)[numbers[1]] is first


def test_an_edit_holds_at_once(archive: Archive, numbers: list[int]) -> None:
    known = Lookup(archive)
    known.by_numbers(numbers)
    archive.put_many([Question("Boot from a floppy disk", id="cd")])
    assert known.by_numbers(numbers)[numbers[2]].title == "Boot from a floppy disk"


def test_what_was_deleted_is_gone_at_once(archive: Archive, numbers: list[int]) -> None:
    known = Lookup(archive)
    known.by_numbers(numbers)
    archive.delete("cd")
    assert numbers[2] not in known.by_numbers(numbers)


def test_gigantic_questions_are_not_kept_for_ever(
    archive: Archive, numbers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookup, "_MOST_CHARACTERS", 1000)
    known = Lookup(archive)
    first = known.by_numbers(numbers)[numbers[0]]
    again = known.by_numbers(numbers)[numbers[0]]
    assert again == first
    assert again is not first
