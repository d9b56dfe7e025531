"""Folders of fused systems: what is saved comes back, and what is damaged is refused."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from forum_of_words import made_up_judge

from askagain.calibration.calibration import Calibration
from askagain.encoders.shipped import shipped_folder
from askagain.errors import ModelError
from askagain.fusion.folder import Fused, load_fused, save_fused
from askagain.fusion.judge import FusedJudge
from askagain.fusion.recipe import FusedSystem
from askagain.rerank.fit.boosting import fit_trees
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.settings import TreeSettings

NAMES = ("bm25", "shipped", "tags")
MATRIX = np.array([[0.5, 0.2, np.nan], [0.1, 0.9, 1.0], [-3.0, np.nan, 0.0]])
CALIBRATED = Calibration("isotonic", (-1.0, 0.5), (-2.0, 1.5), 0.0, 300, 40, 0.8, 0.75)


def trees() -> FusedJudge:
    matrix = np.random.default_rng(0).normal(size=(200, 3))
    examples = Examples(matrix, matrix[:, 0] > 0, np.repeat(np.arange(20), 10))
    learned = fit_trees(examples, TreeSettings(trees=4), seed=0)
    return FusedJudge("trees", NAMES, learned.arrays, CALIBRATED)


JUDGES = {"logistic": replace(made_up_judge(NAMES), calibration=CALIBRATED), "trees": trees()}


@pytest.fixture
def saved(best: FusedSystem, tmp_path: Path) -> Path:
    save_fused(tmp_path / "model", Fused(best, JUDGES["logistic"], {}), {"card.md": "# best\n"})
    return tmp_path / "model"


@pytest.mark.parametrize("method", JUDGES)
def test_a_loaded_judge_is_the_one_that_was_saved(method: str, best: FusedSystem, tmp_path: Path) -> None:
    system, judge = best.with_parameters({"fusion.depth": 7}), JUDGES[method]
    save_fused(tmp_path / "model", Fused(system, judge, {}), {})

    loaded = load_fused(tmp_path / "model")

    assert loaded.system == system
    assert loaded.encoders == {}
    assert (loaded.judge.method, loaded.judge.names) == (method, NAMES)
    assert loaded.judge.calibration == CALIBRATED
    np.testing.assert_array_equal(loaded.judge.scores(MATRIX), judge.scores(MATRIX))


def test_texts_are_there_for_people(saved: Path) -> None:
    assert (saved / "card.md").read_text() == "# best\n"
    (saved / "card.md").unlink()
    assert load_fused(saved).judge.names == NAMES


def test_encoders_of_its_own_are_copied_into_the_folder(best: FusedSystem, tmp_path: Path) -> None:
    tuned = tmp_path / "tuned"
    tuned.mkdir()
    (tuned / "weights").write_text("tuned")

    save_fused(tmp_path / "model", Fused(best, JUDGES["logistic"], {"shipped": tuned}), {})
    (tuned / "weights").unlink()

    [(name, folder)] = load_fused(tmp_path / "model").encoders.items()
    assert name == "shipped"
    assert (folder / "weights").read_text() == "tuned"
    assert folder.is_relative_to(tmp_path / "model")


def test_an_encoder_that_is_named_by_the_path_of_its_recipe_has_a_folder_too(
    best: FusedSystem, tmp_path: Path
) -> None:
    recipe, tuned = str(tmp_path / "elsewhere" / "mine.toml"), tmp_path / "tuned"
    tuned.mkdir()
    system = best.with_parameters({"fusion.encoders": f"shipped+{recipe}"})

    save_fused(tmp_path / "model", Fused(system, JUDGES["logistic"], {recipe: tuned}), {})

    assert load_fused(tmp_path / "model").encoders == {recipe: tmp_path / "model" / "encoders" / "mine"}


def test_only_encoders_that_the_system_names_are_taken(saved: Path) -> None:
    (saved / "encoders" / "stranger").mkdir(parents=True)
    assert load_fused(saved).encoders == {}


# Damage

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "longer": lambda content: content + b"x",
    "flipped": lambda content: content[:-20] + bytes([content[-20] ^ 1]) + content[-19:],
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["config.toml", "weights.safetensors"])
def test_damage_is_refused_with_the_name_of_the_file(name: str, damage: str, saved: Path) -> None:
    path = saved / name
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    with pytest.raises(ModelError, match=rf"{name}.*; copy the model folder again, or train") as raised:
        load_fused(saved)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["config.toml", "weights.safetensors"])
def test_a_missing_file_is_named(name: str, saved: Path) -> None:
    (saved / name).unlink()
    with pytest.raises(ModelError, match=f"{name} cannot be read"):
        load_fused(saved)


def test_the_folder_of_another_kind_of_model_is_refused() -> None:
    with pytest.raises(ModelError, match=r"config.toml is not that of a fused system"):
        load_fused(shipped_folder("encoder"))


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
        ("format = 1", "format = 2", "config.toml is not that of a fused system, or of another version"),
        ('fuses = "rankers"', "", "config.toml is not that of a fused system"),
        ("[checksums]", "[other]", "config.toml is not that of a fused system"),
        ('method = "logistic"', 'method = "magic"', "config.toml is not understood: method is 'magic'"),
        ('method = "logistic"', "", "config.toml is not understood: 'method'"),
        ('method = "logistic"', 'method = "trees"', "model"),
        ("signals = [", "omens = [", "config.toml is not understood: 'signals'"),
        ('    "tags",\n', "", "model: the weights mean are missing or damaged"),
        ("depth = 50", "depth = -1", "config.toml is not understood: .*depth is -1"),
        ("depth = 50", "speed = 50", "config.toml is not understood: .*speed"),
        ("[system.fusion]", "[system.confusion]", "config.toml is not understood: .*confusion"),
        ("threshold = 0.75", "threshold = 7.5", "config.toml: the calibration is damaged"),
        ("threshold = 0.75", "", "config.toml: the calibration is damaged: threshold missing"),
        ("[calibration]", "[celebration]", "config.toml is not understood: 'calibration'"),
    ],
)
def test_a_config_that_does_not_fit_is_refused(old: str, new: str, message: str, saved: Path) -> None:
    with pytest.raises(ModelError, match=message):
        load_fused(with_config(saved, old, new))


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("mean", None),
        ("weights", np.ones(2, np.float32)),
        ("scale", np.array([1, np.inf, 1], np.float32)),
        ("weights", np.array([1, np.nan, 1], np.float32)),
        ("bias", np.zeros((1, 1), np.float32)),
    ],
)
def test_weights_that_do_not_fit_are_named(
    name: str, array: np.ndarray | None, best: FusedSystem, tmp_path: Path
) -> None:
    judge = JUDGES["logistic"]
    arrays = {key: value for key, value in judge.arrays.items() if key != name}
    arrays |= {} if array is None else {name: array}
    save_fused(tmp_path / "model", Fused(best, replace(judge, arrays=arrays), {}), {})
    with pytest.raises(ModelError, match=rf"model: the weights {name} are missing or damaged; copy"):
        load_fused(tmp_path / "model")
