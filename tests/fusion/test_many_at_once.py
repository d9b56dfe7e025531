"""Many questions at once, on real questions: the same as one question after the other."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from forum_of_words import HOSTILE, made_up_judge

from askagain.archive import Archive
from askagain.evaluation.benchmarks import RetrievalBenchmark, load
from askagain.fusion import gathering
from askagain.fusion.folder import Fused
from askagain.fusion.making import fused_ranker, gatherer_of
from askagain.fusion.ranker import FusedRanker
from askagain.fusion.recipe import FusedSystem
from askagain.question import Match, Question
from askagain.views import Views

SIZE = 400
ASKED = 60
DEPTH = 50
"""As deep as a search looks."""


@pytest.fixture(scope="module", params=[("quora", "dev", ("title",)), ("cooking", "all", ("title", "body"))])
def questions(request: pytest.FixtureRequest, data_dir: Path) -> list[Question]:
    name, split, fields = request.param
    real = load(data_dir / name, split, fields)
    assert isinstance(real, RetrievalBenchmark)
    return list(real.questions[:SIZE])


@pytest.fixture(scope="module")
def ranker(
    questions: list[Question], best: FusedSystem, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[FusedRanker]:
    with Archive.open(tmp_path_factory.mktemp("real") / "forum.db") as archive:
        archive.put_many(questions)
        views = Views(archive, durable=False)
        names = gatherer_of(best, views, {}).signals.names
        yield fused_ranker(Fused(best, made_up_judge(names), {}), views)


def figures(matches: list[Match]) -> list[tuple[str, float, float]]:
    return [(match.id, match.score, match.probability or 0.0) for match in matches]


def assert_same(together: list[list[Match]], alone: list[list[Match]]) -> None:
    for one, other in zip(map(figures, together), map(figures, alone), strict=True):
        assert [id_ for id_, *_ in one] == [id_ for id_, *_ in other]
        np.testing.assert_allclose(
            [both[1:] for both in one], [both[1:] for both in other], rtol=0, atol=1e-9
        )


def test_many_questions_find_what_each_finds_alone(ranker: FusedRanker, questions: list[Question]) -> None:
    asked = [*questions[:ASKED], *HOSTILE, Question(questions[0].title)]
    assert_same(ranker.search_many(asked, DEPTH), [ranker.search(question, DEPTH) for question in asked])


def test_how_many_are_measured_at_once_does_not_matter(
    ranker: FusedRanker, questions: list[Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = questions[:ASKED]
    together = ranker.search_many(asked, 10)
    monkeypatch.setattr(gathering, "_MOST_CANDIDATES", 70)
    assert_same(ranker.search_many(asked, 10), together)


def test_the_same_question_asked_twice_finds_the_same(ranker: FusedRanker, questions: list[Question]) -> None:
    first, second = ranker.search_many([questions[0]] * 2, 10)
    assert first == second


def test_no_questions_find_nothing(ranker: FusedRanker) -> None:
    assert ranker.search_many([], 10) == []
