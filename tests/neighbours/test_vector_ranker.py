"""Nearest neighbours as a Ranker, and its view among the views of an archive."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from word_model import WordModel

from askagain.archive import Archive
from askagain.neighbours.ranker import VectorRanker
from askagain.neighbours.view import VectorView, default_path
from askagain.question import Match, Question, Reason
from askagain.ranker import Ranker
from askagain.views import Views

QUESTIONS = [
    Question("boot from usb", id="usb"),
    Question("boot from usb stick", id="stick"),
    Question("no sound", id="sound"),
]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """An archive of three questions."""
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many(QUESTIONS)
        yield archive


@pytest.fixture
def model() -> WordModel:
    """A model that counts what it encodes."""
    return WordModel()


@pytest.fixture
def ranker(archive: Archive, model: WordModel) -> VectorRanker:
    """A ranker whose model has encoded the archive."""
    ranker: Ranker = VectorRanker("words", VectorView.open(archive, model), model)
    model.encoded = 0
    assert isinstance(ranker, VectorRanker)
    return ranker


def test_the_most_similar_questions_come_first(ranker: VectorRanker) -> None:
    matches = ranker.search(Question("boot from usb stick"), 2)
    assert [match.id for match in matches] == ["stick", "usb"]
    assert matches[0].question == QUESTIONS[1]
    assert matches[0].score > matches[1].score


def test_the_question_is_asked_as_a_query(archive: Archive, ranker: VectorRanker, model: WordModel) -> None:
    [hits] = VectorView.open(archive, model).search(model.queries("usb stick"), 1)
    [match] = ranker.search(Question("usb stick"), 1)
    assert match.score == hits.scores[0]


def test_the_question_itself_is_left_out(ranker: VectorRanker) -> None:
    assert [match.id for match in ranker.search(QUESTIONS[0], 1)] == ["stick"]
    assert len(ranker.search(QUESTIONS[0], 10)) == 2


def test_a_search_sees_the_latest_changes(archive: Archive, ranker: VectorRanker) -> None:
    archive.delete("stick")
    archive.put(Question("grub", id="sound"))
    assert [match.id for match in ranker.search(Question("grub"), 10)] == ["sound", "usb"]


def test_scores_of_given_questions_are_those_of_a_search(ranker: VectorRanker) -> None:
    asked = Question("usb stick")
    scores = dict(zip([q.id for q in QUESTIONS], ranker.score(asked, QUESTIONS), strict=True))
    assert {match.id: match.score for match in ranker.search(asked, 3)} == scores


def test_hits_are_those_of_a_search_with_the_question_itself(ranker: VectorRanker, archive: Archive) -> None:
    hits = ranker.hits(QUESTIONS[1], 2)
    numbers = archive.numbers(["stick", "usb"])
    assert hits.numbers.tolist() == [numbers["stick"], numbers["usb"]]
    assert hits.scores[1] == ranker.search(QUESTIONS[1], 1)[0].score


def test_a_question_without_known_words_hits_nothing(archive: Archive) -> None:
    model = WordModel(columns=0)
    ranker = VectorRanker("words", VectorView.open(archive, model), model)
    assert ranker.hits(Question(""), 3).numbers.tolist() == []


def test_questions_of_the_archive_are_scored_by_their_numbers(
    ranker: VectorRanker, model: WordModel, archive: Archive
) -> None:
    asked, numbers = Question("usb stick"), archive.numbers(["sound", "stick"])
    scores = ranker.scores(asked, numbers.values())
    found = {match.id: match.score for match in ranker.search(asked, 3)}
    assert scores == {number: found[id_] for id_, number in numbers.items()}
    assert model.encoded == 1


def test_what_the_archive_has_not_has_no_score(archive: Archive, ranker: VectorRanker) -> None:
    numbers = archive.numbers(["stick", "usb"])
    archive.delete("stick")
    assert ranker.scores(Question("usb"), [numbers["stick"], -1, 10**9, numbers["usb"]]).keys() == {
        numbers["usb"]
    }
    assert ranker.scores(Question("usb"), []) == {}


def test_matches_of_another_ranker_get_the_scores_of_this_one(archive: Archive, ranker: VectorRanker) -> None:
    asked = Question("usb stick")
    given = [Match("sound", 9.0), Match("nobody", 8.0), Match("stick", 7.0)]
    found = {match.id: match.score for match in ranker.search(asked, 3)}
    rescored = [(match.id, match.score) for match in ranker.rescored(asked, given)]
    assert rescored == [("sound", found["sound"]), ("stick", found["stick"])]


def test_no_candidates_have_no_scores(ranker: VectorRanker) -> None:
    assert ranker.score(Question("usb"), []) == []


def test_reasons_are_those_of_the_model(ranker: VectorRanker) -> None:
    assert ranker.explain(Question("my usb"), QUESTIONS[0]) == [Reason("usb", "title", 1.0)]


def test_a_query_is_encoded_once(ranker: VectorRanker, model: WordModel) -> None:
    for _ in range(3):
        ranker.search(Question("usb stick"), 2)
    ranker.score(Question("usb stick"), QUESTIONS)
    assert model.encoded == 1 + len(QUESTIONS)


def test_a_ranker_has_a_name(ranker: VectorRanker) -> None:
    assert ranker.name == "words"


def test_views_open_the_vectors_of_a_model_once_and_save_them(archive: Archive) -> None:
    views = Views(archive)
    first = views.vectors(WordModel(), "exact")
    assert views.vectors(WordModel(), "exact") is first
    assert views.vectors(WordModel(columns=0), "exact") is not first
    archive.add(Question("new", id="new"))
    first.catch_up()
    views.close()
    again = WordModel()
    VectorView.open(archive, again)
    assert again.encoded == 0
    assert default_path(archive.path, again).is_dir()
