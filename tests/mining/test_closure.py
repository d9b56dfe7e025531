"""What pairs lead to."""

from askagain.mining.closure import closed, neighbours_of, reached_from

PAIRS = [("a", "b"), ("d", "e"), ("c", "b")]


def test_pairs_lead_to_groups() -> None:
    assert sorted(map(sorted, closed(PAIRS))) == [["a", "b", "c"], ["d", "e"]]


def test_from_one_question_its_whole_group_is_reached() -> None:
    assert reached_from("a", neighbours_of(PAIRS)) == {"a", "b", "c"}
    assert reached_from("alone", neighbours_of(PAIRS)) == {"alone"}
