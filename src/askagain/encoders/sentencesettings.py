"""How a sentence encoder learns from a forum's marks; reading these settings needs no torch."""

from __future__ import annotations

from dataclasses import dataclass

from askagain.tables import check_range


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceSettings:
    """A softmax with this `scale` over each pair's duplicate and all other questions of its batch.

    Among these are, for each question of a pair, `hard` of its best lexical candidates. The rate rises during
    the first `warmup` of all steps and falls to 0 until the last one. Gradients are not longer than `clip`.
    Learning ends after `patience` epochs without a better one. `bodies`: whether bodies are read too.
    `longest` is how many tokens of a text are read while learning; in use, the encoder reads what it could
    read before.
    """

    rate: float = 3e-5
    batch: int = 64
    epochs: int = 2
    patience: int = 1
    scale: float = 20.0
    hard: int = 1
    bodies: bool = True
    longest: int = 128
    warmup: float = 0.1
    decay: float = 0.01
    clip: float = 1.0

    def __post_init__(self) -> None:
        check_range("rate", self.rate, 1e-8, 0.1)
        check_range("batch", self.batch, 1, 10_000)
        check_range("epochs", self.epochs, 1, 1_000)
        check_range("patience", self.patience, 1, 1_000)
        check_range("scale", self.scale, 1e-3, 1e4)
        check_range("hard", self.hard, 0, 100)
        check_range("longest", self.longest, 4, 512)
        check_range("warmup", self.warmup, 0.0, 1.0)
        check_range("decay", self.decay, 0.0, 1.0)
        check_range("clip", self.clip, 1e-6, 1e6)
