"""A trained encoder in a folder.

config.toml           what the model is, and the checksums of the next two files
vocabulary            the words that each part knows
weights.safetensors   everything that was learned
card.md, pictures     about the model, for people
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from askagain.encoders.config import ModelConfig, config_table, parsed_config
from askagain.encoders.model import Model
from askagain.encoders.part import part_encoder
from askagain.encoders.vocabulary import Vocabulary
from askagain.encoders.vocabularyfile import load_vocabularies, save_vocabularies
from askagain.encoders.weightfile import Arrays, load_weights, save_weights
from askagain.encoders.weightnames import fault_of, weights_of
from askagain.errors import ModelError
from askagain.modelfolder import CARD, CONFIG, REMEDY, save_folder

VOCABULARY: Final = "vocabulary"
WEIGHTS: Final = "weights.safetensors"


def load_model(folder: Path) -> Model:
    """The model of a folder in which everything is as it was saved."""
    config = parsed_config(folder / CONFIG)
    checksums = [config.checksums.get(name, "") for name in (VOCABULARY, WEIGHTS)]
    vocabularies = load_vocabularies(folder / VOCABULARY, checksums[0], config.questions)
    weights = load_weights(folder / WEIGHTS, checksums[1])
    if (fault := fault_of(weights, config.parts, vocabularies)) is not None:
        raise ModelError(f"{folder / WEIGHTS} does not fit the model's {CONFIG}: {fault}; {REMEDY}")
    encoders = [
        part_encoder(part, vocabulary, weights_of(weights, number))
        for number, (part, vocabulary) in enumerate(zip(config.parts, vocabularies, strict=True))
    ]
    return Model(config.name, encoders, weights["weights"], identity=config.identity)


def save_model(
    folder: Path,
    config: ModelConfig,
    vocabularies: Sequence[Vocabulary],
    weights: Arrays,
    card: str,
    pictures: Mapping[str, str],
) -> None:
    """Write a model in place of the one that is there; pictures are SVG texts by their file names.

    The weights are named as in `weightnames`.
    """
    if (fault := fault_of(weights, config.parts, vocabularies)) is not None:
        raise ModelError(f"the weights do not fit the system {config.name}: {fault}")
    table = config_table(config, [each.questions for each in vocabularies])
    files = {
        VOCABULARY: partial(save_vocabularies, vocabularies=vocabularies),
        WEIGHTS: partial(save_weights, weights=weights),
    }
    save_folder(folder, table, files, {**pictures, CARD: card})
