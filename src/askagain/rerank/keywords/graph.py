"""The weighted graph of a sub-sentence: how strongly its candidate words attract each other.

    weight(i, j) = Dep(i, j) · f(i, j)            Qi, Zhang & Liu (2017), eq. 2
    Dep(i, j)    = 1 / b^(path length of i, j)    eq. 1; Zhang et al. (2012)
    f(i, j)      = freq(i) · freq(j) / d²         eq. 3; Wang, Liu & McDonald (2015)

Paths run over the parse as an undirected graph without the root, which is no word. Where the paper is silent:

- A vertex is a word, not one of its places: a word that is there twice has the shortest of its paths.
- Words without a path, as in a parse of several trees, get no edge.
- The frequency is that in the whole question, the mass of a word being the same in all its sub-sentences.
- d is the Euclidean distance of the two word vectors. It is never taken for less than a tenth of the mean
  distance in the sub-sentence: different words may have one vector. A word without a vector is at the mean
  distance from all others. Where fewer than two words have a vector, every distance is 1. Ranks do not depend
  on the unit, since TextRank looks at shares of weights only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.wordvectors import WordVectors
from askagain.rerank.keywords.candidates import candidates
from askagain.rerank.keywords.parsing import ROOT, Parse

Matrix: TypeAlias = NDArray[np.float64]

LEAST_DISTANCE: Final = 0.1
"""As a share of the mean distance in the sub-sentence."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Words in the order of the text, how deep each is in the parse, and the weights of their edges.

    weights: [words, words], symmetric, 0 where there is no edge
    """

    words: tuple[str, ...]
    depths: tuple[float, ...]
    weights: Matrix


def build_graph(
    parse: Parse, frequencies: Mapping[str, int], vectors: WordVectors | None, base: float
) -> Graph:
    """The graph of the candidates of a sub-sentence; without vectors, all distances are 1."""
    places = candidates(parse)
    words, groups = tuple(places), list(places.values())
    masses = np.array([frequencies[word] for word in words], dtype=np.float64)
    weights = dependency(path_lengths(parse, groups), base) * gravity(masses, distances(words, vectors))
    np.fill_diagonal(weights, 0.0)
    return Graph(words, tuple(steps_from_root(parse, groups)), weights)


def path_lengths(parse: Parse, groups: Sequence[Sequence[int]]) -> Matrix:
    """The shortest path from any place of one group to any of another; infinite if there is none."""
    neighbours = _neighbours(parse)
    lengths = np.full((len(groups), len(groups)), np.inf)
    for row, group in enumerate(groups):
        steps = _steps_from(group, neighbours)
        for column, others in enumerate(groups):
            lengths[row, column] = min(steps[place] for place in others)
    return lengths


def steps_from_root(parse: Parse, groups: Sequence[Sequence[int]]) -> list[float]:
    """How far the nearest place of each group is from a root of the parse."""
    roots = [place for place, head in enumerate(parse.heads) if head == ROOT]
    steps = _steps_from(roots, _neighbours(parse))
    return [min(steps[place] for place in group) for group in groups]


def _neighbours(parse: Parse) -> list[list[int]]:
    neighbours: list[list[int]] = [[] for _ in parse.heads]
    for place, head in enumerate(parse.heads):
        if head != ROOT:
            neighbours[place].append(head)
            neighbours[head].append(place)
    return neighbours


def _steps_from(starts: Sequence[int], neighbours: Sequence[Sequence[int]]) -> list[float]:
    """Breadth first: how many steps each place is away from the nearest start."""
    steps = [np.inf] * len(neighbours)
    for start in starts:
        steps[start] = 0
    waiting = deque(starts)
    while waiting:
        place = waiting.popleft()
        for neighbour in neighbours[place]:
            if steps[neighbour] == np.inf:
                steps[neighbour] = steps[place] + 1
                waiting.append(neighbour)
    return steps


def dependency(lengths: Matrix, base: float) -> Matrix:
    """Dep: 1 for a word and itself, less with each step between two words, 0 where there is no path."""
    result: Matrix = base**-lengths
    return result


def gravity(frequencies: Matrix, distance: Matrix) -> Matrix:
    """f: words are masses, which attract each other less the farther apart they are."""
    result: Matrix = np.outer(frequencies, frequencies) / distance**2
    return result


def distances(words: Sequence[str], vectors: WordVectors | None) -> Matrix:
    """Between every two words, all above 0."""
    known = [] if vectors is None else [place for place, word in enumerate(words) if word in vectors]
    if vectors is None or len(known) < 2:
        return np.ones((len(words), len(words)))
    rows = np.array([vectors.of(words[place]) for place in known], dtype=np.float64)
    between = np.linalg.norm(rows[:, None] - rows[None, :], axis=2)
    mean = between.sum() / (len(known) * (len(known) - 1))
    if mean == 0:
        return np.ones((len(words), len(words)))
    result = np.full((len(words), len(words)), mean)
    result[np.ix_(known, known)] = between
    floored: Matrix = np.maximum(result, LEAST_DISTANCE * mean)
    return floored
