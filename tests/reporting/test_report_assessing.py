"""What the system would have done with the marks of the sample forum."""

from dataclasses import replace

import numpy as np
import pytest

from askagain.errors import TrainingError
from askagain.fusion.gathering import Gatherer
from askagain.fusion.recipe import FusedSystem
from askagain.question import Mark, Verdict
from askagain.reporting.assessing import Assessed, assess, outcomes_of
from askagain.reporting.candidates import Candidates, Marked, candidates_of


@pytest.fixture(scope="module")
def assessed(candidates: Candidates, gatherer: Gatherer, system: FusedSystem) -> Assessed:
    return assess(candidates, gatherer.signals.names, system.learning, None, seed=0)


def test_every_list_has_the_ranks_from_one_on(assessed: Assessed) -> None:
    lists = assessed.candidates.examples.lists
    for number in np.unique(lists):
        ranks = assessed.ranks[lists == number]
        assert sorted(ranks.tolist()) == list(range(1, len(ranks) + 1))


def test_duplicates_are_more_likely_than_others(assessed: Assessed) -> None:
    labels, judged = assessed.candidates.examples.labels, assessed.candidates.judged

    assert assessed.probabilities[labels].mean() > 3 * assessed.probabilities[judged & ~labels].mean()


def test_no_list_is_judged_by_what_was_learned_from_it(
    candidates: Candidates, gatherer: Gatherer, system: FusedSystem
) -> None:
    """A signal that only gives away the labels of one group is worth nothing for other groups."""
    examples = candidates.examples
    names, settings = gatherer.signals.names, replace(system.learning, methods=("logistic",))
    rng = np.random.default_rng(0)
    noise = replace(examples, features=rng.normal(size=(len(examples.labels), 30)))

    blind = assess(replace(candidates, examples=noise), names[:30], settings, None, seed=0)

    labels, judged = examples.labels, candidates.judged
    right = blind.probabilities[labels].mean()
    assert right < 1.5 * blind.probabilities[judged & ~labels].mean()


def test_outcomes_are_those_of_the_later_question(assessed: Assessed, marks: list[Mark]) -> None:
    asked = {each.question.id for each in assessed.candidates.asked}

    outcomes = outcomes_of(assessed, marks)

    assert [outcome.mark for outcome in outcomes] == [mark for mark in marks if mark.second in asked]
    assert {outcome.is_duplicate for outcome in outcomes} == {True, False}


def test_what_the_search_does_not_return_has_no_rank(assessed: Assessed) -> None:
    asked = assessed.candidates.asked[0].question.id
    missing = Mark("not among the candidates", asked, Verdict.DUPLICATE)

    [outcome] = outcomes_of(assessed, [missing])

    assert (outcome.rank, outcome.probability, outcome.suggested) == (None, None, False)


def test_too_few_marks_are_said_to_be_so(
    candidates: Candidates, gatherer: Gatherer, system: FusedSystem
) -> None:
    few = candidates_of(gatherer, Marked(candidates.asked[:5], {}))

    with pytest.raises(TrainingError, match="needs at least 20"):
        assess(few, gatherer.signals.names, system.learning, None, seed=0)


def test_with_too_few_marks_the_default_judges(
    assessed: Assessed, candidates: Candidates, gatherer: Gatherer, system: FusedSystem
) -> None:
    default = assessed.fitted.judge
    few = candidates_of(gatherer, Marked(candidates.asked[:5], {}))

    found = assess(few, gatherer.signals.names, system.learning, default, seed=0)

    assert found.fitted.choice is None
    scores = default.scores(few.examples.features)
    np.testing.assert_array_equal(found.probabilities, default.probabilities(scores))
