"""The recipe of a system that judges pairs: what it looks at, how it learns, whose candidates it orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from askagain.encoders.recipe import SearchSettings
from askagain.encoders.settings import WordSettings
from askagain.errors import SettingsError
from askagain.naming import system_name
from askagain.rerank.matching.settings import DecompositionSettings, FittingSettings, UnimelbSettings
from askagain.tables import check_range, read_table, with_value

Says = Literal["scores", "labels"]
"""With labels, a candidate's score is 1 or 0, and the search engine's order stays among equals (U16)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureSettings:
    """A judge by features: a linear SVM on pairs of candidates or on candidates, or naive Bayes.

    Of several `costs` of an SVM the best is chosen by cross-validation over queries, in so many `folds`.
    """

    method: Literal["ranking-svm", "svm", "naive-bayes"]
    features: tuple[str, ...]
    says: Says = "scores"
    costs: tuple[float, ...] = (1.0,)
    folds: int = 5

    def __post_init__(self) -> None:
        if not self.features:
            raise SettingsError('features is empty: name some that "askagain features" lists')
        if not self.costs:
            raise SettingsError("costs is empty: name at least one number")
        for cost in self.costs:
            check_range("costs", cost, 1e-9, 1e9)
        check_range("folds", self.folds, 2, 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingSettings:
    """What judges by a network over the words of both questions, and features beside it, have in common.

    `reads`: all words of a question, its content words (without stop words), or its keywords, which some
    `parser` finds.
    """

    reads: Literal["words", "content", "keywords"] = "words"
    parser: str = "auto"
    features: tuple[str, ...] = ()
    says: Says = "scores"
    longest: int = 100
    fitting: FittingSettings = field(default_factory=FittingSettings)
    words: WordSettings = field(default_factory=WordSettings)

    def __post_init__(self) -> None:
        check_range("longest", self.longest, 1, 10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnimelbJudgeSettings(MatchingSettings):
    """A judge by UniMelb's network over the words of both questions."""

    network: UnimelbSettings = field(default_factory=UnimelbSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecompositionJudgeSettings(MatchingSettings):
    """A judge by SCIR-QA's network: words in parts that the other question covers, or lacks."""

    network: DecompositionSettings = field(default_factory=DecompositionSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteSettings:
    """A vote of other systems that judge pairs, by their names.

    The score is the share of those who say yes, as in UniMelb's official run, or what most of them say.
    """

    members: tuple[str, ...]
    says: Says = "scores"

    def __post_init__(self) -> None:
        if len(set(self.members)) < len(self.members) or not self.members:
            raise SettingsError("members must name at least one system, and each once")


JudgeSettings = FeatureSettings | UnimelbJudgeSettings | DecompositionJudgeSettings | VoteSettings
KINDS: Mapping[str, type[JudgeSettings]] = {
    "features": FeatureSettings,
    "unimelb": UnimelbJudgeSettings,
    "decomposition": DecompositionJudgeSettings,
    "vote": VoteSettings,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSystem:
    """A system that judges pairs of questions, and so orders the candidates of another."""

    name: str
    description: str
    judge: JudgeSettings
    search: SearchSettings = field(default_factory=lambda: SearchSettings(candidates="bm25", depth=20))

    def __post_init__(self) -> None:
        if self.search.candidates != "bm25":
            raise SettingsError(f"{self.name} judges pairs: its candidates come from bm25, not from vectors")

    def restricted_to(self, fields: Sequence[str]) -> PairSystem:
        """The same system: where questions have no body, there is none to look at."""
        return self

    def with_parameters(self, parameters: Mapping[str, Any]) -> PairSystem:
        """The same system with other settings: `judge.costs`, `judge.fitting.rate`, `search.depth`, …"""
        table = self.to_table()
        for name, value in parameters.items():
            if name.partition(".")[0] not in ("judge", "search") or name == "judge.kind":
                raise SettingsError(
                    f"system {self.name}: no setting is named {name!r}: write judge.… or search.depth"
                )
            table = with_value(table, name, value, f"system {self.name}")
        return read_pair_system(table, f"system {self.name}")

    def to_table(self) -> dict[str, Any]:
        """As a recipe has it; `read_pair_system` reads it again."""
        kind = next(name for name, settings in KINDS.items() if type(self.judge) is settings)
        return {
            "name": self.name,
            "description": self.description,
            "judge": {"kind": kind, **asdict(self.judge)},
            "search": asdict(self.search),
        }


def read_pair_system(recipe: Mapping[str, Any], where: str) -> PairSystem:
    """The system that a recipe describes; an error names the place and the setting."""
    known = ("name", "description", "judge", "search")
    for name in recipe:
        if name not in known:
            raise SettingsError(f"{where}: no setting is named {name!r}; the settings are {', '.join(known)}")
    judge = recipe["judge"]
    kind = judge.get("kind") if isinstance(judge, Mapping) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise SettingsError(f"{where}, [judge]: kind is {kind!r}: it must be one of {', '.join(KINDS)}")
    search = {"candidates": "bm25", "depth": 20, **recipe.get("search", {})}
    return PairSystem(
        name=system_name(recipe, where),
        description=str(recipe.get("description", "")),
        judge=read_table(
            KINDS[kind], {name: value for name, value in judge.items() if name != "kind"}, f"{where}, [judge]"
        ),
        search=read_table(SearchSettings, search, f"{where}, [search]"),
    )
