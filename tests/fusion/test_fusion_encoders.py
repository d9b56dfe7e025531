"""Encoders that learn from the forum before the judge of a fused system does."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_fusion_learning import SEED, labelled_lists, lessons, taught

from askagain.errors import ModelError
from askagain.fusion import encoders
from askagain.fusion.encoders import taught_encoders
from askagain.fusion.folder import load_fused
from askagain.fusion.learning import FusionLessons, Learned
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.models import fusing_ranker
from askagain.question import Question
from askagain.views import Views
from tiny_sentences import save_tiny_encoder, words_of

NAMES = ("bow-cnn-small", "rcnn-small")


@pytest.fixture(scope="module")
def system(best: FusedSystem) -> FusedSystem:
    """The default system with two encoders of the forum itself."""
    settings = {
        "fusion.encoders": f"shipped+{'+'.join(NAMES)}",
        "fusion.depth": 20,
        "learning.methods": "logistic",
    }
    return best.with_parameters(settings)


@pytest.fixture(scope="module")
def folder(system: FusedSystem, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fused") / "best"


@pytest.fixture(scope="module")
def learned(system: FusedSystem, sample_views: Views, folder: Path) -> Learned:
    return taught(system, sample_views, folder)


def shares(system: FusedSystem, folder: Path) -> tuple[set[int], set[int]]:
    """The rows of the questions whose marks teach the judge, and of those that teach the encoders."""
    data = lessons().data
    quiet: dict[str, Any] = {"on_epoch": lambda epoch: None, "progress": lambda *_: None}
    judged, _ = taught_encoders(system, data, folder, SEED, **quiet)
    of_judge = set(judged.pairs.ravel().tolist())
    return of_judge, set(data.pairs.ravel().tolist()) - of_judge


def test_the_judge_looks_at_each_of_their_cosines(learned: Learned) -> None:
    for name in NAMES:
        assert {name, f"{name}.behind", f"{name}.place"} <= set(learned.fitted.judge.names)


def test_the_folder_has_what_they_have_learned(learned: Learned, folder: Path) -> None:
    assert load_fused(folder).encoders.keys() == set(NAMES)
    for name in NAMES:
        assert (folder / "encoders" / name / "card.md").read_text().startswith(f"# {name}")


def test_nothing_is_left_beside_the_folder(learned: Learned, folder: Path) -> None:
    assert [path.name for path in folder.parent.iterdir()] == ["best"]


def test_the_folder_searches(
    learned: Learned, folder: Path, system: FusedSystem, sample_views: Views
) -> None:
    found = fusing_ranker(system, sample_views, folder).search(Question("Rice stood out overnight"), 5)
    assert "cooking-10" in [match.id for match in found]
    assert all(match.probability is not None for match in found)


def test_what_teaches_them_does_not_teach_the_judge(system: FusedSystem, tmp_path: Path) -> None:
    of_judge, of_encoders = shares(system, tmp_path / "best")
    groups = lessons().data.groups
    assert of_judge
    assert len(of_encoders) > len(of_judge)
    assert not {groups[row] for row in of_judge} & {groups[row] for row in of_encoders}


def test_after_an_interruption_an_encoder_is_not_taught_again(system: FusedSystem, tmp_path: Path) -> None:
    quiet: dict[str, Any] = {"on_epoch": lambda epoch: None, "progress": lambda *_: None}
    _, first = taught_encoders(system, lessons().data, tmp_path / "best", SEED, **quiet)
    times = [(path / "config.toml").stat().st_mtime_ns for path in first.values()]
    _, again = taught_encoders(system, lessons().data, tmp_path / "best", SEED, **quiet)
    assert again == first
    assert [(path / "config.toml").stat().st_mtime_ns for path in again.values()] == times


def test_progress_names_the_encoder_and_its_step(system: FusedSystem, tmp_path: Path) -> None:
    seen: list[str] = []
    taught_encoders(
        system, lessons().data, tmp_path / "best", SEED,
        on_epoch=lambda epoch: None, progress=lambda name, *_: seen.append(name),
    )  # fmt: skip
    assert {"bow-cnn-small: word vectors", "rcnn-small: fine-tuning"} <= set(seen)


def test_before_it_is_trained_such_a_system_cannot_search(system: FusedSystem, sample_views: Views) -> None:
    with pytest.raises(ModelError, match="bow-cnn-small has not learned from this forum yet"):
        gatherer_of(system, sample_views, {})


def test_titles_alone_are_enough(system: FusedSystem, sample_views: Views, tmp_path: Path) -> None:
    data = lessons().data
    titles = tuple(replace(question, body="") for question in data.questions)
    taught(system, sample_views, tmp_path / "best", FusionLessons(replace(data, questions=titles)))
    assert load_fused(tmp_path / "best").encoders.keys() == set(NAMES)


# Sentence encoders


@pytest.fixture
def tuning(best: FusedSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[FusedSystem, str]:
    """The default system with a tiny sentence encoder of one's own that few marks teach, and its name."""
    words = words_of([question.title for question in lessons().data.questions])
    own = save_tiny_encoder(tmp_path / "tiny", words)
    recipe = tmp_path / "mine.toml"
    recipe.write_text(f'name = "mine"\n[ready]\nkind = "sentences"\nfolder = "{own}"\n')
    monkeypatch.setattr(encoders, "FEWEST_PAIRS_TO_TUNE", 10)
    settings = {
        "fusion.encoders": f"shipped+{recipe}",
        "fusion.tuned": "true",
        "fusion.depth": 10,
        "learning.methods": "logistic",
        "sentences.epochs": 1,
    }
    return best.with_parameters(settings), str(recipe)


def test_a_sentence_encoder_of_ones_own_learns_from_enough_marks(
    tuning: tuple[FusedSystem, str], sample_views: Views, tmp_path: Path
) -> None:
    system, name = tuning
    taught(system, sample_views, tmp_path / "model")
    assert load_fused(tmp_path / "model").encoders.keys() == {name}
    assert fusing_ranker(system, sample_views, tmp_path / "model").search(Question("rice"), 3)


def test_labelled_lists_leave_it_as_it_is(
    tuning: tuple[FusedSystem, str], sample_views: Views, tmp_path: Path
) -> None:
    lists = FusionLessons(lessons().data, lists=labelled_lists(60))
    learned = taught(tuning[0], sample_views, tmp_path / "model", lists)
    assert not load_fused(tmp_path / "model").encoders
    assert learned.fitted.judge.calibration.examples == 6 * 60
