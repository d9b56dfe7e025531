"""Where values stand within their lists."""

from __future__ import annotations

import numpy as np

from askagain.jit import Array, compiled


@compiled
def in_lists(column: Array, starts: Array) -> Array:
    """A column, how far each value is behind the best of its list, and 1 / its place there: [values, 3].

    Equal values share the first of their places: the order within a list says nothing here.
    """
    signals = np.empty((len(column), 3))
    for place in range(len(starts) - 1):
        values = -column[starts[place] : starts[place + 1]]
        ordered = np.sort(values)
        ranks = np.searchsorted(ordered, values)
        for row in range(len(values)):
            signal = signals[starts[place] + row]
            signal[0] = -values[row]
            signal[1] = values[row] - ordered[0]
            signal[2] = 1 / (1 + ranks[row])
    return signals
