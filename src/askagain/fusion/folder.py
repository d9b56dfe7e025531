"""A trained fused system in a folder: config.toml, weights.safetensors, card.md, pictures, its encoders."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from askagain.calibration.calibration import Calibration
from askagain.encoders.weightfile import Arrays, load_weights, save_weights
from askagain.errors import ModelError, SettingsError
from askagain.fusion.judge import FusedJudge
from askagain.fusion.recipe import FusedSystem, Method, read_fused_system
from askagain.modelfolder import CONFIG, REMEDY, load_config, save_folder
from askagain.rerank.arrays import check_arrays
from askagain.rerank.trees.trees import Trees

FORMAT_VERSION: Final = 1
ENCODERS: Final = "encoders"
_WEIGHTS: Final = "weights.safetensors"
_JUDGE: Final = "judge."
_LINEAR: Final = ("mean", "scale", "weights")


class Fused(NamedTuple):
    """A system and what it has learned; encoders of its own stand in folders by their names."""

    system: FusedSystem
    judge: FusedJudge
    encoders: Mapping[str, Path]

    def as_default(self) -> Fused:
        """The same on a forum that it has not learned from."""
        return self._replace(judge=self.judge.as_default(self.system.learning.precision))


def folder_name(encoder: str) -> str:
    """Of an encoder's own folder; one's own encoder is named by the path of its recipe."""
    return Path(encoder).stem


def save_fused(folder: Path, fused: Fused, texts: Mapping[str, str]) -> None:
    """Write a trained system; `texts` are its card and pictures. Folders of encoders are copied into it."""
    judge = fused.judge
    table = {
        "format": FORMAT_VERSION,
        "fuses": "rankers",
        "system": fused.system.to_table(),
        "method": judge.method,
        "signals": list(judge.names),
        "calibration": judge.calibration.to_table(),
    }
    arrays = {f"{_JUDGE}{name}": array for name, array in judge.arrays.items()}
    weights = arrays | judge.calibration.to_arrays()
    save_folder(
        folder,
        table,
        {_WEIGHTS: partial(save_weights, weights=weights)},
        texts,
        {f"{ENCODERS}/{folder_name(name)}": path for name, path in fused.encoders.items()},
    )


def load_fused(folder: Path) -> Fused:
    """The system of a folder in which everything is as it was saved."""
    path = folder / CONFIG
    table, _ = load_config(path)
    checksums = table.get("checksums")
    if (
        table.get("fuses") != "rankers"
        or table.get("format") != FORMAT_VERSION
        or not isinstance(checksums, dict)
    ):
        raise ModelError(f"{path} is not that of a fused system, or of another version of askagain; {REMEDY}")
    weights = load_weights(folder / _WEIGHTS, str(checksums.get(_WEIGHTS)))
    try:
        system = read_fused_system(table["system"], CONFIG)
        judge = _judge(table, weights, folder)
    except (SettingsError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} is not understood: {error}; {REMEDY}") from error
    own = folder / ENCODERS
    every = {name: own / folder_name(name) for name in system.fusion.encoders}
    encoders = {name: path for name, path in every.items() if path.is_dir()}
    return Fused(system, judge, encoders)


def _judge(table: Mapping[str, Any], weights: Arrays, folder: Path) -> FusedJudge:
    method, names = table["method"], tuple(map(str, table["signals"]))
    if method not in get_args(Method):
        raise SettingsError(f"method is {method!r}")
    arrays = {name.removeprefix(_JUDGE): array for name, array in weights.items() if name.startswith(_JUDGE)}
    if method == "trees":
        Trees(arrays, len(names), str(folder))
    else:
        _check_linear(arrays, len(names), folder)
    calibration = Calibration.from_arrays(weights, table["calibration"], folder / CONFIG)
    return FusedJudge(method, names, arrays, calibration)


def _check_linear(arrays: Arrays, signals: int, folder: Path) -> None:
    check_arrays(arrays, {**dict.fromkeys(_LINEAR, (signals,)), "bias": (1,)}, folder)
