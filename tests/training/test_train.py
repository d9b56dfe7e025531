"""From questions to a model folder, whatever the questions are."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askagain import Archive, Question
from askagain.encoders.folder import load_model
from askagain.encoders.recipe import EncoderSystem, SearchSettings
from askagain.errors import TrainingError
from askagain.systems import load_system, make_ranker
from askagain.training.checkpoints import Epoch
from askagain.training.curve import learning_curve
from askagain.training.data import TrainingData, assembled
from askagain.training.dev import measure_of
from askagain.training.learner import Learner
from askagain.training.train import Measured, identity_of, train
from askagain.views import Views

KINDS = ("bow", "cnn", "rcnn", "lstm", "gru")


def test_the_folder_holds_the_model_its_card_and_its_curves(
    tmp_path: Path, tiny_system: Any, forum_data: TrainingData
) -> None:
    folder = train(tiny_system("rcnn", pretraining={}), forum_data, tmp_path / "model", seed=7)

    card = (folder / "card.md").read_text()
    for told in (forum_data.hash, "seed: 7", "sample forum", "357", 'kind = "rcnn"', "perplexity", "dev MRR"):
        assert told in card
    for phase, picture in {"pre-training": "pretraining.svg", "fine-tuning": "finetuning.svg"}.items():
        assert f"- {phase}: " in card
        assert f"({picture})" in card
        assert f"tiny rcnn: {phase}" in "".join(ElementTree.parse(folder / picture).getroot().itertext())
    assert load_model(folder).encode(forum_data.questions[:3]).dense.shape == (3, 8)
    assert [file.name for file in tmp_path.iterdir()] == ["model"]


def test_word_vectors_can_be_kept_in_8_bits(
    tmp_path: Path, forum_system: Any, forum_data: TrainingData
) -> None:
    whole = train(forum_system("rcnn"), forum_data, tmp_path / "whole")
    small = train(forum_system("rcnn", words__bits=8), forum_data, tmp_path / "small")

    assert (small / "weights.safetensors").stat().st_size < (whole / "weights.safetensors").stat().st_size
    ours, theirs = (load_model(folder).encode(forum_data.questions).dense for folder in (small, whole))
    assert np.einsum("qd,qd->q", ours, theirs).min() > 0.99


def test_the_card_tells_how_good_the_model_in_the_folder_is(
    tmp_path: Path, forum_system: Any, forum_data: TrainingData
) -> None:
    system = forum_system("rcnn", words__bits=8)
    told: list[Measured] = []

    folder = train(system, forum_data, tmp_path / "model", on_measured=told.append)

    measure = measure_of(system, forum_data, 0)
    texts = Learner.start(system, forum_data.questions, 0).texts
    assert measure is not None
    assert [measured.model for measured in told] == [measure.mrr(load_model(folder), texts)]
    assert f"- dev MRR of the model {told[0].model:.2f}%" in (folder / "card.md").read_text(encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """What decides how a model works; a card also tells how long its training took."""
    return {
        name: (folder / name).read_bytes() for name in ("config.toml", "vocabulary", "weights.safetensors")
    }


@pytest.mark.parametrize("phase", ["pre-training", "fine-tuning"])
@pytest.mark.parametrize("number", [1, 2])
def test_after_an_interruption_the_same_call_ends_with_the_same_model(
    phase: str, number: int, tmp_path: Path, forum_system: Any, unmeasured: TrainingData
) -> None:
    system = forum_system("gru", pretraining={"contexts": ["title"]}, training__epochs=2)

    def interrupt(epoch: Epoch) -> None:
        if (epoch.phase, epoch.number) == (phase, number):
            raise KeyboardInterrupt

    whole = train(system, unmeasured, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(system, unmeasured, tmp_path / "broken", on_epoch=interrupt)
    rest: list[Epoch] = []
    continued = train(system, unmeasured, tmp_path / "broken", on_epoch=rest.append)

    assert len(rest) == (4 - number if phase == "pre-training" else 2 - number)
    assert contents(continued) == contents(whole)
    assert not (tmp_path / "broken.training").exists()


def test_after_an_interruption_word_vectors_are_not_learned_again(
    tmp_path: Path, tiny_system: Any, unmeasured: TrainingData
) -> None:
    system, seen = tiny_system("rcnn", training__epochs=1), []

    def progress(what: str, done: int, total: int) -> None:
        seen.append(what)
        if what == "fine-tuning" and len(set(seen)) == 2:
            raise KeyboardInterrupt

    whole = train(system, unmeasured, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(system, unmeasured, tmp_path / "broken", progress=progress)
    seen.clear()
    continued = train(system, unmeasured, tmp_path / "broken", progress=progress)

    assert set(seen) == {"fine-tuning"}
    assert contents(continued) == contents(whole)
    assert not (tmp_path / "broken.training").exists()


def test_the_current_folder_can_take_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forum_system: Any, forum_data: TrainingData
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    train(forum_system("bow", training__epochs=1), forum_data, Path())

    load_model(tmp_path / "here")


def test_progress_has_a_name_and_ends_when_all_is_done(
    tmp_path: Path, tiny_system: Any, forum_data: TrainingData
) -> None:
    seen: dict[str, tuple[int, int]] = {}

    def progress(what: str, done: int, total: int) -> None:
        assert done <= total
        seen[what] = (done, total)

    system = tiny_system("rcnn", pretraining={"epochs": 1}, training__epochs=1)
    few = assembled(forum_data.questions[:40], [("computers-1", "computers-40")], [])
    train(system, few, tmp_path / "model", progress=progress)

    assert list(seen) == ["word vectors", "pre-training", "fine-tuning"]
    assert all(done == total for done, total in seen.values())


def test_a_card_tells_if_learning_was_in_vain(
    tmp_path: Path, forum_system: Any, forum_data: TrainingData
) -> None:
    folder = train(
        forum_system("bow", training__rate=50.0, training__epochs=1), forum_data, tmp_path / "vain"
    )
    unmarked = train(forum_system("bow"), assembled(forum_data.questions, [], []), tmp_path / "unmarked")

    assert "- fine-tuning: 1 epoch in" in (folder / "card.md").read_text()
    assert "none was better than what it started from" in (folder / "card.md").read_text()
    assert "nothing to learn from" in (unmarked / "card.md").read_text()


def test_vectors_of_a_file_are_part_of_a_trainings_identity(
    tmp_path: Path, tiny_system: Any, forum_data: TrainingData
) -> None:
    file = tmp_path / "vectors.txt"
    system = tiny_system(words__files=[str(file)])
    file.write_text("word 1 2\n")
    before = identity_of(system, forum_data, 0)
    file.write_text("word 1 3\n")

    assert identity_of(system, forum_data, 0) != before
    file.unlink()
    with pytest.raises(TrainingError, match=r"cannot read the word vectors in .*vectors\.txt"):
        train(system, forum_data, tmp_path / "model")


def test_where_the_vectors_of_a_file_are_makes_no_difference(
    tmp_path: Path, tiny_system: Any, forum_data: TrainingData
) -> None:
    identities = set()
    for folder in (tmp_path / "here", tmp_path / "there"):
        folder.mkdir()
        (folder / "vectors.txt").write_text("word 1 2\n")
        system = tiny_system(words__files=[str(folder / "vectors.txt")])
        identities.add(identity_of(system, forum_data, 0))

    assert len(identities) == 1


def test_a_trainings_identity_depends_on_settings_data_and_seed(
    tiny_system: Any, forum_data: TrainingData
) -> None:
    system, other = tiny_system(), tiny_system(training__rate=0.02)
    fewer = assembled(forum_data.questions[1:], [], [])

    assert identity_of(system, forum_data, 0) == identity_of(tiny_system(), forum_data, 0)
    different = [(system, forum_data, 0), (other, forum_data, 0), (system, fewer, 0), (system, forum_data, 1)]
    assert len({identity_of(*case) for case in different}) == 4


def three() -> TrainingData:
    return assembled([Question(f"hello {word}", id=word) for word in ("a", "b", "c")], [("a", "b")], [])


def of_texts(*texts: str, bodies: bool = True) -> TrainingData:
    questions = [Question(text, text if bodies else "", str(number)) for number, text in enumerate(texts * 6)]
    return assembled(questions, [(str(n), str(n + len(texts))) for n in range(len(texts))], [])


TOO_FEW_MARKS = {
    "three questions": three(),
    "no marks": assembled([Question(f"how to boot usb {n}", "stick", str(n)) for n in range(9)], [], []),
}
HOSTILE = {
    "cyrillic only": of_texts("как загрузиться с флешки", "медленный вайфай дома"),
    "chinese only": of_texts("如何从U盘启动", "无线网络很慢怎么办"),
    "empty bodies": of_texts("boot from usb", "slow wifi", bodies=False),
    "all the same": of_texts("boot boot boot", "boot boot boot"),
    "some without words": of_texts("boot from usb", "?!", "slow wifi"),
    "a huge body": assembled(
        [Question("boot usb", "word " * 200_000, "a"), *(Question("boot usb", "", str(n)) for n in range(5))],
        [("a", "1"), ("2", "3")],
        [],
    ),
    "marks between the same words": of_texts("a a", "a a", "b b"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_the_questions_are_the_model_is_sound(
    kind: str, name: str, tmp_path: Path, tiny_system: Any
) -> None:
    data = HOSTILE[name]

    model = load_model(train(tiny_system(kind, training__epochs=2), data, tmp_path / "model"))

    vectors = model.encode([*data.questions, Question(""), Question("unheard-of", "nothing known")])
    assert np.isfinite(vectors.dense).all()
    assert np.isfinite(vectors.values).all()
    model.explain(data.questions[0], data.questions[1])


@pytest.mark.parametrize("kind", ["rcnn", "lstm", "gru"])
@pytest.mark.parametrize("name", [*HOSTILE, *TOO_FEW_MARKS])
def test_pretraining_copes_with_them_too(kind: str, name: str, tmp_path: Path, tiny_system: Any) -> None:
    system = tiny_system(kind, pretraining={"epochs": 1}, training__epochs=1, words__idf_inputs=True)
    data = (HOSTILE | TOO_FEW_MARKS)[name]

    model = load_model(train(system, data, tmp_path / "model"))

    assert np.isfinite(model.encode(data.questions).dense).all()


@pytest.mark.parametrize("name", [*HOSTILE, *TOO_FEW_MARKS])
def test_two_parts_side_by_side_cope_with_them_too(name: str, tmp_path: Path) -> None:
    data = (HOSTILE | TOO_FEW_MARKS)[name]
    system = load_system("bow-cnn-small").with_parameters({"training.epochs": 1})
    assert isinstance(system, EncoderSystem)

    vectors = load_model(train(system, data, tmp_path / "model")).encode(data.questions)

    assert np.isfinite(vectors.dense).all()
    assert np.isfinite(vectors.values).all()


@pytest.mark.parametrize("kind", ["cnn", "rcnn", "lstm", "gru"])
@pytest.mark.parametrize("name", TOO_FEW_MARKS)
def test_a_network_that_marks_cannot_teach_is_refused(
    kind: str, name: str, tmp_path: Path, tiny_system: Any
) -> None:
    with pytest.raises(TrainingError, match=r"learns from marked duplicates alone.* rcnn-pretrained"):
        train(tiny_system(kind), TOO_FEW_MARKS[name], tmp_path / "model")


@pytest.mark.parametrize("name", TOO_FEW_MARKS)
def test_words_are_compared_without_any_marks(name: str, tmp_path: Path, tiny_system: Any) -> None:
    model = load_model(train(tiny_system("bow"), TOO_FEW_MARKS[name], tmp_path / "model"))

    assert all(model.encode([question]).values.any() for question in TOO_FEW_MARKS[name].questions)


def test_one_group_of_duplicates_is_enough_if_others_are_drawn_from_the_archive(
    tmp_path: Path, tiny_system: Any
) -> None:
    system = tiny_system("cnn", training__negatives_from="archive")

    assert train(system, three(), tmp_path / "model").is_dir()


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_single_word_there_is_nothing_to_learn(kind: str, tmp_path: Path, tiny_system: Any) -> None:
    with pytest.raises(TrainingError, match="no words to learn from"):
        train(tiny_system(kind), of_texts("?!", "..."), tmp_path / "model")


def test_without_questions_there_is_nothing_to_learn(tmp_path: Path, tiny_system: Any) -> None:
    with pytest.raises(TrainingError, match="no questions to learn from"):
        train(tiny_system(), assembled([], [], []), tmp_path / "model")


class NotingViews(Views):
    """Notes by which methods vectors are to be searched."""

    methods: tuple[str, ...] = ()

    def vectors(self, model: Any, method: Any = "auto") -> Any:
        self.methods += (method,)
        return super().vectors(model, method)


@pytest.mark.parametrize("method", ["auto", "exact", "approximate"])
def test_the_recipe_says_how_vectors_are_searched(method: Any, tmp_path: Path, tiny_system: Any) -> None:
    search = SearchSettings(candidates="vectors", method=method)
    system = replace(tiny_system("cnn", training__epochs=1), search=search)
    data = HOSTILE["empty bodies"]
    folder = train(system, data, tmp_path / "model")
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many(data.questions)
        views = NotingViews(archive, durable=False)

        found = make_ranker(system, views, folder).search(Question("slow wifi"), 3)

    assert views.methods == (method,)
    assert len(found) == 3


def epochs(*values: tuple[float, float | None]) -> list[Epoch]:
    return [Epoch("fine-tuning", n, loss, 1.0, 10.0, dev) for n, (loss, dev) in enumerate(values, start=1)]


@pytest.mark.parametrize("shown", [epochs((2.0, 10.0), (1.0, 30.0)), epochs((1.0, None)), epochs((1.0, 5.0))])
def test_a_curve_is_a_picture_with_one_point_per_value(shown: list[Epoch]) -> None:
    picture = ElementTree.fromstring(learning_curve("<b>&", shown))

    points = [element for element in picture.iter() if element.tag.endswith("circle")]
    assert len(points) == sum(1 + (epoch.dev is not None) for epoch in shown)
    assert "<b>&" in "".join(picture.itertext())


def test_the_curve_of_pretraining_draws_perplexity_and_dev_mrr() -> None:
    """Figure 7-1 of J16."""
    shown = [Epoch("pre-training", n, 1.0, 1.0, 10.0, 10.0 * n, 100.0 / n) for n in (1, 2, 3)]

    picture = ElementTree.fromstring(learning_curve("raw text", shown))

    told = "".join(picture.itertext())
    assert "perplexity of held-out titles" in told
    assert "dev MRR" in told
    assert len([element for element in picture.iter() if element.tag.endswith("circle")]) == 6
