"""Systems: named recipes, each one small TOML file, and the rankers made from them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from askagain.encoders.ready import ReadySystem, read_ready_system
from askagain.encoders.recipe import EncoderSystem, read_encoder_system
from askagain.errors import SettingsError
from askagain.fusion.recipe import FusedSystem, read_fused_system
from askagain.lexical.limits import LONGEST_QUERY
from askagain.lexical.recipe import LexicalSystem, read_lexical_system
from askagain.rerank.recipe import PairSystem, read_pair_system

if TYPE_CHECKING:
    from askagain.lexical.ranker import LexicalRanker
    from askagain.ranker import Ranker
    from askagain.views import Views

LEXICAL_SYSTEMS: Final = ("tfidf", "bm25", "ib", "dfr", "lmd", "lmj")
ENCODER_SYSTEMS: Final = (
    "bow-cnn",
    "cnn",
    "lstm",
    "gru",
    "rcnn",
    "lstm-pretrained",
    "gru-pretrained",
    "rcnn-pretrained",
)
PAIR_SYSTEMS: Final = (
    "svm",
    "unimelb-ss1",
    "unimelb-ss2",
    "unimelb-cnn",
    "unimelb",
    "unimelb-joint",
    "scir-qa",
    "scir-qa-no-keywords",
)
READY_SYSTEMS: Final = ("shipped", "minilm")
FUSED_SYSTEMS: Final = ("best", "best-transformer")
TRAINABLE_SYSTEMS: Final = (*ENCODER_SYSTEMS, *PAIR_SYSTEMS, *FUSED_SYSTEMS)
SYSTEMS: Final = (*FUSED_SYSTEMS, *LEXICAL_SYSTEMS, *READY_SYSTEMS, *ENCODER_SYSTEMS, *PAIR_SYSTEMS)
"""The systems that come with the package."""

DEFAULT_SYSTEM: Final = "best"
READY_TO_USE: Final = (*FUSED_SYSTEMS, *LEXICAL_SYSTEMS, *READY_SYSTEMS)
"""They search an archive that nothing was trained on; those that fuse others have learned elsewhere."""

WITH_SENTENCE_ENCODER: Final = ("best-transformer", "minilm")
"""They need the extra `transformer`, and minutes for an archive of some size."""

TrainableSystem = EncoderSystem | PairSystem | FusedSystem
System = LexicalSystem | ReadySystem | TrainableSystem

_SMALL: Final = "-small"


def load_system(name: str) -> System:
    """A system of the package by its name, or one's own by the path of its TOML file.

    With "-small" after its name a trainable system is one that learns in seconds, for trying things out.
    """
    base = name.removesuffix(_SMALL)
    if name in SYSTEMS or (base in TRAINABLE_SYSTEMS and name.endswith(_SMALL)):
        text = resources.files("askagain.recipes").joinpath(f"{base}.toml").read_text(encoding="utf-8")
        return parse_recipe(text, f"recipe {base}", small=name != base)
    if not name.endswith(".toml"):
        known = ", ".join(SYSTEMS)
        raise SettingsError(f"no system is named {name!r}: choose one of {known}, or give a .toml file")
    try:
        return parse_recipe(Path(name).read_text(encoding="utf-8"), name)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read the recipe {name}: {error}") from error


# What a recipe with this table describes; one with none of them is of a lexical system.
_READERS: Final[Mapping[str, Callable[[Mapping[str, Any], str], System]]] = {
    "parts": read_encoder_system,
    "judge": read_pair_system,
    "fusion": read_fused_system,
    "ready": read_ready_system,
}


def parse_recipe(text: str, where: str, *, small: bool = False) -> System:
    """A recipe's text as a system; an error names the place and the setting."""
    try:
        recipe = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{where} is not valid TOML: {error}") from error
    smaller = recipe.pop("small", {})
    if small:
        recipe["name"] += _SMALL
    read = next((read for table, read in _READERS.items() if table in recipe), read_lexical_system)
    system = read(recipe, where)
    return system.with_parameters(smaller) if smaller and small else system


def make_ranker(system: System, views: Views, model: Path | None = None) -> Ranker:
    """The ranker that a system describes, on the archive of the views.

    A trainable system takes its weights from a model folder: the one given, or the one that was trained on
    the archive.
    """
    if isinstance(system, LexicalSystem | ReadySystem) and model is not None:
        raise SettingsError(
            f"{system.name} has nothing to learn and takes no model: name the system that made {model}"
        )
    if isinstance(system, LexicalSystem):
        return lexical_ranker(system, views)
    # Imported here: compiled kernels take a moment to load, which listing systems need not pay.
    from askagain import models

    if isinstance(system, ReadySystem):
        return models.ready_ranker(system, views)
    if isinstance(system, FusedSystem):
        return models.fusing_ranker(system, views, model)
    if isinstance(system, PairSystem):
        return models.judging_ranker(system, views, model)
    return models.encoder_ranker(system, views, model)


def lexical_ranker(system: LexicalSystem, views: Views) -> LexicalRanker:
    """The ranker of a lexical system."""
    from askagain.lexical.index import Scoring
    from askagain.lexical.ranker import LexicalRanker
    from askagain.lexical.similarities import similarity

    parameters = {name: value for name, value in system.similarity.items() if name != "name"}
    scoring = Scoring(
        similarity(system.similarity["name"], parameters),
        tuple(system.fields.values()),
        system.most_terms or LONGEST_QUERY,
        system.coarse_lengths,
    )
    return LexicalRanker(system.name, views.lexical(tuple(system.fields), system.analyzer), scoring)
