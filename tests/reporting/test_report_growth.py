"""How quality grows with the marks of the sample forum."""

import pytest
from made_up import stage

from askagain.fusion.examples import Asked
from askagain.fusion.gathering import Gatherer
from askagain.fusion.recipe import FusedSystem
from askagain.question import Question
from askagain.reporting.assessing import assess
from askagain.reporting.candidates import Candidates, Marked, candidates_of
from askagain.reporting.growth import Stage, _drawn, growth_of
from askagain.reporting.growthcurve import growth_curve


@pytest.fixture(scope="module")
def stages(candidates: Candidates, gatherer: Gatherer, system: FusedSystem) -> list[Stage]:
    """Starting from what was learned from the same marks: good enough to be a default."""
    names = gatherer.signals.names
    default = assess(candidates, names, system.learning, None, seed=0).fitted.judge
    return growth_of(candidates, names, system.learning, default, seed=0)


def test_stages_go_from_no_marks_to_all_of_them(stages: list[Stage]) -> None:
    assert [each.marks for each in stages[:2]] == [0, 50]
    assert [each.is_all for each in stages] == [False, False, True]
    assert stages[-1].marks > 50


def test_every_figure_is_within_its_range(stages: list[Stage]) -> None:
    for each in stages:
        for estimate in filter(None, (each.map, each.precision, each.recall)):
            assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def test_without_a_default_nothing_is_said_about_no_marks(
    candidates: Candidates, gatherer: Gatherer, system: FusedSystem
) -> None:
    found = growth_of(candidates, gatherer.signals.names, system.learning, None, seed=0)

    assert 0 not in [each.marks for each in found]
    assert found[-1].is_all


def test_too_few_marks_have_no_stages(
    candidates: Candidates, gatherer: Gatherer, system: FusedSystem
) -> None:
    few = candidates_of(gatherer, Marked(candidates.asked[:3], {}))

    assert growth_of(few, gatherer.signals.names, system.learning, None, seed=0) == []


def test_nothing_is_measured_with_duplicates_of_what_was_learned_from() -> None:
    asked = [
        Asked(Question(title="", id=f"q{number}"), frozenset({f"q{number ^ 1}"}), frozenset(), number // 2)
        for number in range(40)
    ]

    draw = _drawn(asked, seed=0)

    measured, learned = ({asked[number].group for number in some} for some in (draw.measured, draw.learned))
    assert (len(measured), len(learned)) == (5, 15)
    assert not measured & learned
    assert draw.most == 15


def test_as_many_lists_are_learned_from_as_have_the_wished_marks() -> None:
    asked = [Asked(Question(title="", id=f"q{n}"), frozenset({f"x{n}"}), frozenset(), n) for n in range(40)]

    draw = _drawn(asked, seed=0)

    assert [len(draw.lists_with(marks)) for marks in (0, 1, 7, 30)] == [0, 1, 7, 30]


def test_all_marks_are_those_of_all_lists() -> None:
    asked = [
        Asked(Question(title="", id=f"q{number}"), frozenset({f"q{number ^ 1}"}), frozenset(), number // 2)
        for number in range(40)
    ]

    draw = _drawn(asked, seed=0)

    assert draw.lists_with(draw.most) == draw.learned


def test_the_curve_names_its_stages() -> None:
    drawn = growth_curve("best <b>", [stage(0), stage(50), stage(1234, is_all=True)])

    assert ">0<" in drawn
    assert ">50<" in drawn
    assert ">all: 1,234<" in drawn
    assert "best &lt;b&gt;" in drawn
