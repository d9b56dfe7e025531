"""How two questions are matched, and how a network learns to: plain values, as recipes have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from askagain.errors import SettingsError
from askagain.tables import check_range


@dataclass(frozen=True, slots=True, kw_only=True)
class DecompositionSettings:
    """The matching of SCIR-QA (Q17, §2.2): words in similar and dissimilar parts, and a two-channel CNN.

    `neighbours` is w of eq. 6: as many words on each side of the best partner count, too. The paper does not
    say how many. `channels`: filters of eq. 8 as printed are one for both channels; since s⁺ + s⁻ = s, both
    parts then add up to the word again, and the other text has no say. Separate filters are those of the
    model's source (Wang et al. 2016), as is tanh, which the paper leaves open. `dropout` is of the largest
    values that the output layer reads.
    """

    neighbours: int = 3
    filters: int = 500
    width: int = 3
    channels: Literal["shared", "separate"] = "shared"
    activation: Literal["tanh", "relu"] = "tanh"
    dropout: float = 0.0

    def __post_init__(self) -> None:
        check_range("neighbours", self.neighbours, 0, 1_000)
        check_range("filters", self.filters, 1, 10_000)
        check_range("width", self.width, 1, 20)
        check_range("dropout", self.dropout, 0.0, 0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnimelbSettings:
    """The CNN of UniMelb (U16, §2.3): texts compared after each level of convolution, judged by an MLP.

    One width per level. The paper gives neither widths nor `k_top`; these are those of Kalchbrenner et al.
    (2014) for sentences, with a narrower one for the third level. Each comparison is reduced to `grid` ×
    `grid` numbers. `hidden` and `layers` are of the MLP, `dropout` of its input.
    """

    widths: tuple[int, ...] = (7, 5, 3)
    k_top: int = 4
    grid: int = 6
    hidden: int = 512
    layers: int = 3
    dropout: float = 0.5

    def __post_init__(self) -> None:
        if not self.widths:
            raise SettingsError("widths is empty: name the width of at least one level")
        for width in self.widths:
            check_range("widths", width, 1, 20)
        check_range("k_top", self.k_top, 1, 100)
        check_range("grid", self.grid, 1, 50)
        check_range("hidden", self.hidden, 1, 10_000)
        check_range("layers", self.layers, 1, 10)
        check_range("dropout", self.dropout, 0.0, 0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittingSettings:
    """How a network learns from pairs that are marked as duplicates or not.

    20 epochs at a rate of 0.001 are those of Q17; U16 has AdaDelta with a rate of 1e-4. `decay` is L2.
    `patience`: so many epochs without a better one end it, where there is a measure of better.
    """

    optimiser: Literal["sgd", "adam", "adadelta"] = "adam"
    rate: float = 1e-3
    decay: float = 1e-5
    batch: int = 32
    epochs: int = 20
    patience: int = 20

    def __post_init__(self) -> None:
        check_range("rate", self.rate, 1e-8, 100.0)
        check_range("decay", self.decay, 0.0, 1.0)
        check_range("batch", self.batch, 1, 100_000)
        check_range("epochs", self.epochs, 0, 10_000)
        check_range("patience", self.patience, 1, 10_000)
