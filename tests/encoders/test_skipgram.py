"""Word vectors learned from text: what they know, that they are reproducible, and what can go wrong."""

import os
import random
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from signal import SIGINT

import numpy as np
import pytest

from askagain.encoders.skipgram import SkipgramSettings, train_skipgram
from askagain.encoders.wordvectors import WordVectors
from askagain.errors import MissingExtraError, SettingsError, TrainingError
from support import require

KITCHEN = ["bake", "bread", "oven", "flour", "dough"]
COMPUTER = ["boot", "usb", "disk", "grub", "kernel"]
SMALL = SkipgramSettings(dimension=8, epochs=3)


@pytest.fixture(autouse=True)
def _needs_gensim() -> None:
    require(find_spec("gensim") is not None, 'gensim is missing: pip install "askagain[neural]"')


def two_subjects(sentences: int = 400) -> list[list[str]]:
    """Each sentence is about one of two subjects, which share one word."""
    choice = random.Random(1)
    return [["the", *choice.choices(choice.choice([KITCHEN, COMPUTER]), k=6)] for _ in range(sentences)]


def cosine(vectors: WordVectors, first: str, second: str) -> float:
    one, two = vectors.of(first), vectors.of(second)
    return float(one @ two / np.linalg.norm(one) / np.linalg.norm(two))


# What is learned


def test_words_of_the_same_subject_come_near_each_other() -> None:
    settings = SkipgramSettings(dimension=16, epochs=20, subsample=0)
    vectors = train_skipgram(two_subjects(), settings, seed=1)
    assert cosine(vectors, "usb", "disk") > 0.8
    assert cosine(vectors, "usb", "disk") > cosine(vectors, "usb", "bread") + 0.3


def test_words_come_in_the_order_of_their_frequency_and_rare_ones_not_at_all() -> None:
    text = [["usb", "the"], ["the", "boot", "usb"], ["the", "typo"], ["boot", "the"]]
    vectors = train_skipgram(text, SMALL, seed=1)
    assert vectors.words[0] == "the"
    assert set(vectors.words) == {"the", "usb", "boot"}
    assert vectors.matrix.shape == (3, 8)
    assert vectors.matrix.dtype == np.float32


def test_text_without_two_frequent_words_gives_all_of_them_a_vector() -> None:
    assert set(train_skipgram([["boot", "usb", "usb"]], SMALL, seed=1).words) == {"boot", "usb"}
    assert train_skipgram([["boot"]], SMALL, seed=1).words == ("boot",)


@pytest.mark.parametrize("text", [[], [[]], [[""], ["  ", "\n"]]], ids=["none", "empty", "white space"])
def test_text_without_words_is_an_error(text: list[list[str]]) -> None:
    with pytest.raises(TrainingError, match="there is no word in the text"):
        train_skipgram(text, SMALL, seed=1)


def test_strange_characters_do_no_harm() -> None:
    text = [["nul\0", "no\u00a0break", "\ud800", "line\u2028end", "two words"]] * 2
    assert set(train_skipgram(text, SMALL, seed=1).words) == {
        *("nul\0", "no\u00a0break", "?", "line\u2028end", "two", "words")
    }


def test_all_of_a_gigantic_sentence_is_learned_from() -> None:
    text = ["x", "y"] * 10_000 + COMPUTER * 2000
    vectors = train_skipgram([text], SkipgramSettings(dimension=16, epochs=3, subsample=0), seed=1)
    untrained_length = 1 / np.sqrt(3 * 16)
    assert np.linalg.norm(vectors.of("kernel")) > 2 * untrained_length


# Reproducible

ANOTHER_PROCESS = """
import sys
from askagain.encoders.skipgram import SkipgramSettings, train_skipgram
sentences = [line.split() for line in sys.stdin]
vectors = train_skipgram(sentences, SkipgramSettings(dimension=8, epochs=3), seed=1)
print(" ".join(vectors.words), vectors.matrix.tobytes().hex())
"""


def test_another_process_gives_identical_vectors() -> None:
    sentences = two_subjects()
    vectors = train_skipgram(sentences, SMALL, seed=1)
    # Of two processes, at least this one has its own random hash of strings.
    environment = os.environ | {"PYTHONHASHSEED": "12345"}
    command = [sys.executable, "-c", ANOTHER_PROCESS]
    text = "".join(" ".join(sentence) + "\n" for sentence in sentences)
    other = subprocess.run(command, env=environment, input=text, capture_output=True, text=True, check=True)
    assert other.stdout.split() == [*vectors.words, vectors.matrix.tobytes().hex()]


def test_another_seed_gives_other_vectors() -> None:
    first, second = (train_skipgram(two_subjects(), SMALL, seed=seed).matrix for seed in (1, 2))
    assert not np.allclose(first, second)


# Continuing


def test_training_continues_from_vectors_of_words_that_both_have() -> None:
    start = WordVectors(("usb", "unused"), np.full((2, 8), 5, dtype=np.float32))
    vectors = train_skipgram(two_subjects(20), SMALL, seed=1, start=start)
    assert cosine(WordVectors(("a", "b"), np.array([vectors.of("usb"), start.of("usb")])), "a", "b") > 0.99
    assert np.linalg.norm(vectors.of("usb")) > 10 > 5 > np.linalg.norm(vectors.of("disk"))
    assert "unused" not in vectors


def test_the_vectors_to_start_from_are_not_changed() -> None:
    start = WordVectors(("usb", "disk"), np.ones((2, 8), dtype=np.float32))
    train_skipgram(two_subjects(), SMALL, seed=1, start=start)
    assert (start.matrix == 1).all()


def test_vectors_of_another_dimension_are_no_start() -> None:
    start = WordVectors(("usb",), np.ones((1, 5), dtype=np.float32))
    with pytest.raises(SettingsError, match=r"have 5 dimensions and those to be trained 8.*dimension = 5"):
        train_skipgram(two_subjects(), SMALL, seed=1, start=start)


# Settings


@pytest.mark.parametrize("name", ["dimension", "window", "negative", "min_count", "epochs"])
@pytest.mark.parametrize("value", [0, -1, 10**12, 2.0, True, "3", None])
def test_a_count_must_be_a_possible_whole_number(name: str, value: object) -> None:
    with pytest.raises(SettingsError, match=f"{name} = .* must be a whole number from 1 to"):
        SkipgramSettings(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan"), "0.1", True])
def test_the_subsample_must_be_a_share(value: float) -> None:
    with pytest.raises(SettingsError, match=r"subsample = .* must be"):
        SkipgramSettings(subsample=value)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_must_be_possible(seed: int) -> None:
    with pytest.raises(SettingsError, match=f"seed = {seed} is not possible"):
        train_skipgram(two_subjects(), SMALL, seed=seed)


# Around the training


def test_progress_counts_epochs() -> None:
    seen: list[tuple[int, int]] = []
    train_skipgram(two_subjects(), SMALL, seed=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]


EPOCHS_OF_MINUTES = f"""
from askagain.encoders.skipgram import SkipgramSettings, train_skipgram
settings = SkipgramSettings(negative=300, subsample=0)
said = lambda *_: print("training", flush=True)
train_skipgram([{COMPUTER!r} * 2000] * 100, settings, seed=1, progress=said)
"""


def test_ctrl_c_ends_the_training_at_once_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """In a process of its own, which ends only when gensim's thread does."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", EPOCHS_OF_MINUTES]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "training\n"
        time.sleep(0.5)
        process.send_signal(SIGINT)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert "KeyboardInterrupt" in errors
    assert list(tmp_path.iterdir()) == []


def test_without_gensim_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'askagain\[neural\]'"):
        train_skipgram(two_subjects(), SMALL, seed=1)


def test_neither_gensim_nor_torch_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys; from askagain.encoders import quantised, skipgram, subwords, vectorfiles\n"
        "print({'gensim', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
