"""Figures of several engines side by side: which is better, and by how much."""

from cases import OURS, Case, best_seconds, render


def test_where_less_is_better_the_ratio_is_the_best_peers_figure_against_ours() -> None:
    assert Case("search", "s", {OURS: 2.0, "one": 10.0, "other": 8.0}).ratio(["one", "other"]) == 4


def test_where_more_is_better_it_is_turned_around() -> None:
    assert Case("search", "queries/s", {OURS: 10.0, "one": 2.0, "other": 4.0}).ratio(["one", "other"]) == 2.5


def test_a_table_has_a_ratio_for_each_group_of_peers() -> None:
    table = render(
        [Case("search", "s", {OURS: 2.0, "one": 10.0, "other": 8.0})], [["one"], ["other"], ["third"]]
    )
    heads, values = table.splitlines()
    assert heads.endswith("vs one / vs other / vs third")
    assert values.endswith("5.00 / 4.00 / –")


def test_the_best_of_several_rounds_counts() -> None:
    calls: list[str] = []
    best_seconds({"first": lambda: calls.append("first"), "second": lambda: calls.append("second")}, rounds=2)
    assert calls == ["first", "second"] * 3
