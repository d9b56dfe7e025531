"""Sources in parts."""

import json
from pathlib import Path

from askagain import Question
from askagain.cluster.encoding.parts import Part, parts_of
from askagain.sources.base import Skipped

SOURCE = Path("folder/forum.db")


def question(name: str) -> Question:
    return Question(f"title of {name}", id=name)


def part(*names: str) -> Part[Question]:
    return Part(SOURCE, 1, 10, tuple((place, question(name)) for place, name in enumerate(names, start=1)))


def test_a_part_covers_so_many_places_whatever_stands_there() -> None:
    rows = [(place, question(str(place))) for place in (1, 2, 5, 6, 11)]

    parts = list(parts_of(SOURCE, rows, 5, lambda row: None))

    assert [(each.first, each.last, len(each.rows)) for each in parts] == [(1, 5, 3), (6, 10, 1), (11, 15, 1)]
    assert parts[0].name == "forum.db-0000000001-0000000005"


def test_what_cannot_be_used_is_told_and_left_out() -> None:
    told: list[Skipped] = []
    bad = Skipped(SOURCE, 2, "no title")

    [only] = parts_of(SOURCE, [(1, question("a")), bad, (3, question("c"))], 5, told.append)

    assert [place for place, _ in only.rows] == [1, 3]
    assert told == [bad]


def test_each_line_of_the_ids_says_what_a_row_belongs_to() -> None:
    lines = part("a", "b\u2028c").ids.decode().split("\n")

    assert [json.loads(line) for line in lines if line] == [
        {"place": 1, "id": "a"},
        {"place": 2, "id": "b\u2028c"},
    ]


def test_another_text_or_other_settings_make_another_fingerprint() -> None:
    prints = {
        part("a", "b").fingerprint("settings"),
        part("a", "c").fingerprint("settings"),
        part("a", "b").fingerprint("others"),
    }

    assert len(prints) == 3
    assert part("a", "b").fingerprint("settings") in prints
