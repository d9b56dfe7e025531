"""Where a training stands after its last whole epoch: enough to go on as if nothing had happened."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from askagain.errors import TrainingError


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over all lessons. `dev` is the dev MRR in percent; the perplexity is of held-out titles."""

    phase: str
    number: int
    loss: float
    seconds: float
    questions_per_second: float
    dev: float | None = None
    perplexity: float | None = None


@dataclass
class Standing:
    """What a phase of training has come to: the epochs so far, and the best of them with its weights."""

    epochs: list[Epoch] = field(default_factory=list)
    best_epoch: int = 0
    best_value: float = float("-inf")
    best_weights: dict[str, Tensor] = field(default_factory=dict)

    def add(self, epoch: Epoch, value: float, network: nn.Module) -> None:
        """One more epoch; higher values are better."""
        self.epochs.append(epoch)
        self._keep(epoch.number, value, network)

    def start_from(self, value: float, network: nn.Module) -> None:
        """How good the network is before it learns, as its epoch 0."""
        self._keep(0, value, network)

    def _keep(self, number: int, value: float, network: nn.Module) -> None:
        if value > self.best_value:
            self.best_epoch, self.best_value = number, value
            self.best_weights = {name: weight.clone() for name, weight in network.state_dict().items()}

    @property
    def since_best(self) -> int:
        """How many epochs have passed without a better one."""
        return len(self.epochs) - self.best_epoch


class Checkpoint:
    """A file that holds one phase's standing, replaced as a whole after each epoch. None: nothing is kept."""

    def __init__(self, path: Path | None, identity: str) -> None:
        self._path = path
        self._identity = identity

    def save(
        self, standing: Standing, network: nn.Module, optimiser: torch.optim.Optimizer, draws: Any
    ) -> None:
        """Everything that the next epoch depends on."""
        if self._path is None:
            return
        tensors = {f"now.{name}": weight.clone() for name, weight in network.state_dict().items()}
        tensors |= {f"best.{name}": weight.clone() for name, weight in standing.best_weights.items()}
        state = optimiser.state_dict()["state"]
        for number, values in state.items():
            tensors |= {f"optimiser.{number}.{name}": value.clone() for name, value in values.items()}
        tensors["random"] = torch.get_rng_state()
        epochs = [asdict(epoch) for epoch in standing.epochs]
        told = {
            "identity": self._identity, "epochs": epochs, "best_epoch": standing.best_epoch,
            "best_value": standing.best_value, "draws": draws,
        }  # fmt: skip
        text = json.dumps(told)
        self._write(tensors, {"standing": text, "checksum": _checksum(tensors, text)})

    def _write(self, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
        assert self._path is not None
        temporary = self._path.with_name(f"{self._path.name}.{os.getpid()}.tmp")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            save_file(tensors, temporary, metadata)
            temporary.replace(self._path)
        except (OSError, SafetensorError) as error:
            temporary.unlink(missing_ok=True)
            raise TrainingError(f"{self._path} cannot be written: {error}") from error

    def load(self, network: nn.Module, optimiser: torch.optim.Optimizer) -> tuple[Standing, Any] | None:
        """Puts network, optimiser and random numbers where they stood; None if there is nothing to load."""
        read = self._read()
        if read is None:
            return None
        told, tensors = read
        network.load_state_dict(_named(tensors, "now."))
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in _named(tensors, "optimiser.").items():
            number, _, key = name.partition(".")
            state.setdefault(int(number), {})[key] = value
        optimiser.load_state_dict({**optimiser.state_dict(), "state": state})
        torch.set_rng_state(tensors["random"])
        epochs = [Epoch(**epoch) for epoch in told["epochs"]]
        best = _named(tensors, "best.")
        return Standing(epochs, told["best_epoch"], told["best_value"], best), told["draws"]

    def _read(self) -> tuple[dict[str, Any], dict[str, Tensor]] | None:
        """What was saved for this training; None if there is nothing, or if it is damaged."""
        if self._path is None or not self._path.exists():
            return None
        try:
            with safe_open(self._path, framework="pt") as file:
                text, checksum = file.metadata()["standing"], file.metadata()["checksum"]
                told = json.loads(text)
                if told["identity"] != self._identity:
                    return None
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        except (SafetensorError, OSError, ValueError, KeyError, TypeError):
            return None
        return (told, tensors) if checksum == _checksum(tensors, text) else None


def _checksum(tensors: dict[str, Tensor], text: str) -> str:
    """SHA-256 of everything that a checkpoint holds."""
    digest = sha256(text.encode())
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].numpy().tobytes())
    return digest.hexdigest()


def _named(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
