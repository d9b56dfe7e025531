"""Model folders: what is saved comes back, and what is damaged is refused."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file
from small_models import (
    AVERAGE,
    BOW,
    CNN,
    GRU,
    INPUTS,
    LSTM,
    QUESTIONS,
    RCNN,
    UNITS,
    Recipe,
    dense,
    model_weights,
    vocabulary_for,
)

from askagain import modelfolder
from askagain.encoders import folder as folder_module
from askagain.encoders.folder import load_model, save_model
from askagain.encoders.part import part_encoder
from askagain.encoders.settings import Average, Part, Rcnn, WordSettings
from askagain.encoders.vocabulary import Vocabulary
from askagain.encoders.weightnames import weights_of
from askagain.errors import ModelError, OutputError

SMALL = dense(Rcnn(hidden=UNITS), unknown="ngrams", bits=8, idf_inputs=True)
SMALL_AVERAGE = dense(Average(hidden=INPUTS), unknown="ngrams", bits=8)
SHARED = dense(Rcnn(hidden=UNITS), unknown="shared")
FILES = ["config.toml", "vocabulary", "weights.safetensors"]


def save(
    folder: Path, *parts: Part, weights: dict[str, NDArray[Any]] | None = None, name: str = "small"
) -> Path:
    recipe = Recipe(name, "A model for tests", parts)
    vocabularies = [vocabulary_for(part) for part in parts]
    save_model(
        folder, recipe, vocabularies, weights or model_weights(*parts), "# A card\n", {"curve.svg": "<svg/>"}
    )
    return folder


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return save(tmp_path / "model", BOW, RCNN)


# Saving and loading


@pytest.mark.parametrize(
    "parts",
    [
        (BOW,),
        (AVERAGE,),
        (CNN,),
        (LSTM,),
        (GRU,),
        (RCNN,),
        (SMALL,),
        (SMALL_AVERAGE,),
        (SHARED,),
        (BOW, CNN),
        (BOW, SMALL, BOW),
    ],
    ids=lambda parts: "+".join(part.kind for part in parts),
)
def test_a_loaded_model_gives_the_vectors_of_the_saved_one(tmp_path: Path, parts: tuple[Part, ...]) -> None:
    model = load_model(save(tmp_path / "model", *parts))
    weights = model_weights(*parts)
    for number, (part, loaded) in enumerate(zip(parts, model.parts, strict=True)):
        original = part_encoder(part, vocabulary_for(part), weights_of(weights, number))
        expected = original.encode(original.reader.read(QUESTIONS))
        found = loaded.encode(loaded.reader.read(QUESTIONS))
        np.testing.assert_array_equal(found.dense, expected.dense)
        np.testing.assert_array_equal(found.columns, expected.columns)
        np.testing.assert_array_equal(found.values, expected.values)
    assert model.name == "small"
    np.testing.assert_array_equal(model.weights, weights["weights"])


def test_settings_come_back(saved: Path) -> None:
    assert [part.part for part in load_model(saved).parts] == [BOW, RCNN]


def test_card_and_pictures_are_there_for_people(saved: Path) -> None:
    assert (saved / "card.md").read_text() == "# A card\n"
    assert (saved / "curve.svg").read_text() == "<svg/>"
    (saved / "card.md").write_text("# A better card\n")
    (saved / "curve.svg").unlink()
    assert load_model(saved).name == "small"


def test_other_tools_can_read_the_weights(saved: Path) -> None:
    arrays = load_file(saved / "weights.safetensors")
    for name, array in model_weights(BOW, RCNN).items():
        np.testing.assert_array_equal(arrays[name], array)


def test_weights_are_mapped_and_cannot_be_changed(saved: Path) -> None:
    weights = load_model(saved).weights
    assert not weights.flags.writeable
    assert not weights.flags.owndata


def test_the_same_model_has_the_same_identity_anywhere(tmp_path: Path, saved: Path) -> None:
    elsewhere = save(tmp_path / "elsewhere" / "copy", BOW, RCNN)
    assert load_model(elsewhere).identity == load_model(saved).identity


@pytest.mark.parametrize("change", ["weight", "setting", "count", "word"])
def test_any_difference_makes_another_identity(tmp_path: Path, saved: Path, change: str) -> None:
    part, vocabulary, weights = RCNN, vocabulary_for(RCNN), model_weights(RCNN)
    if change == "weight":
        weights["part0.words"][0, 0] += 1e-3
    elif change == "setting":
        part = replace(part, longest=99)
    elif change == "count":
        vocabulary = replace(vocabulary, questions=5)
    else:
        vocabulary = replace(vocabulary, words=("other", *vocabulary.words[1:]))
    identities = []
    for name, args in (
        ("a", (RCNN, vocabulary_for(RCNN), model_weights(RCNN))),
        ("b", (part, vocabulary, weights)),
    ):
        save_model(tmp_path / name, Recipe("x", "", (args[0],)), [args[1]], args[2], "", {})
        identities.append(load_model(tmp_path / name).identity)
    assert identities[0] != identities[1]


def test_no_path_of_this_machine_is_in_the_config(tmp_path: Path) -> None:
    vectors = tmp_path / "glove.txt"
    part = replace(RCNN, words=WordSettings(files=(str(vectors),)))
    folder = save(tmp_path / "model", part)
    assert str(tmp_path) not in (folder / "config.toml").read_text()
    assert load_model(folder).parts[0].part.words.files == ("glove.txt",)


def test_words_of_any_script_come_back(tmp_path: Path) -> None:
    words = ("c++", "naïve", "日", "don't", "x86_64", "\u2028", "", "हिन्दी")
    vocabulary = Vocabulary(words, np.arange(len(words)), 10)
    weights = {"weights": np.ones(1, np.float32), "part0.term_weights": np.ones(len(words), np.float32)}
    save_model(tmp_path / "model", Recipe("x", "", (BOW,)), [vocabulary], weights, "", {})
    loaded = load_model(tmp_path / "model").parts[0].reader.vocabulary
    assert loaded.words == words
    assert loaded.documents.tolist() == list(range(len(words)))
    assert loaded.questions == 10


@pytest.mark.parametrize("word", ["a\tb", "a\nb", "\ud800"])
def test_a_word_that_would_not_come_back_is_refused(tmp_path: Path, word: str) -> None:
    weights = {"weights": np.ones(1, np.float32), "part0.term_weights": np.ones(1, np.float32)}
    with pytest.raises(ModelError, match="cannot be saved"):
        save_model(
            tmp_path / "model",
            Recipe("x", "", (BOW,)),
            [Vocabulary((word,), np.ones(1, int), 1)],
            weights,
            "",
            {},
        )
    assert list(tmp_path.iterdir()) == []


# Damage


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped_at(share: float) -> Callable[[bytes], bytes]:
    def flipped(content: bytes) -> bytes:
        place = int(share * (len(content) - 1))
        return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]

    return flipped


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "truncated": truncated,
    "empty": lambda content: b"",
    "longer": lambda content: content + b"x",
    "zeros": lambda content: bytes(len(content)),
    **{f"flipped at {share}": flipped_at(share) for share in (0.0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)},
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FILES)
def test_damage_is_refused_with_the_name_of_the_file(saved: Path, name: str, damage: str) -> None:
    path = saved / name
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    with pytest.raises(ModelError, match=rf"{name}.*; copy the model folder again, or train") as raised:
        load_model(saved)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(saved: Path, name: str) -> None:
    (saved / name).unlink()
    with pytest.raises(ModelError, match=rf"{name} cannot be read: .*No such file.*; copy"):
        load_model(saved)


def test_a_flipped_byte_anywhere_in_the_config_is_noticed(saved: Path) -> None:
    path = saved / "config.toml"
    content = path.read_bytes()
    for place in range(0, len(content), 5):
        path.write_bytes(content[:place] + bytes([content[place] ^ 0x20]) + content[place + 1 :])
        with pytest.raises(ModelError):
            load_model(saved)


@pytest.mark.parametrize("name", ["vocabulary", "weights.safetensors"])
def test_a_file_of_another_model_is_refused(tmp_path: Path, saved: Path, name: str) -> None:
    other = save(tmp_path / "other", BOW, LSTM)
    (saved / name).write_bytes((other / name).read_bytes() + b"\n")
    with pytest.raises(ModelError, match=f"{name} is damaged or belongs to another model"):
        load_model(saved)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nothing/config.toml cannot be read"):
        load_model(tmp_path / "nothing")


# Files that are whole, and wrong


def with_config(folder: Path, old: str, new: str) -> Path:
    """Another text in the config, and the checksum to it."""
    path = folder / "config.toml"
    first, rest = path.read_text().split("\n", 1)
    assert old in rest
    rest = rest.replace(old, new, 1)
    path.write_text(first[:-64] + sha256(rest.encode()).hexdigest() + "\n" + rest)
    return folder


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", "format = 2", "config.toml.*it has format version 2, and this askagain reads 1"),
        ("format = 1", "", "format version None"),
        ('kind = "rcnn"', 'kind = "transformer"', "config.toml.*kind must be one of"),
        ('pooling = "last"', 'pooling = "first"', "config.toml.*pooling is 'first'"),
        (
            "hidden = 5",
            "hidden = 6",
            r"weights.safetensors does not fit.*part1.network.filters has the shape",
        ),
        ("longest = 100", 'longest = "all"', "config.toml.*longest is 'all'"),
        ("width = 2", "width = 3", "weights.safetensors.*part1.network.filters has the shape"),
        ('unknown = "dropped"', 'unknown = "shared"', "weights.safetensors.*part1.shared is missing"),
        ("output_gate = false", "output_gate = true", "part1.network.output_bias is missing"),
        ('gate = "learned"', 'gate = "constant"', "part1.network.gate_bias is not among the weights"),
        ("bits = 32", "bits = 8", "part1.words.codes is missing"),
        ('name = "small"', "name = 7", "config.toml.*name is 7: it must be a str"),
        ("[checksums]", "[other]", "config.toml.*checksums is None"),
        ("    4,\n", "", "config.toml.*must have a number for each of the parts"),
        ("    4,\n", "    1,\n", "vocabulary is not a list of words: a word is said to be in"),
        ("    4,\n", "    -4,\n", "config.toml.*questions is"),
        ("format = 1", "format = 1\nx = " + "[" * 5000, "config.toml is not understood"),
    ],
)
def test_a_config_that_does_not_fit_is_refused(saved: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load_model(with_config(saved, old, new))


def wrong(weights: dict[str, NDArray[Any]], name: str, array: NDArray[Any] | None) -> dict[str, NDArray[Any]]:
    rest = {key: value for key, value in weights.items() if key != name}
    return rest if array is None else {**rest, name: array}


NAN = np.full(UNITS, np.nan, dtype=np.float32)
WRONG_WEIGHTS: list[tuple[str, NDArray[Any] | None, str]] = [
    ("part1.network.bias", None, "part1.network.bias is missing"),
    ("part1.network.bias", NAN, "part1.network.bias has values that are not finite"),
    ("part1.network.bias", NAN * 0 + np.inf, "part1.network.bias has the shape|not finite"),
    ("part1.network.bias", np.zeros(4, np.float32), r"bias has the shape \[4\], expected \[5\]"),
    ("part1.network.bias", np.zeros((5, 1), np.float32), r"bias has the shape \[5, 1\], expected \[5\]"),
    ("part1.network.bias", np.zeros(5, np.int8), "bias has numbers of type int8, expected float32"),
    ("part1.words", np.zeros((3, 6), np.float32), r"part1.words has the shape \[3, 6\]"),
    ("part1.words", np.zeros(6, np.float32), r"part1.words has the shape \[6\]"),
    ("part0.term_weights", np.zeros(3, np.float32), r"part0.term_weights has the shape \[3\]"),
    ("weights", np.ones(3, np.float32), r"weights has the shape \[3\], expected \[2\]"),
    ("part2.words", np.ones((3, 3), np.float32), "part2.words is not among the weights"),
]


@pytest.mark.parametrize(("name", "array", "message"), WRONG_WEIGHTS)
def test_wrong_weights_are_not_saved(
    tmp_path: Path, name: str, array: NDArray[Any] | None, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        save(tmp_path / "model", BOW, RCNN, weights=wrong(model_weights(BOW, RCNN), name, array))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "array", "message"), WRONG_WEIGHTS)
def test_wrong_weights_are_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, array: NDArray[Any] | None, message: str
) -> None:
    with monkeypatch.context() as unchecked:
        unchecked.setattr(folder_module, "fault_of", lambda *_: None)
        save(tmp_path / "model", BOW, RCNN, weights=wrong(model_weights(BOW, RCNN), name, array))
    with pytest.raises(ModelError, match=f"weights.safetensors does not fit.*({message})"):
        load_model(tmp_path / "model")


BUCKETS_IN_8_BITS: list[tuple[str, NDArray[Any] | None, str]] = [
    ("part0.buckets.codes", None, "part0.buckets.codes is missing"),
    ("part0.buckets.scales", None, "part0.buckets.scales is missing"),
    ("part0.buckets.codes", np.zeros((7, 6), np.float32), "type float32, expected int8"),
    ("part0.buckets.codes", np.zeros((7, 5), np.int8), r"shape \[7, 5\], expected \[any, 6\]"),
    ("part0.buckets.codes", np.zeros((0, 6), np.int8), r"shape \[0, 6\], expected \[any, 6\]"),
    ("part0.buckets.scales", np.zeros(7, np.int8), "type int8, expected float32"),
    ("part0.buckets.scales", np.zeros((7, 1), np.float32), r"shape \[7, 1\], expected \[any\]"),
    ("part0.buckets.scales", np.full(7, np.nan, np.float32), "buckets.scales has values that are not"),
    ("part0.buckets.scales", np.ones(3, np.float32), "buckets.scales has the shape"),
    ("part0.buckets", np.zeros((7, 6), np.float32), "part0.buckets is not among the weights"),
]


@pytest.mark.parametrize(("name", "array", "message"), BUCKETS_IN_8_BITS)
def test_wrong_buckets_in_8_bits_are_named(
    tmp_path: Path, name: str, array: NDArray[Any] | None, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        save(tmp_path / "model", SMALL_AVERAGE, weights=wrong(model_weights(SMALL_AVERAGE), name, array))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a safetensors file",
        b"\xff" * 8,
        b"\x02" + bytes(7) + b"[]",
        b"\x0a" + bytes(7) + b'{"a":null}',
        (len(b := b'{"weights":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}')).to_bytes(8, "little")
        + b
        + bytes(8),
        (len(b := b'{"weights":{"dtype":"F32","shape":[9],"data_offsets":[0,36]}}')).to_bytes(8, "little")
        + b,
        (len(b := b'{"weights":{"dtype":"F32","shape":[1],"data_offsets":[0,9]}}')).to_bytes(8, "little")
        + b
        + bytes(9),
        (100_000).to_bytes(8, "little") + b"[" * 100_000,
    ],
)
def test_crafted_weights_with_a_right_checksum_are_refused(saved: Path, content: bytes) -> None:
    path = saved / "weights.safetensors"
    old = sha256(path.read_bytes()).hexdigest()
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"weights.safetensors"):
        load_model(with_config(saved, old, sha256(content).hexdigest()))


@pytest.mark.parametrize(
    "lines",
    [b"0\t1\n", b"0\tmany\tboot\n", b"7\t1\tboot\n", b"0\t1\tboot\n0\t1\tboot\n", b"\xff\n", b"0\t1\tboot\n"],
)
def test_a_crafted_vocabulary_with_a_right_checksum_is_refused(saved: Path, lines: bytes) -> None:
    path = saved / "vocabulary"
    old = sha256(path.read_bytes()).hexdigest()
    path.write_bytes(lines)
    with pytest.raises(ModelError, match=r"vocabulary is not a list|part0.term_weights has the shape"):
        load_model(with_config(saved, old, sha256(lines).hexdigest()))


# Replacing


def test_a_new_model_takes_the_place_of_an_old_one(saved: Path) -> None:
    (saved / "old.svg").write_text("")
    save(saved, LSTM, name="new")
    assert load_model(saved).name == "new"
    assert sorted(path.name for path in saved.iterdir()) == [
        "card.md",
        "config.toml",
        "curve.svg",
        *FILES[1:],
    ]
    assert [path.name for path in saved.parent.iterdir()] == ["model"]


def test_an_interrupted_saving_leaves_the_old_model(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(modelfolder, "save_config", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(saved, LSTM, name="new")
    assert load_model(saved).name == "small"
    assert [path.name for path in saved.parent.iterdir()] == ["model"]


def test_a_renaming_that_fails_brings_the_old_model_back(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def failing(path: Path, target: Path) -> Path:
        if path.suffix == ".new":
            raise OSError(28, "No space left on device")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OutputError, match=r"cannot write the model folder .*model: No space left"):
        save(saved, LSTM, name="new")
    assert load_model(saved).name == "small"
    assert [path.name for path in saved.parent.iterdir()] == ["model"]


def test_what_dead_processes_left_is_removed(saved: Path) -> None:
    for name in (".model.0123abcd.new", ".model.0123abcd.old", ".model.4567abcd.new", ".other.0123abcd.new"):
        (saved.parent / name).mkdir()
        if not name.startswith(".model.4567"):
            os.utime(saved.parent / name, (0, 0))
    save(saved, LSTM)
    left = sorted(path.name for path in saved.parent.iterdir())
    assert left == [".model.4567abcd.new", ".other.0123abcd.new", "model"]


def test_a_folder_of_other_things_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("ten years of work")
    with pytest.raises(OutputError, match="is not a model's folder"):
        save(tmp_path, RCNN)
    assert (tmp_path / "thesis.txt").read_text() == "ten years of work"


def test_a_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("ten years of work")
    with pytest.raises(OutputError, match="is not a model's folder"):
        save(tmp_path / "thesis.txt", RCNN)
    assert (tmp_path / "thesis.txt").read_text() == "ten years of work"


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    assert load_model(save(tmp_path / "model", RCNN)).name == "small"


def test_a_link_to_a_folder_stays_a_link(saved: Path) -> None:
    link = saved.parent / "link"
    link.symlink_to(saved)
    save(link, LSTM, name="new")
    assert link.is_symlink()
    assert load_model(saved).name == "new"


# Models within models


def test_folders_are_copied_with_all_that_is_in_them(saved: Path, tmp_path: Path) -> None:
    modelfolder.save_folder(tmp_path / "outer", {}, {}, {"card.md": "# Outer\n"}, {"inner/first": saved})
    modelfolder.load_config(tmp_path / "outer" / "config.toml")
    assert load_model(tmp_path / "outer" / "inner" / "first").identity == load_model(saved).identity


def test_a_folder_that_is_not_there_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot write the model folder"):
        modelfolder.save_folder(tmp_path / "outer", {}, {}, {}, {"inner": tmp_path / "nothing"})
    assert list(tmp_path.iterdir()) == []


# Without torch


@pytest.mark.parametrize("parts", [(BOW, SMALL, CNN), (LSTM, GRU)])
def test_inference_imports_neither_torch_nor_gensim(tmp_path: Path, parts: tuple[Part, ...]) -> None:
    folder = save(tmp_path / "model", *parts)
    program = f"""
import sys
from pathlib import Path
from askagain.encoders.folder import load_model
from askagain.question import Question
model = load_model(Path({str(folder)!r}))
question = Question("how to boot a zebra", "my computer")
model.as_queries(model.encode([question]))
assert model.explain(question, Question("boot stick"))
print([name for name in ("torch", "gensim") if name in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
