"""From the marks of the sample forum to a fused system in its folder, and from the folder to matches."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forum_of_words import made_up_judge

from askagain.errors import ModelError, OutputError, TrainingError
from askagain.fusion.encoders import shares_of
from askagain.fusion.folder import load_fused
from askagain.fusion.judge import FusedJudge
from askagain.fusion.learning import FusionLessons, Learned, identity_of, learn
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.models import default_folder, fusing_ranker
from askagain.question import Feedback, Question, Verdict
from askagain.sample import forum
from askagain.sources.lists import Candidate, CandidateList
from askagain.systems import load_system, make_ranker
from askagain.training.data import assembled, divided
from askagain.views import Views

SEED = 1


@cache
def lessons() -> FusionLessons:
    """All marks of the sample forum; a fifth of the groups of duplicates is held out."""
    marks = forum.marks()
    same = [(mark.first, mark.second) for mark in marks if mark.verdict is Verdict.DUPLICATE]
    apart = [(mark.first, mark.second) for mark in marks if mark.verdict is Verdict.NOT_DUPLICATE]
    data = assembled(forum.questions(), *divided(same, SEED, share=0.2), source="sample forum")
    return FusionLessons(data, tuple(apart))


def few_lessons(pairs: int) -> FusionLessons:
    data = lessons().data
    return FusionLessons(replace(data, pairs=data.pairs[:pairs]))


@pytest.fixture(scope="module")
def system(best: FusedSystem) -> FusedSystem:
    """The default system with fewer trees."""
    return best.with_parameters({"learning.trees.trees": 15, "fusion.depth": 20})


@pytest.fixture(scope="module")
def default(system: FusedSystem, sample_views: Views) -> FusedJudge:
    return made_up_judge(gatherer_of(system, sample_views, {}).signals.names)


def taught(
    system: FusedSystem,
    views: Views,
    folder: Path,
    given: FusionLessons | None = None,
    default: FusedJudge | None = None,
    **more: Any,
) -> Learned:
    quiet: dict[str, Any] = {"on_epoch": lambda epoch: None, "progress": lambda *_: None}
    return learn(system, given or lessons(), views, folder, seed=SEED, default=default, **(quiet | more))


@pytest.fixture(scope="module")
def folder(system: FusedSystem, sample_views: Views, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fused") / "best"


@pytest.fixture(scope="module")
def learned(system: FusedSystem, sample_views: Views, folder: Path) -> Learned:
    return taught(system, sample_views, folder)


# From all marks


def test_what_was_learned_is_calibrated(learned: Learned) -> None:
    assert learned.fitted.judge.calibration.is_calibrated
    assert learned.fitted.choice is not None
    assert "logistic" in learned.fitted.choice.reached


def test_it_is_measured_on_marks_that_were_held_out(learned: Learned) -> None:
    held_out = lessons().data.dev
    assert held_out is not None
    assert learned.report is not None
    assert 0 < learned.report.duplicates <= sum(map(len, held_out.relevant))
    assert learned.report.average_precision > 3 * learned.report.duplicates / learned.report.pairs
    assert learned.report.calibration_error < 0.1


def test_the_folder_has_a_card_and_pictures(learned: Learned, folder: Path) -> None:
    card = (folder / "card.md").read_text()
    assert card.startswith("# best\n")
    assert "source: sample forum" in card
    assert lessons().hash in card
    assert "(chosen)" in card
    assert "expected calibration error" in card
    for picture in ("reliability.svg", "precision-recall.svg"):
        assert f"![{picture}]({picture})" in card
        assert (folder / picture).read_text().startswith("<svg")


def test_the_folder_brings_the_judge_back(learned: Learned, folder: Path, system: FusedSystem) -> None:
    fused = load_fused(folder)
    assert fused.system == system
    assert fused.judge.calibration == learned.fitted.judge.calibration
    assert fused.judge.names == learned.fitted.judge.names


def test_the_ranker_of_the_folder_finds_duplicates(
    learned: Learned, folder: Path, system: FusedSystem, sample_views: Views
) -> None:
    ranker = fusing_ranker(system, sample_views, folder)
    data = lessons().data
    assert data.dev is not None
    found = 0
    for row, relevant in zip(data.dev.queries.tolist(), data.dev.relevant, strict=True):
        ids = {match.id for match in ranker.search(data.questions[row], 10)}
        found += any(data.questions[other].id in ids for other in relevant)
    assert found > 0.5 * len(data.dev.queries)


def test_the_threshold_of_the_ranker_is_the_one_that_was_learned(
    learned: Learned, folder: Path, system: FusedSystem, sample_views: Views
) -> None:
    ranker = fusing_ranker(system, sample_views, folder)
    assert ranker.threshold == learned.fitted.judge.calibration.threshold  # type: ignore[attr-defined]
    assert ranker.is_calibrated  # type: ignore[attr-defined]


def test_the_same_seed_gives_the_same_folder(
    learned: Learned, folder: Path, system: FusedSystem, sample_views: Views, tmp_path: Path
) -> None:
    taught(system, sample_views, tmp_path / "again")
    for name in ("weights.safetensors", "config.toml", "card.md", "reliability.svg"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


# From few marks, or from none


def test_with_few_marks_the_default_is_written_and_flagged(
    system: FusedSystem, default: FusedJudge, sample_views: Views, tmp_path: Path
) -> None:
    learned = taught(system, sample_views, tmp_path / "model", few_lessons(4), default)
    assert learned.fitted.choice is None
    loaded = load_fused(tmp_path / "model").judge
    assert not loaded.calibration.is_calibrated
    np.testing.assert_array_equal(loaded.arrays["weights"], default.arrays["weights"])
    card = (tmp_path / "model" / "card.md").read_text()
    assert "too few marks to learn from: the order is the one that ships with the package" in card
    assert "not calibrated, since there are too few marks" in card


def test_with_no_marks_at_all_there_is_nothing_to_measure_with(
    system: FusedSystem, default: FusedJudge, sample_views: Views, tmp_path: Path
) -> None:
    nothing = FusionLessons(assembled(forum.questions(), [], []))
    learned = taught(system, sample_views, tmp_path / "model", nothing, default)
    assert learned.report is None
    card = (tmp_path / "model" / "card.md").read_text()
    assert "probabilities: not calibrated, since there are too few marks; they are stated defaults" in card
    assert "too few marks to measure them with" in card
    assert not (tmp_path / "model" / "reliability.svg").exists()


def test_without_a_default_few_marks_are_an_error_and_nothing_is_written(
    system: FusedSystem, sample_views: Views, tmp_path: Path
) -> None:
    with pytest.raises(TrainingError, match="mark more, or take the system best"):
        taught(system, sample_views, tmp_path / "model", few_lessons(4))
    assert list(tmp_path.iterdir()) == []


def test_a_default_that_knows_the_order_is_among_the_choices(
    system: FusedSystem, default: FusedJudge, sample_views: Views, tmp_path: Path
) -> None:
    few = system.with_parameters({"learning.methods": "logistic", "learning.queries": 60})
    choice = taught(few, sample_views, tmp_path / "model", default=default).fitted.choice
    assert choice is not None
    assert choice.reached.keys() == {"as shipped", "logistic"}


def test_what_people_said_of_questions_that_are_measured_with_teaches_nothing(
    system: FusedSystem, default: FusedJudge, sample_views: Views, tmp_path: Path
) -> None:
    data = lessons().data
    assert data.dev is not None
    measured = [data.questions[row].id for row in data.dev.queries.tolist()]
    learned = [data.questions[row].id for row in data.pairs[:, 0].tolist()]
    feedback = tuple(Feedback("why", "", id_, Verdict.NOT_DUPLICATE) for id_ in measured)
    rejected = tuple(zip(measured, learned, strict=False))
    quick = system.with_parameters({"learning.methods": "logistic", "learning.folds": 2})

    said = FusionLessons(data, rejected, feedback)
    taught(quick, sample_views, tmp_path / "with", said, default)
    taught(quick, sample_views, tmp_path / "without", FusionLessons(data), default)

    first, second = (load_fused(tmp_path / name).judge for name in ("with", "without"))
    assert all(np.array_equal(first.arrays[name], second.arrays[name]) for name in first.arrays)


# From lists with labels


def labelled_lists(count: int) -> tuple[CandidateList, ...]:
    """A marked pair each, the duplicate first, and five questions that are none."""
    every = forum.questions()
    return tuple(
        CandidateList(
            every[first],
            tuple(
                Candidate(every[row], rank, row == second)
                for rank, row in enumerate([second, *range(number, number + 5)], start=1)
            ),
        )
        for number, (first, second) in enumerate(lessons().data.pairs[:count].tolist())
    )


def test_labelled_lists_teach_instead_of_searches(
    system: FusedSystem, sample_views: Views, tmp_path: Path
) -> None:
    lists = labelled_lists(60)
    learned = taught(
        system, sample_views, tmp_path / "model", FusionLessons(few_lessons(0).data, lists=lists)
    )  # fmt: skip
    assert learned.fitted.judge.calibration.examples == 6 * len(lists)
    assert "lists with labels: 60" in (tmp_path / "model" / "card.md").read_text()


def test_lists_whose_query_taught_an_encoder_do_not_teach_the_judge(
    system: FusedSystem, sample_views: Views, tmp_path: Path
) -> None:
    both = system.with_parameters({"fusion.encoders": "shipped+bow-cnn-small"})
    lists = labelled_lists(90)
    learned = taught(both, sample_views, tmp_path / "model", FusionLessons(lessons().data, lists=lists))
    _, of_judge = shares_of(lessons().data, SEED)
    left = {of_judge.questions[row].id for row in of_judge.pairs.ravel().tolist()}
    for_the_judge = [list_ for list_ in lists if list_.query.id in left]
    assert 0 < len(for_the_judge) < len(lists)
    assert learned.fitted.judge.calibration.examples == 6 * len(for_the_judge)


# Around it


def test_progress_is_told_by_the_name_of_the_step(
    system: FusedSystem, default: FusedJudge, sample_views: Views, tmp_path: Path
) -> None:
    seen: list[tuple[str, int, int]] = []
    taught(
        system, sample_views, tmp_path / "model", few_lessons(3), default,
        progress=lambda *step: seen.append(step),
    )  # fmt: skip
    assert {step[0] for step in seen} == {"searching", "measuring"}
    assert all(any(done == total for name, done, total in seen if name == step[0]) for step in seen)


def test_a_folder_of_other_things_is_refused_before_any_work(
    system: FusedSystem, sample_views: Views, tmp_path: Path
) -> None:
    (tmp_path / "thesis.txt").write_text("ten years of work")
    with pytest.raises(OutputError, match="is not a model's folder"):
        taught(system, sample_views, tmp_path, progress=lambda *_: pytest.fail("it has begun"))


def test_trainings_are_told_apart_by_settings_data_and_seed(system: FusedSystem) -> None:
    deeper = system.with_parameters({"fusion.depth": 30})
    without_rejected = replace(lessons(), rejected=())
    identities = [
        identity_of(system, lessons(), 0),
        identity_of(system, lessons(), 1),
        identity_of(deeper, lessons(), 0),
        identity_of(system, without_rejected, 0),
        identity_of(system, few_lessons(3), 0),
    ]
    assert len(set(identities)) == len(identities)
    assert identity_of(system, lessons(), 0) == identities[0]


def test_few_marks_leave_a_sentence_encoder_as_it_is(
    system: FusedSystem, default: FusedJudge, sample_views: Views, tmp_path: Path
) -> None:
    tuned = system.with_parameters({"fusion.tuned": "true"})
    taught(tuned, sample_views, tmp_path / "model", few_lessons(3), default)
    assert not (tmp_path / "model" / "encoders").exists()


# The rankers of models


def test_the_folder_of_another_system_is_refused(
    learned: Learned, folder: Path, system: FusedSystem, sample_views: Views
) -> None:
    with pytest.raises(ModelError, match="holds a model of best, not of mine"):
        fusing_ranker(replace(system, name="mine"), sample_views, folder)


def test_a_system_takes_the_model_that_was_trained_on_its_archive(
    system: FusedSystem, default: FusedJudge, sample_views: Views
) -> None:
    mine = replace(system, name="mine")
    taught(
        mine,
        sample_views,
        sample_views.archive.path.with_name("forum.db.models") / "mine",
        few_lessons(3),
        default,
    )
    found = make_ranker(mine, sample_views).search(Question("sticky rice"), 3)
    assert len(found) == 3


def test_a_system_of_ones_own_has_no_model_before_it_is_trained(system: FusedSystem) -> None:
    with pytest.raises(ModelError, match="other has no model yet: make one with askagain train other"):
        default_folder(replace(system, name="other"))


def test_a_missing_model_folder_is_named(system: FusedSystem, sample_views: Views, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nothing/config.toml cannot be read"):
        fusing_ranker(system, sample_views, tmp_path / "nothing")


def test_the_small_variant_is_a_fused_system_of_its_own() -> None:
    small = load_system("best-small")
    assert isinstance(small, FusedSystem)
    assert small.name == "best-small"
