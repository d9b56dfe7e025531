"""A small encoder learns from a teacher's vectors: here an average of random word vectors."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askagain.analysis import AnalyzerSettings
from askagain.encoders.config import SavedConfig
from askagain.encoders.folder import load_model, save_model
from askagain.encoders.model import Model
from askagain.encoders.pooling import unit_length
from askagain.encoders.quantised import in_8_bits
from askagain.encoders.reading import Reader
from askagain.encoders.settings import Average, Part, WordSettings
from askagain.encoders.vectors import Floats
from askagain.errors import SettingsError, TrainingError
from askagain.question import Question
from askagain.training import distillation
from askagain.training.distillation import (
    DistillationSettings,
    Lessons,
    Student,
    Taught,
    distil,
    nearest_rows,
)

WORDS = [f"{first}{second}" for first in ("boot", "print", "sound", "wifi", "disk") for second in "abcdefgh"]
DIMENSION, OF_TEACHER = 16, 16
PART = Part(
    network=Average(hidden=DIMENSION),
    analyzer=AnalyzerSettings(stemmer="none"),
    words=WordSettings(dimension=DIMENSION, min_count=2, unknown="ngrams"),
)
SETTINGS = DistillationSettings(buckets=64, batch=64, together=4, nearest=6, epochs=60, rate=0.05)


def lessons(count: int = 200) -> Lessons:
    """Questions of a few words each; the teacher's vector is a linear map of how often each word is there."""
    chance = np.random.default_rng(0)
    meanings = chance.normal(size=(len(WORDS), OF_TEACHER))
    texts = [chance.integers(0, len(WORDS), size=chance.integers(2, 6)) for _ in range(count)]
    questions = [Question(" ".join(WORDS[word] for word in text)) for text in texts]
    teacher = np.stack([meanings[text].mean(axis=0) for text in texts]).astype(np.float32)
    return Lessons(questions, unit_length(teacher), np.zeros(count, dtype=np.int64))


def saved(taught: Taught, folder: Path, part: Part = PART) -> Model:
    """The model of what was taught, out of its folder."""
    weights: dict[str, Any] = {"words": taught.words, "buckets": taught.buckets}
    weights = in_8_bits(weights) if part.words.bits == 8 else weights
    named = {"weights": np.ones(1, np.float32), **{f"part0.{name}": weights[name] for name in weights}}
    config = SavedConfig(
        name="toy", description="", parts=(part,), questions=(), checksums={}, identity=""
    )  # fmt: skip
    save_model(folder, config, [taught.vocabulary], named, "", {})
    return load_model(folder)


def products(vectors: Floats) -> Floats:
    return vectors @ vectors.T


@pytest.fixture(scope="module")
def taught() -> Taught:
    return distil(PART, lessons(), SETTINGS, seed=1)


@pytest.fixture(scope="module")
def model(taught: Taught, tmp_path_factory: pytest.TempPathFactory) -> Model:
    return saved(taught, tmp_path_factory.mktemp("toy") / "model")


def test_the_student_tells_questions_apart_as_the_teacher_does(model: Model) -> None:
    learned = lessons()
    of_student, of_teacher = products(model.encode(learned.questions).dense), products(learned.teacher)
    assert np.corrcoef(of_student.ravel(), of_teacher.ravel())[0, 1] > 0.85


def test_the_students_neighbours_are_those_of_the_teacher(model: Model) -> None:
    learned = lessons()
    mine = nearest_rows(model.encode(learned.questions).dense, learned.collections, 5)
    theirs = nearest_rows(learned.teacher, learned.collections, 5)
    agreed = [len(set(a) & set(b)) / 5 for a, b in zip(mine.tolist(), theirs.tolist(), strict=True)]
    assert np.mean(agreed) > 0.6


def test_the_loss_falls() -> None:
    losses: list[float] = []
    distil(PART, lessons(), replace(SETTINGS, epochs=5), 1, on_epoch=lambda _, loss: losses.append(loss))
    assert len(losses) == 5
    assert losses[-1] < 0.8 * losses[0]


class Remembered(Student):
    """Keeps the students that were made."""

    made: list[Student]

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.made.append(self)


@pytest.fixture
def students(monkeypatch: pytest.MonkeyPatch) -> list[Student]:
    """The students that learn from now on."""
    monkeypatch.setattr(Remembered, "made", [], raising=False)
    monkeypatch.setattr(distillation, "Student", Remembered)
    return Remembered.made


WITH_BODIES = [
    Question("boota printb", "sounda sounda wific"),
    Question("boota", ""),
    Question("", "diskh printb boota"),
    Question("wific boota diskh", "sounda"),
]


@pytest.mark.parametrize("of_teacher", [3, 16])
def test_the_model_has_the_cosines_of_the_student(
    of_teacher: int, students: list[Student], tmp_path: Path
) -> None:
    """The way into the teacher's space, wider or narrower, is folded into the word vectors."""
    teacher = unit_length(np.random.default_rng(0).normal(size=(4, of_teacher)).astype(np.float32))
    taught = distil(PART, Lessons(WITH_BODIES, teacher, np.zeros(4, np.int64)), SETTINGS, seed=1)
    [student] = students
    texts = Reader(PART, taught.vocabulary).read(WITH_BODIES)
    of_student = student.questions(texts, np.arange(4), spelled=0.0).detach().numpy()

    of_model = saved(taught, tmp_path / "model").encode(WITH_BODIES).dense

    np.testing.assert_allclose(products(of_model), products(of_student), atol=1e-4)


def test_the_cosine_with_the_teacher_rises(students: list[Student]) -> None:
    learned = lessons()
    cosines = []
    for epochs in (1, 60):
        taught = distil(PART, learned, replace(SETTINGS, epochs=epochs), seed=1)
        texts = Reader(PART, taught.vocabulary).read(learned.questions)
        vectors = students[-1].questions(texts, np.arange(len(texts)), spelled=0.0).detach().numpy()
        cosines.append((vectors * learned.teacher).sum(axis=1).mean())
    assert cosines[0] < 0.6 < 0.8 < cosines[1]


def test_the_same_seed_teaches_the_same(taught: Taught) -> None:
    again, other = (distil(PART, lessons(), SETTINGS, seed) for seed in (1, 2))
    np.testing.assert_array_equal(again.words, taught.words)
    np.testing.assert_array_equal(again.buckets, taught.buckets)
    assert not np.array_equal(other.words, taught.words)


def test_words_that_are_not_in_the_vocabulary_have_vectors_from_their_ngrams(model: Model) -> None:
    vectors = model.encode([Question("bootz"), Question("printz")]).dense
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] < 0.99


def test_rare_words_teach_the_ngrams_alone() -> None:
    questions = [Question("boota boota rarely"), Question("boota printb printb")]
    taught = distil(
        PART, Lessons(questions, np.eye(2, 4, dtype=np.float32), np.zeros(2, np.int64)), SETTINGS, 1
    )
    assert set(taught.vocabulary.words) == {"boota", "printb"}
    assert taught.words.shape == (2, DIMENSION)


def test_in_8_bits_the_cosines_are_nearly_the_same(taught: Taught, model: Model, tmp_path: Path) -> None:
    part = replace(PART, words=replace(PART.words, bits=8))
    questions = [*lessons().questions, Question("bootz printz")]
    small = saved(taught, tmp_path / "small", part).encode(questions).dense
    np.testing.assert_allclose(products(small), products(model.encode(questions).dense), atol=0.03)


def test_progress_counts_steps() -> None:
    seen: list[tuple[int, int]] = []
    distil(PART, lessons(100), replace(SETTINGS, epochs=3), 1, progress=lambda *step: seen.append(step))
    assert seen == [(step, 6) for step in range(1, 7)]


# Tiny and odd lessons


@pytest.mark.parametrize(
    ("titles", "collections"),
    [(["boot usb"], [0]), (["boot", "usb stick"], [0, 1]), (["boot usb", "", "?", "rice"], [0, 1, 1, 0])],
    ids=["one question", "collections of one", "questions without words"],
)
@pytest.mark.parametrize("batch", [2, 64])
def test_a_few_questions_are_enough(titles: list[str], collections: list[int], batch: int) -> None:
    teacher = np.eye(len(titles), 5, dtype=np.float32)
    settings = replace(SETTINGS, batch=batch, together=2, epochs=20)
    few = Lessons([Question(title) for title in titles], teacher, np.array(collections))
    taught = distil(PART, few, settings, seed=1)
    assert np.isfinite(taught.words).all()
    assert np.isfinite(taught.buckets).all()


def test_questions_without_any_word_teach_nothing() -> None:
    with pytest.raises(TrainingError, match="no words to learn from"):
        distil(
            PART, Lessons([Question("?")], np.ones((1, 1), np.float32), np.zeros(1, np.int64)), SETTINGS, 1
        )


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("buckets", 0),
        ("batch", 1),
        ("nearest", 0),
        ("together", 8),
        ("epochs", 0),
        ("rate", 0),
        ("spelled", 1),
    ],
)
def test_a_setting_out_of_range_is_named(setting: str, value: float) -> None:
    with pytest.raises(SettingsError, match=f"{setting} is {value}: it must be from"):
        replace(SETTINGS, **{setting: value})


# Neighbours


def by_brute_force(vectors: Floats, collections: list[int], row: int, many: int) -> set[int]:
    others = [
        other for other in range(len(vectors)) if other != row and collections[other] == collections[row]
    ]
    return set(sorted(others, key=lambda other: -float(vectors[row] @ vectors[other]))[:many])


@pytest.mark.parametrize("many", [1, 3, 8])
@pytest.mark.parametrize("at_once", [4, 1000])
def test_neighbours_are_those_of_the_same_collection(
    many: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distillation, "_ROWS_AT_ONCE", at_once)
    chance = np.random.default_rng(0)
    vectors = unit_length(chance.normal(size=(30, 5)).astype(np.float32))
    collections = np.array([*([0] * 12), *([7] * 17), 3])[chance.permutation(30)]

    found = nearest_rows(vectors, collections, many)

    assert found.shape == (30, many)
    for row in range(30):
        expected = by_brute_force(vectors, collections.tolist(), row, many) or {row}
        assert set(found[row].tolist()) == expected


def test_where_there_are_too_few_others_a_row_is_its_own_neighbour() -> None:
    found = nearest_rows(np.eye(3, dtype=np.float32), np.array([0, 0, 1]), 2)
    assert [set(row) for row in found.tolist()] == [{1, 0}, {0, 1}, {2}]
