"""Signals of a question and its candidates, in a matrix."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from forum_of_words import FORUM, HOSTILE

from askagain.archive import Archive
from askagain.encoders.shipped import shipped_words
from askagain.fusion.gathering import Gatherer
from askagain.fusion.lists import Lists
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.fusion.signals import Signals
from askagain.question import Question
from askagain.rerank.matrix import Matrix
from askagain.views import Views

ASKED = Question("booting from usb", "my laptop", tags=("usb",))


@pytest.fixture
def signals(gatherer: Gatherer) -> Signals:
    return gatherer.signals


def matrix(
    signals: Signals,
    asked: Question,
    found: Sequence[Question],
    cosines: Sequence[float] | Matrix | None = None,
    *,
    listed: bool = False,
) -> Matrix:
    given = cosines if cosines is not None else [0.5 - 0.05 * place for place in range(len(found))]
    return signals.matrix(Lists.of_one(asked, found), {"shipped": np.array(given)}, listed=listed)


def column(signals: Signals, made: Matrix, name: str) -> list[float]:
    return made[:, signals.names.index(name)].tolist()


def test_every_signal_has_a_name_of_its_own(signals: Signals) -> None:
    assert len(set(signals.names)) == len(signals.names)
    assert matrix(signals, ASKED, FORUM).shape == (len(FORUM), len(signals.names))


def test_no_candidates_have_no_signals(signals: Signals) -> None:
    assert matrix(signals, ASKED, []).shape == (0, len(signals.names))


def test_without_word_vectors_titles_are_not_aligned(gatherer: Gatherer) -> None:
    lexical = gatherer.lexical
    plain = Signals(lexical.view, {"bm25": lexical.scoring}, [], None)
    assert not any(name.startswith("aligned") for name in plain.names)
    assert plain.matrix(Lists.of_one(ASKED, FORUM), {}).shape == (len(FORUM), len(plain.names))


# Scores within their list


def test_cosines_stand_beside_how_far_they_are_behind_and_their_place(signals: Signals) -> None:
    made = matrix(signals, ASKED, FORUM[:3], [0.2, 0.7, 0.4])
    assert column(signals, made, "shipped") == [0.2, 0.7, 0.4]
    assert column(signals, made, "shipped.behind") == pytest.approx([0.5, 0.0, 0.3])
    assert column(signals, made, "shipped.place") == pytest.approx([1 / 3, 1, 1 / 2])


def test_equal_cosines_have_the_same_place(signals: Signals) -> None:
    made = matrix(signals, ASKED, FORUM[:4], [0.2, 0.7, 0.2, 0.1])
    assert column(signals, made, "shipped.place") == pytest.approx([1 / 2, 1, 1 / 2, 1 / 4])


@pytest.mark.parametrize("name", ["bm25", "tfidf"])
def test_a_lexical_score_is_a_share_of_the_questions_score_for_itself(name: str, signals: Signals) -> None:
    made = matrix(signals, FORUM[0], [FORUM[4], FORUM[0], FORUM[1]])
    scores = column(signals, made, name)
    assert scores[1] == pytest.approx(1.0)
    assert 0 <= scores[0] < scores[2] < 1
    assert column(signals, made, f"{name}.behind")[1] == 0.0
    assert column(signals, made, f"{name}.place")[1] == 1.0


def test_bm25_is_what_the_lexical_ranker_says(gatherer: Gatherer) -> None:
    made = matrix(gatherer.signals, ASKED, FORUM)
    itself, *scores = gatherer.lexical.score(ASKED, [ASKED, *FORUM])
    expected = [score / itself for score in scores]
    assert column(gatherer.signals, made, "bm25") == pytest.approx(expected, rel=1e-5)
    assert column(gatherer.signals, made, "asked.weight") == pytest.approx([math.log1p(itself)] * len(FORUM))


# Several lists


def test_lists_that_are_measured_together_do_not_disturb_each_other(signals: Signals) -> None:
    asked, found = [0, 3, 4], [[1, 2, 5], [], [3, 0]]
    starts = np.cumsum([0, *map(len, found)])
    lists = Lists(FORUM, np.array(asked), np.array([place for some in found for place in some]), starts)
    cosines = np.linspace(0.9, 0.1, len(lists.found))
    together = signals.matrix(lists, {"shipped": cosines}, listed=True)
    alone = [
        matrix(
            signals, FORUM[own], [FORUM[place] for place in some], cosines[start:][: len(some)], listed=True
        )
        for own, some, start in zip(asked, found, starts.tolist(), strict=False)
    ]
    np.testing.assert_array_equal(together, np.concatenate(alone))


# What is known where


def test_the_order_of_a_list_that_was_given_is_known(signals: Signals) -> None:
    made = matrix(signals, ASKED, FORUM[:4], listed=True)
    assert column(signals, made, "given.place") == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])


def test_the_order_of_our_own_candidates_is_unknown(signals: Signals) -> None:
    made = matrix(signals, ASKED, FORUM)
    assert np.isnan(column(signals, made, "given.place")).all()


def test_nothing_else_is_unknown_but_missing_bodies_and_tags(signals: Signals) -> None:
    made = matrix(signals, ASKED, FORUM, listed=True)
    for row, question in zip(made, FORUM, strict=True):
        unknown = {name for name, value in zip(signals.names, row.tolist(), strict=True) if math.isnan(value)}
        expected = {"body.overlap"} if not question.body else set()
        assert unknown == expected | ({"tags"} if not question.tags else set())


# Order, time and hostile text


def test_another_order_of_the_candidates_is_another_order_of_the_rows(signals: Signals) -> None:
    cosines = np.array([0.3, 0.2, 0.2, 0.5, -0.1, 0.4])
    made = matrix(signals, ASKED, FORUM, cosines)
    order = np.random.default_rng(0).permutation(len(FORUM))
    again = matrix(signals, ASKED, [FORUM[place] for place in order], cosines[order])
    np.testing.assert_allclose(again, made[order])


def test_the_same_pair_has_the_same_signals_when_it_is_met_again(signals: Signals) -> None:
    np.testing.assert_array_equal(matrix(signals, ASKED, FORUM), matrix(signals, ASKED, FORUM))


def test_new_questions_change_what_words_weigh(signals: Signals, archive: Archive) -> None:
    before = column(signals, matrix(signals, ASKED, FORUM), "missing")
    archive.put_many(Question("usb laptop", id=f"new{number}") for number in range(50))
    assert column(signals, matrix(signals, ASKED, FORUM), "missing") != before


@pytest.mark.timeout(60)
@pytest.mark.parametrize("asked", HOSTILE, ids=lambda question: repr(question.title[:10]))
def test_nothing_is_infinite_whatever_people_write(asked: Question, signals: Signals) -> None:
    found = [*FORUM, *HOSTILE]
    cosines = signals_of_vectors(asked, found)
    made = matrix(signals, asked, found, cosines, listed=True)
    assert not np.isinf(made).any()
    known = [name for name in signals.names if name not in ("body.overlap", "tags")]
    assert np.isfinite(made[:, [signals.names.index(name) for name in known]]).all()


def signals_of_vectors(asked: Question, found: Sequence[Question]) -> list[float]:
    """Any cosines will do; these are of the titles' first characters."""
    units = shipped_words().units([question.title[:5] or "-" for question in (asked, *found)])
    cosines: list[float] = (units[1:] @ units[0]).tolist()
    return cosines


# Measures of pairs, on request


@pytest.fixture
def measuring(best: FusedSystem, views: Views) -> Signals:
    return gatherer_of(
        best.with_parameters({"fusion.features": "title.jaccard.words+translation"}), views, {}
    ).signals


def test_features_are_signals_like_others(measuring: Signals, signals: Signals) -> None:
    assert measuring.names[: len(signals.names)] == signals.names
    more = measuring.names[len(signals.names) :]
    assert more[0] == "title.jaccard.words"
    assert "body.ter-plus.words" in more


def test_features_are_those_of_each_pair(measuring: Signals) -> None:
    found = [Question("booting from usb"), Question("booting from a disk"), Question("mouse")]
    measured = matrix(measuring, ASKED, found)
    assert measured[:, measuring.names.index("title.jaccard.words")].tolist() == [1.0, 2 / 5, 0.0]


def test_features_of_several_lists_are_kept_apart(measuring: Signals) -> None:
    questions = [
        Question("cats and dogs"),
        Question("a mouse"),
        Question("cats and dogs"),
        Question("a mouse"),
    ]
    lists = Lists(questions, np.array([0, 1]), np.array([2, 3, 3]), np.array([0, 2, 3]))
    cosines = {"shipped": np.zeros(3)}
    column = measuring.matrix(lists, cosines)[:, measuring.names.index("title.jaccard.words")]
    assert column.tolist() == [1.0, 0.0, 1.0]


def test_an_empty_list_has_features_of_nothing(measuring: Signals) -> None:
    assert matrix(measuring, ASKED, []).shape == (0, len(measuring.names))
