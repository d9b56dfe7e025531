"""The worst mistakes on the sample forum."""

from dataclasses import replace

import numpy as np
import pytest

from askagain import Archive
from askagain.fusion.gathering import Gatherer
from askagain.fusion.recipe import FusedSystem
from askagain.question import Mark
from askagain.reporting.assessing import Assessed, assess, outcomes_of
from askagain.reporting.candidates import Candidates
from askagain.reporting.mistakes import MOST_SHOWN, Kind, Mistakes, mistakes_of


@pytest.fixture(scope="module")
def eager(candidates: Candidates, gatherer: Gatherer, system: FusedSystem) -> Assessed:
    """A system that suggests the first of every list, and is fairly sure of the first two."""
    assessed = assess(candidates, gatherer.signals.names, system.learning, None, seed=0)
    likely = np.where(assessed.ranks <= 2, 0.95 - 0.1 * assessed.ranks, 0.1)
    return replace(assessed, probabilities=likely, suggested=assessed.ranks == 1)


@pytest.fixture(scope="module")
def mistakes(eager: Assessed, marks: list[Mark], archive: Archive) -> Mistakes:
    return mistakes_of(eager, outcomes_of(eager, marks), archive.get_many, lambda one, other: "why")


def test_rejected_pairs_come_before_unmarked_ones(mistakes: Mistakes) -> None:
    kinds = [mistake.kind for mistake in mistakes.wrong]

    assert kinds == sorted(kinds, key=[Kind.REJECTED, Kind.UNMARKED].index)
    assert Kind.REJECTED in kinds


def test_no_more_are_shown_than_one_reads(mistakes: Mistakes) -> None:
    assert len(mistakes.wrong) == len(mistakes.missed) == MOST_SHOWN


def test_only_suggestions_are_counted_as_wrong(eager: Assessed, mistakes: Mistakes) -> None:
    suggested = int((eager.suggested & eager.candidates.unmarked).sum())

    assert 0 < mistakes.counts[Kind.UNMARKED] <= suggested


def test_what_is_likely_but_not_suggested_is_shown_as_such(
    eager: Assessed, marks: list[Mark], archive: Archive
) -> None:
    silent = replace(eager, suggested=np.zeros(len(eager.suggested), dtype=np.bool_))

    found = mistakes_of(silent, outcomes_of(silent, marks), archive.get_many, lambda one, other: "")

    assert found.wrong
    assert not any(mistake.suggested for mistake in found.wrong)
    assert found.counts[Kind.REJECTED] == found.counts[Kind.UNMARKED] == 0


def test_duplicates_that_were_not_found_are_the_worst_misses(mistakes: Mistakes) -> None:
    first = mistakes.missed[0]

    assert first.kind is Kind.NOT_FOUND
    assert first.rank is None
    assert first.asked.title
    assert first.reason == "why"


def test_deleted_questions_are_left_out(eager: Assessed, marks: list[Mark]) -> None:
    found = mistakes_of(eager, outcomes_of(eager, marks), lambda ids: {}, lambda one, other: "")

    assert (found.wrong, found.missed) == ([], [])
    assert found.counts[Kind.NOT_FOUND] > 0
