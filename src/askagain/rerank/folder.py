"""A trained judge in a folder: config.toml, words, weights.safetensors, card.md."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from askagain.encoders.vocabulary import Vocabulary
from askagain.encoders.vocabularyfile import load_vocabularies, save_vocabularies
from askagain.encoders.weightfile import Arrays, load_weights, save_weights
from askagain.errors import ModelError, SettingsError
from askagain.modelfolder import CARD, CONFIG, REMEDY, load_config, save_folder
from askagain.rerank.judges.base import Learned
from askagain.rerank.recipe import PairSystem, VoteSettings, read_pair_system

FORMAT_VERSION: Final = 1
# How often its words were there does not matter to a judge.
_QUESTIONS: Final = 1
_WORDS: Final = "words"
_WEIGHTS: Final = "weights.safetensors"


class Member(NamedTuple):
    """A system, and what it has learned."""

    system: PairSystem
    learned: Learned


def save_judges(folder: Path, system: PairSystem, members: Sequence[Member], card: str) -> None:
    """Write a trained system: its one judge, or those that vote."""
    table = {
        "format": FORMAT_VERSION,
        "judges": "pairs",
        "system": system.to_table(),
        "members": [member.system.to_table() for member in members],
    }
    arrays = {
        f"{number}.{name}": array
        for number, member in enumerate(members)
        for name, array in member.learned.arrays.items()
    }
    vocabularies = [_vocabulary(member.learned.words) for member in members]
    files = {
        _WORDS: partial(save_vocabularies, vocabularies=vocabularies),
        _WEIGHTS: partial(save_weights, weights=arrays),
    }
    save_folder(folder, table, files, {CARD: card})


def _vocabulary(words: Sequence[str]) -> Vocabulary:
    return Vocabulary(tuple(words), np.zeros(len(words), dtype=np.int64), _QUESTIONS)


def load_judges(folder: Path) -> tuple[PairSystem, list[Member]]:
    """The system of a folder in which everything is as it was saved, and what its judges have learned."""
    table, _ = load_config(folder / CONFIG)
    checksums = table.get("checksums")
    if (
        table.get("judges") != "pairs"
        or table.get("format") != FORMAT_VERSION
        or not isinstance(checksums, dict)
    ):
        raise ModelError(
            f"{folder / CONFIG} is not that of a judge of pairs, or of another version of askagain; {REMEDY}"
        )
    try:
        system = read_pair_system(table["system"], CONFIG)
        members = [read_pair_system(member, CONFIG) for member in table["members"]]
    except (SettingsError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{folder / CONFIG} is not understood: {error}; {REMEDY}") from error
    vocabularies = load_vocabularies(folder / _WORDS, str(checksums.get(_WORDS)), [_QUESTIONS] * len(members))
    arrays = load_weights(folder / _WEIGHTS, str(checksums.get(_WEIGHTS)))
    learned = [
        Learned(_of_member(arrays, number), vocabulary.words)
        for number, vocabulary in enumerate(vocabularies)
    ]
    return system, [Member(*both) for both in zip(members, learned, strict=True)]


def _of_member(arrays: Arrays, number: int) -> dict[str, Any]:
    prefix = f"{number}."
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def is_vote(system: PairSystem) -> bool:
    """Whether a system has no judge of its own."""
    return isinstance(system.judge, VoteSettings)
