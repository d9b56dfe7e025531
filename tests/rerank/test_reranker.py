"""Candidates of one ranker, ordered by another one's scores."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from word_model import WordModel

from askagain import Archive, Question
from askagain.neighbours.ranker import VectorRanker
from askagain.rerank.reranker import RerankingRanker
from askagain.systems import load_system, make_ranker
from askagain.views import Views


@pytest.fixture
def views(tmp_path: Path) -> Iterator[Views]:
    titles = ["boot from usb", "boot boot boot menu", "usb stick", "slow wifi", "usb boot order"]
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many(Question(title, id=str(number)) for number, title in enumerate(titles))
        yield Views(archive)


def reranker(views: Views, depth: int = 10) -> RerankingRanker:
    model = WordModel()
    vectors = VectorRanker("words", views.vectors(model), model)
    return RerankingRanker("both", make_ranker(load_system("bm25"), views), vectors, depth)


def test_candidates_come_from_the_first_ranker_and_scores_from_the_second(views: Views) -> None:
    question = Question("boot usb")
    ranker = reranker(views)

    found = ranker.search(question)

    candidates = make_ranker(load_system("bm25"), views).search(question)
    assert {match.id for match in found} == {match.id for match in candidates}
    assert [match.score for match in found] == sorted((match.score for match in found), reverse=True)
    questions = [match.question for match in found if match.question]
    assert ranker.score(question, questions) == pytest.approx([match.score for match in found])


def test_only_so_many_candidates_are_reordered_unless_more_are_asked_for(views: Views) -> None:
    question = Question("boot usb")
    best = make_ranker(load_system("bm25"), views).search(question, 2)

    assert {match.id for match in reranker(views, depth=2).search(question, 1)} <= {m.id for m in best}
    assert len(reranker(views, depth=2).search(question, 4)) == 4


def test_new_and_changed_questions_take_part_at_once(views: Views) -> None:
    ranker = reranker(views)
    ranker.search(Question("boot usb"))

    views.archive.add(Question("boot usb", id="new"))
    views.archive.delete("0")

    found = [match.id for match in ranker.search(Question("boot usb"))]
    assert "new" in found
    assert "0" not in found


def test_a_question_of_the_archive_does_not_find_itself(views: Views) -> None:
    assert "0" not in [match.id for match in reranker(views).search(Question("boot from usb", id="0"))]
