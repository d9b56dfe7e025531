"""Charts of figures: they say the numbers they are given, and draw them where they belong."""

from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from charts import Estimate, interval_chart, linear_scale, logarithmic_scale, ratio_chart

BM25 = Estimate("bm25", Decimal("20.0"), Decimal("10.0"), Decimal("30.0"))
RCNN = Estimate("rcnn", Decimal("40.50"), Decimal("25.0"), Decimal("60.0"))

positive = st.decimals(min_value="0.000001", max_value="999999999", places=6)
figures = st.decimals(min_value=0, max_value=999_999_999, places=2)
estimates = st.builds(Estimate, st.text("ab<&", min_size=1), figures, figures, figures)


def drawn(svg: str) -> etree._Element:
    return etree.fromstring(svg)


def texts(svg: str, kind: str) -> list[str]:
    return drawn(svg).xpath(f"//*[@class='{kind}']/text()")


def places(svg: str, kind: str, attribute: str) -> list[float]:
    return [float(place.rstrip("%")) for place in drawn(svg).xpath(f"//*[@class='{kind}']/@{attribute}")]


def test_a_figure_is_said_with_the_digits_that_it_came_with() -> None:
    assert texts(interval_chart("map", [BM25, RCNN], {}), "value") == ["20.0", "40.50"]


def test_the_interval_can_be_read_too() -> None:
    assert "<title>bm25: 20.0 [10.0, 30.0]</title>" in interval_chart("map", [BM25], {})


def test_a_higher_figure_is_further_to_the_right() -> None:
    bm25, rcnn = places(interval_chart("map", [BM25, RCNN], {}), "ours", "cx")
    assert bm25 < rcnn


def test_a_dot_is_on_its_interval_in_proportion() -> None:
    svg = interval_chart("map", [BM25], {})
    [low], [dot], [high] = (
        places(svg, "whisker", "x1"), places(svg, "ours", "cx"), places(svg, "whisker", "x2"),
    )  # fmt: skip
    assert dot - low == pytest.approx(high - dot)


def test_a_published_figure_stands_on_the_row_of_its_name() -> None:
    svg = interval_chart("map", [BM25], {"bm25": Decimal("18.2")})
    assert texts(svg, "value") == ["20.0, published 18.2"]
    assert places(svg, "published", "x") < places(svg, "ours", "cx")


def test_a_published_figure_of_another_name_has_a_row_of_its_own() -> None:
    svg = interval_chart("map", [BM25], {"SS1": Decimal("71.11")})
    assert texts(svg, "name") == ["bm25", "SS1"]
    assert texts(svg, "value") == ["20.0", "published 71.11"]


def test_only_what_is_drawn_is_in_the_key() -> None:
    assert "published" not in interval_chart("map", [BM25], {})


def test_a_bar_goes_from_1_to_its_ratio() -> None:
    svg = ratio_chart("vs bm25s", [("search", Decimal("1.51"))])
    assert places(svg, "ours", "x") == places(svg, "one", "x1")


def test_half_and_twice_as_fast_are_equally_far_from_1() -> None:
    svg = ratio_chart("vs bm25s", [("search", Decimal("0.50")), ("building", Decimal("2.00"))])
    [worse], [better] = places(svg, "worse", "width"), places(svg, "ours", "width")
    assert worse == pytest.approx(better, abs=0.02)
    assert texts(svg, "value") == ["0.50", "2.00"]


def test_names_are_text_whatever_they_contain() -> None:
    name = '<script>&"'
    svg = ratio_chart(name, [(name, Decimal(2))]) + interval_chart(name, [BM25], {name: Decimal(1)})
    assert "<script" not in svg
    assert texts(ratio_chart("vs", [(name, Decimal(2))]), "name") == [name]


def test_an_endless_name_is_cut() -> None:
    [name] = texts(ratio_chart("vs", [("x" * 10_000, Decimal(2))]), "name")
    assert len(name) == 60


def test_the_ends_of_a_scale_are_round() -> None:
    assert linear_scale([Decimal("11.94"), Decimal("33.72")]).ticks == (10, 15, 20, 25, 30, 35)
    assert logarithmic_scale([Decimal("0.15"), Decimal("38.60")]).ticks == (
        0.1,
        0.2,
        0.5,
        1,
        2,
        5,
        10,
        20,
        50,
    )


def test_a_scale_of_many_powers_of_ten_shows_them_alone() -> None:
    assert logarithmic_scale([Decimal(1), Decimal(90_000)]).ticks == (1, 10, 100, 1_000, 10_000, 100_000)


@given(st.lists(estimates, min_size=1, max_size=5), st.dictionaries(st.text("abc"), figures, max_size=3))
def test_every_interval_fits_the_picture(rows: list[Estimate], published: dict[str, Decimal]) -> None:
    assert_inside(interval_chart("map", rows, published))


@given(st.lists(positive, min_size=1, max_size=5))
def test_every_ratio_fits_the_picture(ratios: Sequence[Decimal]) -> None:
    svg = ratio_chart("vs peer", [("case", ratio) for ratio in ratios])
    assert_inside(svg)
    ends = [
        x + width
        for kind in ("ours", "worse")
        for x, width in zip(places(svg, kind, "x"), places(svg, kind, "width"), strict=True)
    ]
    assert max(ends) <= 100


def assert_inside(svg: str) -> None:
    lengths = drawn(svg).xpath("//@x | //@x1 | //@x2 | //@cx | //@width")
    assert all(0 <= float(length.rstrip("%")) <= 100 for length in lengths)
