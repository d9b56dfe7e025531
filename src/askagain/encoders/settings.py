"""What decides how a question becomes a vector: the parts of a model, each with its network and its words.

A model has one or more parts. Each gives a vector of its own; the score of two questions is the weighted sum
of the parts' cosines (S15, §3: `s = β1·cos(r_bow) + β2·cos(r_conv)`). Most models have one part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from askagain.analysis import AnalyzerSettings
from askagain.errors import SettingsError
from askagain.tables import check_range, read_table

Pooling = Literal["last", "mean", "max"]
Fields = Literal["average", "joined", "title", "body"]
Unknown = Literal["dropped", "shared", "ngrams"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bow:
    """A weight per word (S15, §3.1): counts times weights. Frozen IDF weights make it the TF-IDF cosine."""

    start: Literal["idf", "ones"] = "idf"
    trained: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cnn:
    """Windows of words, tanh, pooling. Centred windows as in S15, trailing ones as in J16."""

    hidden: int = 400
    width: int = 3
    pooling: Literal["mean", "max"] = "max"
    windows: Literal["centred", "trailing"] = "centred"

    def __post_init__(self) -> None:
        check_range("hidden", self.hidden, 1, 10_000)
        check_range("width", self.width, 1, 20)

    @property
    def before(self) -> int:
        """How many words before its own a window has; the rest comes after it."""
        return self.width - 1 if self.windows == "trailing" else self.width // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Lstm:
    """Long short-term memory, with input, forget and output gate."""

    hidden: int = 240
    pooling: Pooling = "mean"

    def __post_init__(self) -> None:
        check_range("hidden", self.hidden, 1, 10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gru(Lstm):
    """Gated recurrent unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rcnn:
    """The recurrent convolution of J16: n-grams with gaps, whose decay a gate decides word by word."""

    hidden: int = 400
    width: int = 2
    pooling: Pooling = "last"
    gate: Literal["learned", "constant"] = "learned"
    decay: float = 0.5
    combination: Literal["additive", "multiplicative"] = "additive"
    output_gate: bool = False

    def __post_init__(self) -> None:
        check_range("hidden", self.hidden, 1, 10_000)
        check_range("width", self.width, 1, 20)
        check_range("decay", self.decay, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Average:
    """The mean of the words' vectors, which have `hidden` numbers."""

    hidden: int = 256

    def __post_init__(self) -> None:
        check_range("hidden", self.hidden, 1, 10_000)


Network = Average | Cnn | Lstm | Gru | Rcnn
KINDS: Mapping[str, type[Bow | Network]] = {
    "bow": Bow,
    "average": Average,
    "cnn": Cnn,
    "lstm": Lstm,
    "gru": Gru,
    "rcnn": Rcnn,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSettings:
    """The word vectors of a part: how many numbers, how they start, and what becomes of unknown words.

    `files` are vectors to join with those that are trained on the archive's own text (word2vec or GloVe, or
    "shipped" for those of the shipped encoder); with `own` false there are none but those of the files. Own
    ones begin with the vectors of the file `start`, if there is one. Vectors are multiplied by the word's IDF
    if `idf_inputs`, and learn with the rest if `trained`. `bits` 8 keeps a model small.
    """

    dimension: int = 200
    own: bool = True
    files: tuple[str, ...] = ()
    min_count: int = 2
    unknown: Unknown = "dropped"
    idf_inputs: bool = False
    trained: bool = False
    bits: Literal[8, 32] = 32
    start: str = ""

    def __post_init__(self) -> None:
        check_range("dimension", self.dimension, 1, 2_000)
        check_range("min_count", self.min_count, 1, 1_000_000)
        if not (self.own or self.files):
            raise SettingsError("words: with own = false there must be files to take word vectors from")
        if self.start and not self.own:
            raise SettingsError("words: only own vectors can begin with those of a file: set own = true")
        if self.trained and self.unknown == "ngrams":
            raise SettingsError(
                'words: unknown = "ngrams" takes vectors as they were before training: set trained = false'
            )

    def to_table(self) -> dict[str, Any]:
        """As a recipe has it."""
        table = asdict(self)
        if not self.start:
            del table["start"]
        return table


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One vector of a question: which fields, which words of them, through which network.

    `fields`: the average of title's and body's vectors, the vector of both joined, or of one alone.
    `longest` is how many words of a text are read.
    """

    network: Bow | Network
    analyzer: AnalyzerSettings = field(default_factory=AnalyzerSettings)
    fields: Fields = "average"
    longest: int = 100
    words: WordSettings = field(default_factory=WordSettings)

    def __post_init__(self) -> None:
        check_range("longest", self.longest, 1, 1_000_000)

    @property
    def kind(self) -> str:
        """The network's name in a recipe."""
        return next(name for name, kind in KINDS.items() if type(self.network) is kind)

    def to_table(self) -> dict[str, Any]:
        """As a recipe has it."""
        table = {"kind": self.kind, **asdict(self.network), "fields": self.fields, "longest": self.longest}
        words = {} if isinstance(self.network, Bow) else {"words": self.words.to_table()}
        return {**table, "analyzer": self.analyzer.to_dict(), **words}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """The settings of a part that are neither its network's nor its words'."""

    fields: Fields = "average"
    longest: int = 100
    analyzer: AnalyzerSettings = field(default_factory=AnalyzerSettings)


_PART_NAMES = ("kind", "fields", "longest", "analyzer", "words")


def read_part(table: Mapping[str, Any], where: str) -> Part:
    """A part of a recipe: the network's own settings stand beside the part's."""
    if not isinstance(table, Mapping) or table.get("kind") not in list(KINDS):
        raise SettingsError(f"{where}: kind must be one of {', '.join(KINDS)}")
    kind = KINDS[table["kind"]]
    own = {field.name for field in fields(kind)}
    for name in table:
        if name not in own and name not in _PART_NAMES:
            known = ", ".join([*_PART_NAMES, *sorted(own)])
            raise SettingsError(f"{where}: no setting is named {name!r}; the settings are {known}")
    network = read_table(kind, {name: table[name] for name in table if name in own}, where)
    names = [field.name for field in fields(_Reading) if field.name in table]
    reading = read_table(_Reading, {name: table[name] for name in names}, where)
    return Part(
        network=network,
        fields=reading.fields,
        longest=reading.longest,
        analyzer=reading.analyzer,
        words=read_table(WordSettings, table.get("words", {}), f"{where}, words"),
    )
