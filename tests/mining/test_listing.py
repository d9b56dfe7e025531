"""Likely pairs and groups as records."""

import csv

import pytest
from overlap_ranker import finish

from askagain import Archive, Engine, Mark, Question, Verdict
from askagain.mining.grouping import Grouping
from askagain.mining.listing import group_records, groups_as_csv, pair_records, pairs_as_csv
from askagain.mining.pairs import LikelyPairs


@pytest.fixture
def mined(pairs: LikelyPairs) -> LikelyPairs:
    finish(pairs)
    return pairs


def test_pairs_have_texts_and_reasons_and_the_most_likely_is_first(
    engine: Engine, mined: LikelyPairs
) -> None:
    first, *others = pair_records(engine, mined, 0.3)

    assert {first["first"], first["second"]} == {"boot", "usb"}
    assert first["first_title"] == "boot from usb stick"
    assert first["probability"] == 1.0
    assert "usb" in first["reason"]
    assert all(first["probability"] >= other["probability"] >= 0.3 for other in others)


def test_pairs_that_people_have_judged_are_left_out(
    engine: Engine, archive: Archive, mined: LikelyPairs
) -> None:
    archive.mark(Mark("boot", "usb", Verdict.NOT_DUPLICATE))

    assert {"boot", "usb"} not in [
        {pair["first"], pair["second"]} for pair in pair_records(engine, mined, 0.3)
    ]


def test_a_group_has_a_canonical_question_and_its_weakest_pair(
    engine: Engine, archive: Archive, mined: LikelyPairs
) -> None:
    archive.mark(Mark("rice", "pasta", Verdict.DUPLICATE))
    groups = {group["canonical"]: group for group in group_records(engine, Grouping(archive, mined), 0.5)}
    likely = next(group for group in groups.values() if group["weakest"] is not None)
    confirmed = next(group for group in groups.values() if group["weakest"] is None)

    assert {likely["canonical"], *(member["id"] for member in likely["members"])} == {"boot", "start", "usb"}
    assert likely["size"] == 3
    assert likely["weakest"] >= 0.5
    assert len(likely["weakest_pair"]) == 2
    assert [member["confirmed"] for member in confirmed["members"]] == [True]
    assert all("usb" in member["reason"] for member in likely["members"])


def test_as_csv_every_pair_and_every_question_to_close_has_a_line(
    engine: Engine, archive: Archive, mined: LikelyPairs
) -> None:
    archive.put(Question(id="=evil()", title="sticky rice"))
    finish(mined)
    pairs = list(csv.DictReader(pairs_as_csv(pair_records(engine, mined, 0.3))))
    records = list(group_records(engine, Grouping(archive, mined), 0.5))
    groups = list(csv.DictReader(groups_as_csv(records)))

    assert {row["second"] for row in pairs} >= {"'=evil()"}
    assert len(groups) == sum(len(group["members"]) for group in records)
    assert [groups[0]["weakest_first"], groups[0]["weakest_second"]] == records[0]["weakest_pair"]
    assert groups[0]["reason"] == records[0]["members"][0]["reason"]
