"""The optimisers that a recipe can name."""

from __future__ import annotations

import torch
from torch import nn

from askagain.encoders.recipe import TrainingSettings
from askagain.errors import SettingsError

_KINDS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adadelta": torch.optim.Adadelta}


def make_optimiser(network: nn.Module, settings: TrainingSettings) -> torch.optim.Optimizer:
    """For all weights that learn; the word weights of a BOW are larger than others and learn faster."""
    named = [(name, weight) for name, weight in network.named_parameters() if weight.requires_grad]
    if not named:
        raise SettingsError(
            "no weight of this system can learn: set parts.words.trained = true, or parts.trained = true for "
            "a bag of words"
        )
    terms = [weight for name, weight in named if name.endswith("term_weights")]
    others = [weight for name, weight in named if not name.endswith("term_weights")]
    groups = [
        {"params": others, "lr": settings.rate, "weight_decay": settings.decay},
        {"params": terms, "lr": settings.rate * settings.term_rate, "weight_decay": 0.0},
    ]
    optimiser: torch.optim.Optimizer = _KINDS[settings.optimiser](
        [group for group in groups if group["params"]]
    )
    return optimiser
