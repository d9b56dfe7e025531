"""The recipe of a system that joins others: whose candidates, which encoders, how their order is learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from askagain.calibration.wishes import PRECISION
from askagain.encoders.sentencesettings import SentenceSettings
from askagain.errors import SettingsError
from askagain.naming import system_name
from askagain.rerank.fit.settings import LogisticSettings, TreeSettings
from askagain.tables import check_range, read_table, with_value

Method = Literal["logistic", "trees"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionSettings:
    """The `depth` best of BM25 and of each encoder are the candidates.

    Encoders are ready systems by their names, or systems whose encoder learns from the forum (bow-cnn, rcnn,
    …), which is taught by a share of the marks first. With `tuned` so are sentence encoders, if there are
    enough marks. `features` are measures of pairs that the judge looks at besides, by name or kind, as
    "askagain features" lists them. They are slow: for short lists.
    """

    encoders: tuple[str, ...] = ("shipped",)
    tuned: bool = False
    depth: int = 50
    features: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_range("depth", self.depth, 1, 10_000)
        if len(set(self.encoders)) < len(self.encoders) or not self.encoders:
            raise SettingsError("encoders must name at least one system, and each once")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSettings:
    """How the order of candidates is learned: by the best of the `methods` in cross-validation.

    At most so many `queries` are learned from. The threshold is chosen for the wished `precision`.
    """

    methods: tuple[Method, ...] = ("logistic", "trees")
    folds: int = 5
    queries: int = 4000
    precision: float = PRECISION
    logistic: LogisticSettings = field(default_factory=LogisticSettings)
    trees: TreeSettings = field(default_factory=TreeSettings)

    def __post_init__(self) -> None:
        if not self.methods:
            raise SettingsError("methods is empty: name logistic, trees or both")
        check_range("folds", self.folds, 2, 100)
        check_range("queries", self.queries, 10, 1_000_000)
        check_range("precision", self.precision, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusedSystem:
    """A system that joins lexical search and encoders, and says how likely each match is a duplicate."""

    name: str
    description: str
    fusion: FusionSettings = field(default_factory=FusionSettings)
    learning: LearningSettings = field(default_factory=LearningSettings)
    sentences: SentenceSettings = field(default_factory=SentenceSettings)

    def restricted_to(self, fields: Sequence[str]) -> FusedSystem:
        """The same system: where questions have no body, there is none to look at."""
        return self

    def with_parameters(self, parameters: Mapping[str, Any]) -> FusedSystem:
        """The same system with other settings: `fusion.depth`, `learning.precision`, `sentences.epochs`, …"""
        table = self.to_table()
        for name, value in parameters.items():
            if name.partition(".")[0] not in ("fusion", "learning", "sentences"):
                raise SettingsError(
                    f"system {self.name}: no setting is named {name!r}: write fusion.…, learning.… or "
                    "sentences.…"
                )
            table = with_value(table, name, value, f"system {self.name}")
        return read_fused_system(table, f"system {self.name}")

    def to_table(self) -> dict[str, Any]:
        """As a recipe has it; `read_fused_system` reads it again."""
        return asdict(self)


def read_fused_system(recipe: Mapping[str, Any], where: str) -> FusedSystem:
    """The system that a recipe describes; an error names the place and the setting."""
    known = ("name", "description", "fusion", "learning", "sentences")
    for name in recipe:
        if name not in known:
            raise SettingsError(f"{where}: no setting is named {name!r}; the settings are {', '.join(known)}")
    return FusedSystem(
        name=system_name(recipe, where),
        description=str(recipe.get("description", "")),
        fusion=read_table(FusionSettings, recipe["fusion"], f"{where}, [fusion]"),
        learning=read_table(LearningSettings, recipe.get("learning", {}), f"{where}, [learning]"),
        sentences=read_table(SentenceSettings, recipe.get("sentences", {}), f"{where}, [sentences]"),
    )
