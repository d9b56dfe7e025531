"""The network of a part, whichever it is."""

from __future__ import annotations

from typing import Protocol

from askagain.encoders.average import AverageEncoder
from askagain.encoders.cnn import CnnEncoder
from askagain.encoders.gru import GruEncoder
from askagain.encoders.lstm import LstmEncoder
from askagain.encoders.rcnn import RcnnEncoder
from askagain.encoders.recurrent import Weights
from askagain.encoders.settings import Average, Cnn, Gru, Network, Rcnn
from askagain.encoders.texts import Batch
from askagain.encoders.vectors import Floats


class NetworkEncoder(Protocol):
    """A network over the words of some texts, whose products with its weights are made once."""

    @property
    def settings(self) -> Network:
        """What kind it is."""

    def encode(self, batch: Batch) -> Floats:
        """Texts to vectors [texts, d]; zeros for a text without words."""


def network_encoder(network: Network, table: Floats, weights: Weights) -> NetworkEncoder:
    """The network for texts whose words count the rows of a table of word vectors [words, e]."""
    if isinstance(network, Average):
        return AverageEncoder(network, table)
    if isinstance(network, Cnn):
        return CnnEncoder(network, table, weights)
    if isinstance(network, Rcnn):
        return RcnnEncoder(network, table, weights)
    if isinstance(network, Gru):
        return GruEncoder(network, table, weights)
    return LstmEncoder(network, table, weights)


def network_shapes(network: Network, inputs: int) -> dict[str, tuple[int, ...]]:
    """The shape of each weight, for word vectors of so many numbers."""
    units = network.hidden
    if isinstance(network, Average):
        return {}
    if isinstance(network, Cnn | Rcnn):
        shapes: dict[str, tuple[int, ...]] = {"filters": (network.width, inputs, units), "bias": (units,)}
        for gate in _gates(network):
            shapes[f"{gate}_input"] = (inputs, units)
            shapes[f"{gate}_state"] = (units, units)
            shapes[f"{gate}_bias"] = (units,)
        return shapes
    rows = (3 if isinstance(network, Gru) else 4) * units
    return {
        "cell.weight_ih_l0": (rows, inputs),
        "cell.weight_hh_l0": (rows, units),
        "cell.bias_ih_l0": (rows,),
        "cell.bias_hh_l0": (rows,),
    }


def _gates(network: Cnn | Rcnn) -> list[str]:
    if isinstance(network, Cnn):
        return []
    return ["gate"] * (network.gate == "learned") + ["output"] * network.output_gate
