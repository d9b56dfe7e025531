"""The recipe of a trainable system: its parts, how they learn, and how the result searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

from askagain.encoders.settings import Part, read_part
from askagain.errors import SettingsError
from askagain.naming import system_name
from askagain.tables import check_range, like, read_table

Context = Literal["title", "body", "similar"]


_EPOCHS_WITHOUT_DEV: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """How marked duplicates teach a model.

    `loss`: logistic on the hardest negative (S15), max-margin on it (J16), or a softmax over all questions of
    a batch. `scale` is γ of the logistic loss and the inverse temperature of the softmax, `margin` is δ.
    Each pair gets `negatives` random ones from the batch or from the whole archive, and of its `hard` best
    lexical candidates. `term_rate` multiplies the rate at which a BOW's word weights learn.
    A question with more than `most_positives` duplicates asks for none of them.
    """

    loss: Literal["logistic", "margin", "softmax"] = "softmax"
    scale: float = 10.0
    margin: float = 1.0
    negatives: int = 20
    negatives_from: Literal["batch", "archive"] = "batch"
    hard: int = 0
    optimiser: Literal["sgd", "adam", "adadelta"] = "adam"
    rate: float = 1e-3
    term_rate: float = 10.0
    decay: float = 1e-5
    dropout_inputs: float = 0.1
    dropout_output: float = 0.1
    batch: int = 40
    epochs: int = 50
    patience: int = 5
    most_positives: int = 1_000_000

    def __post_init__(self) -> None:
        check_range("scale", self.scale, 1e-3, 1e4)
        check_range("margin", self.margin, 0.0, 100.0)
        check_range("negatives", self.negatives, 1, 10_000)
        check_range("hard", self.hard, 0, 100)
        check_range("rate", self.rate, 1e-8, 100.0)
        check_range("term_rate", self.term_rate, 0.0, 1e4)
        check_range("decay", self.decay, 0.0, 1.0)
        check_range("dropout_inputs", self.dropout_inputs, 0.0, 0.95)
        check_range("dropout_output", self.dropout_output, 0.0, 0.95)
        check_range("batch", self.batch, 1, 100_000)
        check_range("epochs", self.epochs, 0, 10_000)
        check_range("patience", self.patience, 1, 10_000)
        check_range("most_positives", self.most_positives, 1, 1_000_000)

    @property
    def epochs_without_dev(self) -> int:
        """How many there are at most where nothing says which of them is the best."""
        return min(self.epochs, _EPOCHS_WITHOUT_DEV)


@dataclass(frozen=True, slots=True, kw_only=True)
class PretrainingSettings:
    """How raw text teaches an encoder: a decoder writes the title again from what the encoder made of it.

    The context is the title itself, the body, or title and body of a marked duplicate; with several kinds
    each question is used with each. Where bodies are rare, `questions` may leave out the titles of those that
    have none. `softmax`: over the whole vocabulary, adaptive (frequent words first),
    or over `sampled` words of each batch.
    """

    contexts: tuple[Context, ...] = ("title", "body", "similar")
    questions: Literal["all", "with-body"] = "all"
    softmax: Literal["full", "adaptive", "sampled"] = "sampled"
    sampled: int = 2000
    batch: int = 256
    rate: float = 1e-3
    dropout: float = 0.1
    epochs: int = 20
    patience: int = 8
    held_out: int = 500

    def __post_init__(self) -> None:
        check_range("sampled", self.sampled, 1, 1_000_000)
        check_range("batch", self.batch, 1, 100_000)
        check_range("rate", self.rate, 1e-8, 100.0)
        check_range("dropout", self.dropout, 0.0, 0.95)
        check_range("epochs", self.epochs, 1, 10_000)
        check_range("patience", self.patience, 1, 10_000)
        check_range("held_out", self.held_out, 1, 1_000_000)
        if not self.contexts:
            raise SettingsError("contexts is empty: name one or more of title, body, similar")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Where candidates come from: the nearest vectors, or the `depth` best of a lexical system."""

    candidates: Literal["vectors", "bm25"] = "vectors"
    depth: int = 100
    method: Literal["auto", "exact", "approximate"] = "auto"

    def __post_init__(self) -> None:
        check_range("depth", self.depth, 1, 10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderSystem:
    """A system that learns: its parts, and everything that decides what they learn."""

    name: str
    description: str
    parts: tuple[Part, ...]
    training: TrainingSettings = field(default_factory=TrainingSettings)
    pretraining: PretrainingSettings | None = None
    search: SearchSettings = field(default_factory=SearchSettings)

    def restricted_to(self, fields: Sequence[str]) -> EncoderSystem:
        """The same system where questions have these fields only."""
        if "body" in fields:
            return self
        return replace(self, parts=tuple(replace(part, fields="title") for part in self.parts))

    def with_parameters(self, parameters: Mapping[str, Any]) -> EncoderSystem:
        """The same system with other settings: `training.rate`, `search.depth`, `parts.hidden`, …

        A setting of the parts is changed in every part that has it.
        """
        table = self.to_table()
        for name, value in parameters.items():
            section, _, key = name.partition(".")
            if section not in ("parts", "training", "pretraining", "search") or not key:
                raise SettingsError(
                    f"{self.name} has no setting {name!r}: write training.rate, pretraining.epochs, "
                    "search.depth or parts.hidden"
                )
            if section not in table:
                raise SettingsError(
                    f"{self.name} has no {section}, so it has no {name}: choose a system that does, such as "
                    "rcnn-pretrained, or write [pretraining] into a recipe"
                )
            targets = table[section]
            if isinstance(targets, dict):
                targets[key] = like(targets.get(key), value)
            else:
                _set_in_parts(targets, key, value, self.name)
        return read_encoder_system(table, f"system {self.name}")

    def to_table(self) -> dict[str, Any]:
        """As a recipe has it; `read_encoder_system` reads it again."""
        table: dict[str, Any] = {
            "name": self.name,
            "description": self.description,
            "parts": [part.to_table() for part in self.parts],
            "training": asdict(self.training),
            "search": asdict(self.search),
        }
        if self.pretraining is not None:
            table["pretraining"] = asdict(self.pretraining)
        return table


# Settings that a part's table has only if they are set.
_LEFT_OUT: Final = ("words.start",)


def _set_in_parts(parts: list[dict[str, Any]], key: str, value: Any, name: str) -> None:
    section, _, inner = key.partition(".")
    found = False
    for part in parts:
        target, wanted = (part.get(section), inner) if inner else (part, key)
        if isinstance(target, dict) and (wanted in target or key in _LEFT_OUT):
            target[wanted] = like(target.get(wanted), value)
            found = True
    if not found:
        raise SettingsError(f"{name} has no part with a setting {key!r}")


def read_encoder_system(recipe: Mapping[str, Any], where: str) -> EncoderSystem:
    """The system that a recipe describes; an error names the place and the setting."""
    known = ("name", "description", "parts", "training", "pretraining", "search")
    for name in recipe:
        if name not in known:
            raise SettingsError(f"{where}: no setting is named {name!r}; the settings are {', '.join(known)}")
    parts = recipe.get("parts")
    if not isinstance(parts, list) or not parts:
        raise SettingsError(f"{where} has no part: write at least one [[parts]]")
    pretraining = recipe.get("pretraining")
    return EncoderSystem(
        name=system_name(recipe, where),
        description=str(recipe.get("description", "")),
        parts=tuple(read_part(part, f"{where}, part {number}") for number, part in enumerate(parts, 1)),
        training=read_table(TrainingSettings, recipe.get("training", {}), f"{where}, [training]"),
        pretraining=None
        if pretraining is None
        else read_table(PretrainingSettings, pretraining, f"{where}, [pretraining]"),
        search=read_table(SearchSettings, recipe.get("search", {}), f"{where}, [search]"),
    )
