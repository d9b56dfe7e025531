"""All features by name: every measure on titles, on bodies and on both, in one order.

A feature here looks at two questions and at nothing else. What needs more, the place in a search engine's
list and the scores of the lexical systems, is put beside these by `askagain.rerank.extraction`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from operator import attrgetter
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from askagain.errors import SettingsError
from askagain.rerank.features.measures import Kind, Measure, all_measures
from askagain.rerank.features.overlap import Idf
from askagain.rerank.features.texts import Prepared

Field = Literal["title", "body", "both"]

FIELDS: Final[tuple[Field, ...]] = ("title", "body", "both")


@dataclass(frozen=True, slots=True)
class Feature:
    """A measure on a field: `value` of a query and a candidate is from 0 to 1.

    `needs` names what must be there beyond the extra `features`; where it is missing, `value` says so.
    """

    name: str
    measure: str
    field: Field
    kind: Kind
    description: str
    value: Callable[[Prepared, Prepared], float]
    needs: str


def all_features(idf: Idf) -> tuple[Feature, ...]:
    """Every feature, with these weights of terms for TF-IDF."""
    return tuple(_on(field, measure) for field in FIELDS for measure in all_measures(idf))


def _on(field: Field, measure: Measure) -> Feature:
    read, compare = attrgetter(field), measure.compare
    return Feature(
        name=f"{field}.{measure.name}",
        measure=measure.name,
        field=field,
        kind=measure.kind,
        description=measure.description,
        value=lambda query, candidate: compare(read(query), read(candidate)),
        needs=measure.needs,
    )


FEATURES: Final = all_features(Idf())
"""Every feature. Here all terms weigh the same; `all_features` takes the weights of a collection."""


def values(
    query: Prepared, candidate: Prepared, features: Sequence[Feature] = FEATURES
) -> NDArray[np.float64]:
    """What the features say about a pair, in their order."""
    return np.array([feature.value(query, candidate) for feature in features], dtype=np.float64)


def features_named(names: Iterable[str], features: Sequence[Feature] = FEATURES) -> tuple[Feature, ...]:
    """The features of these names, in the order of the names."""
    known = {feature.name: feature for feature in features}
    return tuple(known.get(name) or _unknown(name, known) for name in names)


def _unknown(name: str, known: Iterable[str]) -> Feature:
    near = get_close_matches(name, known, n=3)
    remedy = f"did you mean {', '.join(near)}?" if near else '"askagain features A B" lists them'
    raise SettingsError(f"no feature is named {name!r}: {remedy}")
