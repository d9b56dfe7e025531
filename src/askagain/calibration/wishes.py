"""What people wish of probabilities; reading recipes needs this alone."""

from __future__ import annotations

from typing import Final

PRECISION: Final = 0.9
"""What is wished if nobody says otherwise."""

LEAST_LIKELY: Final = 0.05
"""What is less likely is not suggested where the probabilities come from other forums."""
