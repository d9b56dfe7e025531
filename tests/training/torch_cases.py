"""Small texts and networks for the tests of training."""

import numpy as np
import torch
from torch import Tensor, nn

from askagain.encoders.settings import Average, Cnn, Gru, Lstm, Network, Rcnn
from askagain.encoders.texts import packed
from askagain.training.networks.inputs import TextBatch
from askagain.training.networks.model import batch_of, make_network

INPUTS, HIDDEN, WORDS = 3, 4, 7

NETWORKS: dict[str, Network] = {
    "average": Average(hidden=INPUTS),
    **{f"cnn {w} {p} {a}": Cnn(hidden=HIDDEN, width=w, pooling=p, windows=a)  # type: ignore[arg-type]
       for w in (1, 2, 3, 4) for p in ("max", "mean") for a in ("centred", "trailing")},
    **{f"lstm {p}": Lstm(hidden=HIDDEN, pooling=p) for p in ("last", "mean", "max")},  # type: ignore[arg-type]
    **{f"gru {p}": Gru(hidden=HIDDEN, pooling=p) for p in ("last", "mean", "max")},  # type: ignore[arg-type]
    **{f"rcnn {w} {p}": Rcnn(hidden=HIDDEN, width=w, pooling=p)  # type: ignore[arg-type]
       for w in (1, 2, 3) for p in ("last", "mean", "max")},
    "rcnn constant": Rcnn(hidden=HIDDEN, width=3, gate="constant", decay=0.3),
    "rcnn multiplicative": Rcnn(hidden=HIDDEN, width=3, combination="multiplicative"),
    "rcnn output gate": Rcnn(hidden=HIDDEN, width=2, output_gate=True),
    "rcnn constant multiplicative": Rcnn(
        hidden=HIDDEN, width=2, gate="constant", combination="multiplicative", output_gate=True
    ),
}  # fmt: skip


def network_of(settings: Network, seed: int = 0, spread: float = 1.0) -> nn.Module:
    """A network in double precision with weights large enough to matter."""
    torch.manual_seed(seed)
    network = make_network(settings, INPUTS).double()
    for weight in network.parameters():
        nn.init.uniform_(weight, -spread, spread)
    return network


def table_of(seed: int = 0, words: int = WORDS) -> Tensor:
    """Vectors of words, all different."""
    return torch.randn(words, INPUTS, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def texts_of(*lengths: int, seed: int = 0) -> list[list[int]]:
    """Texts of these lengths."""
    generator = np.random.default_rng(seed)
    return [generator.integers(WORDS, size=length).tolist() for length in lengths]


def batch(texts: list[list[int]]) -> TextBatch:
    """Texts, longest first, as a batch over all words."""
    _, words, made = batch_of(packed(texts))
    return TextBatch(torch.where(made.ids >= 0, words[made.ids.clamp(min=0)], -1), made.lengths)
