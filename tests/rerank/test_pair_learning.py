"""Every system that judges pairs: from lists to a folder, and from the folder to the same scores."""

import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from askagain.archive import Archive
from askagain.errors import ModelError, SettingsError
from askagain.models import judging_ranker
from askagain.question import Question, Verdict
from askagain.rerank.data import PairData, from_marks
from askagain.rerank.learning import identity_of, judges_of, learn
from askagain.rerank.recipe import PairSystem
from askagain.sample import forum
from askagain.systems import PAIR_SYSTEMS, load_system, parse_recipe
from askagain.training.data import assembled
from askagain.views import Views

HOSTILE = [
    Question(""),
    Question("?"),
    Question("\u200b\u200d", body="<script>alert(1)</script>"),
    Question("Как загрузиться с флешки?"),
    Question("🍚🍚🍚"),
    Question("rice", body="rice " * 3000),
]


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Views]:
    with Archive.open(tmp_path_factory.mktemp("pairs") / "forum.db") as archive:
        forum.load_into(archive)
        views = Views(archive)
        yield views
        views.close()


@cache
def lists() -> PairData:
    """Of some of the sample forum's duplicates."""
    pairs = [(mark.first, mark.second) for mark in forum.marks() if mark.verdict is Verdict.DUPLICATE]
    return from_marks(assembled(forum.questions(), pairs[:25], [], source="sample forum"))


@pytest.fixture(scope="module", params=PAIR_SYSTEMS)
def system(request: pytest.FixtureRequest) -> PairSystem:
    return small(request.param)


def small(name: str) -> PairSystem:
    system = load_system(f"{name}-small")
    assert isinstance(system, PairSystem)
    return system


def trained(system: PairSystem, views: Views, folder: Path) -> Path:
    return learn(
        system, lists(), views, folder, seed=1, on_epoch=lambda epoch: None, progress=lambda *_: None
    )


@pytest.fixture(scope="module")
def folder(system: PairSystem, views: Views, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(system, views, tmp_path_factory.mktemp("judges") / system.name)


def test_the_card_names_the_data_and_the_settings(system: PairSystem, folder: Path) -> None:
    card = (folder / "card.md").read_text()
    assert card.startswith(f"# {system.name}\n")
    assert "source: sample forum" in card
    assert lists().hash in card


def test_candidates_of_a_search_are_judged(system: PairSystem, folder: Path, views: Views) -> None:
    ranker = judging_ranker(system, views, folder)
    found = ranker.search(Question("Is it fine to eat rice that stood out overnight?"), 5)
    assert len(found) == 5
    assert [match.score for match in found] == sorted((match.score for match in found), reverse=True)


def test_scores_are_finite_for_whatever_people_write(system: PairSystem, folder: Path, views: Views) -> None:
    ranker = judging_ranker(system, views, folder)
    for query in HOSTILE:
        assert all(map(math.isfinite, ranker.score(query, HOSTILE)))
        assert all(math.isfinite(reason.share) for reason in ranker.explain(query, HOSTILE[-1]))


def test_a_judge_says_which_candidates_are_duplicates(system: PairSystem, folder: Path, views: Views) -> None:
    ranker = judging_ranker(system, views, folder)
    query, candidates = Question("sticky rice"), list(forum.questions())[:5]
    scores = ranker.score(query, candidates)
    labels = ranker.is_duplicate(query, candidates, scores)  # type: ignore[attr-defined]
    yes, no = (
        [score for score, label in zip(scores, labels, strict=True) if label is said]
        for said in (True, False)
    )
    assert len(yes) + len(no) == len(candidates)
    assert not yes or not no or min(yes) > max(no)


@pytest.mark.parametrize("name", ["svm", "unimelb-ss2", "scir-qa-no-keywords"])
def test_the_same_seed_gives_the_same_judge(name: str, views: Views, tmp_path: Path) -> None:
    first, second = (trained(small(name), views, tmp_path / folder) for folder in ("first", "second"))
    weights = "weights.safetensors"
    assert (first / weights).read_bytes() == (second / weights).read_bytes()


@pytest.mark.parametrize("name", ["config.toml", "weights.safetensors", "words"])
def test_a_damaged_folder_is_refused_with_the_files_name(name: str, views: Views, tmp_path: Path) -> None:
    system = small("unimelb-ss2")
    folder = trained(system, views, tmp_path / "model")
    (folder / name).write_bytes(b"damaged")
    with pytest.raises(ModelError, match=name.replace(".", r"\.")):
        judging_ranker(system, views, folder)


def test_the_folder_of_another_system_is_refused(views: Views, tmp_path: Path) -> None:
    folder = trained(small("unimelb-ss2"), views, tmp_path / "model")
    with pytest.raises(ModelError, match="holds a model of unimelb-ss2-small, not of svm-small"):
        judging_ranker(small("svm"), views, folder)


def test_trainings_are_told_apart_by_settings_data_and_seed() -> None:
    system = small("svm")
    other = system.with_parameters({"judge.folds": 3.0})
    assert (
        len(
            {identity_of(system, lists(), 0), identity_of(system, lists(), 1), identity_of(other, lists(), 0)}
        )
        == 3
    )


def test_a_vote_may_say_what_most_of_its_members_say(views: Views, tmp_path: Path) -> None:
    shares = parse_recipe(
        'name = "both"\n[judge]\nkind = "vote"\nmembers = ["unimelb-ss1", "unimelb-ss2"]', "both.toml"
    )
    labels = shares.with_parameters({"judge.says": "labels"})
    candidates = forum.questions()

    found = {}
    for name, vote in (("shares", shares), ("labels", labels)):
        assert isinstance(vote, PairSystem)
        ranker = judging_ranker(vote, views, trained(vote, views, tmp_path / name))
        found[name] = ranker.score(candidates[0], candidates)

    assert 0.5 in found["shares"]
    assert found["labels"] == [float(share > 0.5) for share in found["shares"]]


def test_only_judges_of_pairs_vote() -> None:
    vote = parse_recipe('name = "all"\n[judge]\nkind = "vote"\nmembers = ["bm25"]', "vote.toml")
    assert isinstance(vote, PairSystem)
    with pytest.raises(SettingsError, match="bm25 cannot vote"):
        judges_of(vote)
