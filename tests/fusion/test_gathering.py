"""Candidates of several retrievers as one list."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from forum_of_words import FORUM, HOSTILE

from askagain.archive import Archive
from askagain.fusion.gathering import Gathered, Gatherer
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.lexical.index import Hits
from askagain.lexical.ranker import LexicalRanker
from askagain.question import Question
from askagain.ranker import Ranker
from askagain.views import Views

ASKED = Question("booting from usb")


def ids(gathered: Gathered) -> list[str]:
    return [question.id for question in gathered.questions]


def with_depth(best: FusedSystem, views: Views, depth: int) -> Gatherer:
    return gatherer_of(best.with_parameters({"fusion.depth": depth}), views, {})


def test_candidates_are_those_of_all_retrievers(best: FusedSystem, views: Views) -> None:
    gatherer = with_depth(best, views, 2)
    rankers: list[Ranker] = [gatherer.lexical, *gatherer.encoders.values()]
    every = {match.id for ranker in rankers for match in ranker.search(ASKED, 2)}
    found = ids(gatherer.found(ASKED))
    assert set(found) == every
    assert len(found) == len(every)


def test_candidates_stand_in_the_order_of_their_reciprocal_ranks(gatherer: Gatherer) -> None:
    sums: dict[str, float] = {}
    for ranker in (gatherer.lexical, *gatherer.encoders.values()):
        for rank, match in enumerate(ranker.search(ASKED, 50), start=1):
            sums[match.id] = sums.get(match.id, 0.0) + 1 / (60 + rank)
    found = [sums[id_] for id_ in ids(gatherer.found(ASKED))]
    assert found == sorted(sums.values(), reverse=True)


def test_every_retriever_gives_at_least_as_many_as_are_wanted(best: FusedSystem, views: Views) -> None:
    gatherer = with_depth(best, views, 1)
    assert len(gatherer.found(ASKED).questions) < 5 <= len(gatherer.found(ASKED, k=5).questions)


def test_each_candidate_has_its_row_of_signals(gatherer: Gatherer) -> None:
    gathered = gatherer.found(ASKED)
    cosines = gatherer.encoders["shipped"].score(ASKED, gathered.questions)
    place = gatherer.signals.names.index("shipped")
    assert gathered.matrix.shape == (len(gathered.questions), len(gatherer.signals.names))
    np.testing.assert_allclose(gathered.matrix[:, place], cosines, atol=1e-5)


class Contrary(LexicalRanker):
    """Finds what the encoder likes least."""

    numbers: list[int]

    def hits_to_come(self, questions: Sequence[Question], k: int) -> Callable[[], list[Hits]]:
        return lambda: [Hits(np.array(self.numbers[:k]), np.ones(k))] * len(questions)


def test_what_only_bm25_has_found_has_its_cosines_too(gatherer: Gatherer) -> None:
    encoder, lexical = gatherer.encoders["shipped"], gatherer.lexical
    matches = encoder.search(ASKED, len(FORUM))[::-1]
    numbers = lexical.view.archive.numbers(match.id for match in matches)
    contrary = Contrary("bm25", lexical.view, lexical.scoring)
    contrary.numbers = [numbers[match.id] for match in matches]
    gathered = Gatherer(contrary, gatherer.encoders, gatherer.signals, 2).found(ASKED)
    cosines = gathered.matrix[:, gatherer.signals.names.index("shipped")].tolist()
    expected = {match.id: match.score for match in matches}
    assert {matches[0].id, matches[-1].id} <= set(ids(gathered))
    assert dict(zip(ids(gathered), cosines, strict=True)) == {id_: expected[id_] for id_ in ids(gathered)}


def test_many_questions_have_the_candidates_that_each_has_alone(best: FusedSystem, views: Views) -> None:
    gatherer = with_depth(best, views, 3)
    asked = [ASKED, *FORUM, Question(""), ASKED]
    [together], alone = gatherer.found_for_many(asked, 3), [gatherer.found(each) for each in asked]
    assert together.lists.sizes.tolist() == [len(gathered.questions) for gathered in alone]
    assert ids(together) == [id_ for gathered in alone for id_ in ids(gathered)]
    expected = np.concatenate([gathered.matrix for gathered in alone])
    np.testing.assert_allclose(together.matrix, expected, rtol=0, atol=1e-9)


def test_candidates_can_be_had_without_their_signals(gatherer: Gatherer) -> None:
    assert [match.id for match in gatherer.candidates(ASKED)] == ids(gatherer.found(ASKED))
    assert [match.score for match in gatherer.candidates(ASKED)][:3] == [1, 1 / 2, 1 / 3]


@pytest.mark.parametrize("question", FORUM, ids=lambda question: question.id)
def test_a_question_is_no_candidate_of_itself(question: Question, gatherer: Gatherer) -> None:
    assert question.id not in ids(gatherer.found(question))


def test_the_text_of_a_question_finds_it_when_somebody_else_asks(gatherer: Gatherer) -> None:
    assert ids(gatherer.found(Question(FORUM[0].title, FORUM[0].body)))[0] == "usb"


# Changes


def test_a_question_that_was_added_is_found_by_the_next_search(gatherer: Gatherer, archive: Archive) -> None:
    assert "new" not in ids(gatherer.found(ASKED))
    archive.add(Question("booting from usb", id="new"))
    assert ids(gatherer.found(ASKED))[0] == "new"


def test_a_question_that_was_deleted_is_not_found_any_more(gatherer: Gatherer, archive: Archive) -> None:
    assert "usb" in ids(gatherer.found(ASKED))
    archive.delete("usb")
    assert "usb" not in ids(gatherer.found(ASKED))


class Deleting(LexicalRanker):
    """Somebody deletes a question just after it was found."""

    def hits_to_come(self, questions: Sequence[Question], k: int) -> Callable[[], list[Hits]]:
        found = super().hits_to_come(questions, k)()
        self.view.archive.delete("usb")
        return lambda: found


def test_a_question_that_is_deleted_meanwhile_is_left_out(gatherer: Gatherer) -> None:
    lexical = gatherer.lexical
    deleting = Deleting("bm25", lexical.view, lexical.scoring)
    gathered = Gatherer(deleting, gatherer.encoders, gatherer.signals, 50).found(ASKED)
    assert {"stick", "cd"} <= set(ids(gathered))
    assert "usb" not in ids(gathered)
    assert len(gathered.matrix) == len(gathered.questions)


def test_an_empty_archive_has_no_candidates(best: FusedSystem, tmp_path: Path) -> None:
    with Archive.open(tmp_path / "empty.db") as archive:
        gatherer = gatherer_of(best, Views(archive, durable=False), {})
        gathered = gatherer.found(ASKED)
        foreign = gatherer.given(ASKED, FORUM)
    assert gathered.questions == []
    assert gathered.matrix.shape == (0, len(gatherer.signals.names))
    assert not np.isinf(foreign.matrix).any()


# Lists that are given


def test_a_given_list_keeps_its_order(gatherer: Gatherer) -> None:
    foreign = [Question("usb boots", id="elsewhere"), *FORUM[::-1]]
    gathered = gatherer.given(ASKED, foreign)
    assert gathered.questions == foreign
    place = gatherer.signals.names.index("given.place")
    np.testing.assert_allclose(gathered.matrix[:, place], 1 / np.arange(1, len(foreign) + 1))


def test_an_empty_list_stays_empty(gatherer: Gatherer) -> None:
    assert gatherer.given(ASKED, []).matrix.shape == (0, len(gatherer.signals.names))


def test_the_archive_and_a_list_have_the_same_signals_but_for_the_order(gatherer: Gatherer) -> None:
    found = gatherer.found(ASKED)
    given = gatherer.given(ASKED, found.questions)
    own = [place for place, name in enumerate(gatherer.signals.names) if name != "given.place"]
    np.testing.assert_allclose(found.matrix[:, own], given.matrix[:, own], atol=1e-5)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("question", HOSTILE, ids=lambda question: repr(question.title[:10]))
def test_hostile_questions_are_gathered_like_others(question: Question, gatherer: Gatherer) -> None:
    gathered = gatherer.found(question)
    assert len(gathered.matrix) == len(gathered.questions)
    assert not np.isinf(gathered.matrix).any()
