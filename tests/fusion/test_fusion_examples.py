"""What the order of candidates is learned from: marked questions with what a search returns for them."""

import numpy as np
import pytest
from forum_of_words import FORUM

from askagain.fusion.examples import (
    Asked,
    asked_by_people,
    asked_in,
    asked_in_dev,
    joined_examples,
    listed_examples,
    searched_examples,
)
from askagain.fusion.gathering import Gatherer
from askagain.question import Feedback, Question, Verdict
from askagain.rerank.fit.leftout import scores_left_out
from askagain.sources.lists import Candidate, CandidateList
from askagain.training.data import TrainingData, assembled

NOBODY: frozenset[str] = frozenset()
USB, STICK, CD, PRINT, RICE, BREAD = FORUM


def data(*pairs: tuple[str, str], dev: tuple[tuple[str, str], ...] = ()) -> TrainingData:
    return assembled(FORUM, pairs, dev)


def by_id(asked: list[Asked]) -> dict[str, Asked]:
    return {each.question.id: each for each in asked}


# Who is asked


def test_both_questions_of_a_pair_are_asked() -> None:
    asked = by_id(asked_in(data(("usb", "stick"), ("usb", "cd")), [], 100, seed=0))
    assert {id_: each.duplicates for id_, each in asked.items()} == {
        "usb": {"stick", "cd"},
        "stick": {"usb"},
        "cd": {"usb"},
    }


def test_duplicates_of_duplicates_are_known() -> None:
    asked = by_id(asked_in(data(("usb", "stick"), ("usb", "cd"), ("rice", "bread")), [], 100, seed=0))
    assert asked["stick"].kin == {"usb", "stick", "cd"}


def test_both_questions_of_a_rejected_pair_are_asked() -> None:
    asked = by_id(asked_in(data(("usb", "stick")), [("print", "usb")], 100, seed=0))
    assert asked["usb"][1:3] == ({"stick"}, {"print"})
    assert asked["print"][1:3] == (NOBODY, {"usb"})


def test_every_third_question_is_asked_by_its_title_alone() -> None:
    pairs = [("usb", "stick"), ("cd", "print"), ("rice", "bread")]
    asked = [each.question for each in asked_in(data(*pairs), [], 100, seed=0)]

    assert [question.body for question in asked[::3]] == ["", ""]
    assert {question.title for question in asked} == {question.title for question in FORUM}
    whole = {question.id: question.body for question in FORUM}
    assert all(question.body == whole[question.id] for question in asked[1::3] + asked[2::3])


def said(title: str, found: str, verdict: Verdict = Verdict.DUPLICATE) -> Feedback:
    return Feedback(title, "", found, verdict)


def test_what_people_said_of_matches_is_asked_again() -> None:
    verdicts = [said("boot", "usb"), said("boot", "rice", Verdict.NOT_DUPLICATE), said("cook", "rice")]
    boot, cook = asked_by_people(verdicts, data(("usb", "stick")))
    assert (boot.question.title, boot.duplicates, boot.rejected) == ("boot", {"usb"}, {"rice"})
    assert (cook.duplicates, cook.rejected) == ({"rice"}, NOBODY)


def test_a_question_that_people_typed_is_in_the_group_of_its_duplicate() -> None:
    lessons = data(("usb", "stick"))
    [asked] = asked_by_people([said("boot", "usb")], lessons)
    assert asked.group == by_id(asked_in(lessons, [], 100, seed=0))["stick"].group


def test_duplicates_of_what_people_have_confirmed_are_known() -> None:
    lessons = data(("usb", "stick"), ("usb", "cd"))
    confirmed, rejected = asked_by_people(
        [said("boot", "usb"), said("rice", "cd", Verdict.NOT_DUPLICATE)], lessons
    )
    assert confirmed.kin == {"usb", "stick", "cd"}
    assert rejected.kin == NOBODY


def test_feedback_on_questions_that_are_gone_is_left_out() -> None:
    assert asked_by_people([said("boot", "deleted")], data(("usb", "stick"))) == []


def test_rejected_questions_that_are_gone_are_left_out() -> None:
    assert asked_in(data(), [("usb", "deleted")], 100, seed=0) == []


def test_both_directions_of_a_pair_are_in_one_group() -> None:
    asked = by_id(asked_in(data(("usb", "stick"), ("rice", "bread")), [], 100, seed=0))
    assert asked["usb"].group == asked["stick"].group != asked["rice"].group == asked["bread"].group


def test_at_most_so_many_are_drawn_by_the_seed() -> None:
    marked = data(("usb", "stick"), ("rice", "bread"), ("cd", "print"))
    drawn = [[each.question.id for each in asked_in(marked, [], 3, seed)] for seed in (0, 0, 1, 2, 3)]
    assert [len(some) for some in drawn] == [3] * 5
    assert drawn[0] == drawn[1]
    assert len(set(map(tuple, drawn))) > 1


def test_the_questions_of_the_dev_set_are_asked_to_measure_with() -> None:
    marked = data(("usb", "stick"), dev=(("rice", "bread"),))
    assert by_id(asked_in_dev(marked)).keys() == {"rice", "bread"}
    assert by_id(asked_in_dev(marked))["rice"].duplicates == {"bread"}
    assert by_id(asked_in(marked, [], 100, seed=0)).keys() == {"usb", "stick"}


def test_without_a_dev_set_nobody_is_asked() -> None:
    assert asked_in_dev(data(("usb", "stick"))) == []


# What their searches say


def test_a_pair_that_is_asked_from_both_ends_is_one_duplicate(gatherer: Gatherer) -> None:
    both = searched_examples(gatherer, asked_in(data(("usb", "stick")), [], 100, seed=0))
    assert both.labels.sum() == 2
    assert (both.duplicates, both.repeated) == (1, 2.0)


def test_of_forums_that_are_joined_pairs_stay_apart(gatherer: Gatherer) -> None:
    both = searched_examples(gatherer, asked_in(data(("usb", "stick")), [], 100, seed=0))
    assert joined_examples([both, both]).duplicates == 2
    assert joined_examples([both, both]).repeated == 2.0


def test_duplicates_of_duplicates_are_no_examples(gatherer: Gatherer) -> None:
    every = searched_examples(gatherer, [Asked(USB, frozenset({"stick"}), NOBODY, 0)])
    kin = frozenset({"usb", "stick", "cd"})
    without = searched_examples(gatherer, [Asked(USB, frozenset({"stick"}), NOBODY, 0, kin)])

    assert len(without.labels) == len(every.labels) - 1
    assert without.labels.sum() == every.labels.sum() == 1


def test_every_candidate_of_a_question_with_duplicates_is_an_example(gatherer: Gatherer) -> None:
    examples = searched_examples(gatherer, [Asked(USB, frozenset({"stick"}), NOBODY, 7)])
    gathered = gatherer.found(USB)
    assert examples.labels.tolist() == [question.id == "stick" for question in gathered.questions]
    assert len(examples.labels) > 2
    np.testing.assert_array_equal(examples.features, gathered.matrix)
    assert set(examples.lists.tolist()) == {0}
    assert examples.groups is not None
    assert set(examples.groups.tolist()) == {7}


def test_where_people_only_rejected_something_the_rest_says_nothing(gatherer: Gatherer) -> None:
    examples = searched_examples(gatherer, [Asked(USB, NOBODY, frozenset({"cd"}), 0)])
    place = [question.id for question in gatherer.found(USB).questions].index("cd")
    assert examples.labels.tolist() == [False]
    np.testing.assert_array_equal(examples.features, gatherer.found(USB).matrix[[place]])


def test_a_question_with_both_kinds_of_marks_has_all_its_candidates(gatherer: Gatherer) -> None:
    examples = searched_examples(gatherer, [Asked(USB, frozenset({"stick"}), frozenset({"cd"}), 0)])
    assert len(examples.labels) == len(gatherer.found(USB).questions)
    assert examples.labels.sum() == 1


def test_a_question_that_finds_nothing_has_no_examples(gatherer: Gatherer) -> None:
    asked = [
        Asked(Question("?", id="x"), frozenset({"usb"}), NOBODY, 0),
        Asked(USB, frozenset({"cd"}), NOBODY, 1),
    ]
    assert set(searched_examples(gatherer, asked).lists.tolist()) == {1}


def test_nobody_asked_gives_no_examples(gatherer: Gatherer) -> None:
    assert searched_examples(gatherer, []).features.shape == (0, len(gatherer.signals.names))


def test_progress_counts_questions(gatherer: Gatherer) -> None:
    seen: list[tuple[int, int]] = []
    asked = asked_in(data(("usb", "stick")), [], 100, seed=0)
    searched_examples(gatherer, asked, lambda *step: seen.append(step))
    assert seen == [(1, 2), (2, 2)]


@pytest.mark.parametrize("seed", range(5))
def test_both_directions_of_a_pair_are_left_out_together(seed: int, gatherer: Gatherer) -> None:
    """Else the one would teach what the other is measured by."""
    marked = data(("usb", "stick"), ("rice", "bread"), ("cd", "print"))
    examples = searched_examples(gatherer, asked_in(marked, [], 100, seed=0))
    assert examples.groups is not None
    learned_from: list[set[int]] = []

    def learn(some):  # type: ignore[no-untyped-def]
        learned_from.append(set(some.groups.tolist()))
        return lambda matrix: np.zeros(len(matrix))

    scores_left_out(learn, examples, folds=3, seed=seed)

    every = set(examples.groups.tolist())
    assert len(every) == 3
    assert sorted(len(every - some) for some in learned_from) == [1, 1, 1]


# Lists with labels


def test_labelled_lists_are_taken_as_they_are(gatherer: Gatherer) -> None:
    asked = Question("booting from usb", id="q")
    given = CandidateList(
        asked, (Candidate(USB, 1, True), Candidate(RICE, 2, False), Candidate(BREAD, 3, None))
    )  # fmt: skip
    examples = listed_examples(gatherer, [given, CandidateList(asked, (Candidate(CD, 1, True),))])
    assert examples.labels.tolist() == [True, False, False, True]
    assert examples.lists.tolist() == [0, 0, 0, 1]
    np.testing.assert_array_equal(
        examples.features[:3], gatherer.given(asked, [USB, RICE, BREAD]).matrix
    )  # fmt: skip
