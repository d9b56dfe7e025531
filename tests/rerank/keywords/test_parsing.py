"""A parse is checked when it is made, and a missing parser says what to install."""

import sys

import pytest

from askagain.errors import MissingExtraError, SettingsError
from askagain.rerank.keywords import linkgrammar_parser
from askagain.rerank.keywords.parsing import Parse, Parser, find_parser


def test_a_parse_knows_its_words_in_lower_case() -> None:
    assert Parse(("Renew", "VISA"), (-1, 0)).forms == ("renew", "visa")


@pytest.mark.parametrize("heads", [(-1,), (-1, 2), (-2, 0), (-1, 0, 0)])
def test_heads_must_be_places_of_words(heads: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="head"):
        Parse(("renew", "visa"), heads)


def test_spacy_is_the_first_choice(spacy_parser: Parser) -> None:
    assert find_parser() == spacy_parser


def test_link_grammar_is_the_second_choice(link_grammar: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)

    assert find_parser() == link_grammar


@pytest.mark.parametrize("name", ["auto", "spacy", "link-grammar"])
def test_without_any_parser_the_error_says_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    monkeypatch.setattr(linkgrammar_parser, "PYTHONS", ("/no/python",))

    with pytest.raises(MissingExtraError, match=r"installed: pip install 'askagain\[features\]'"):
        find_parser(name)


def test_an_unknown_parser_is_refused() -> None:
    with pytest.raises(SettingsError, match="there are auto, spacy, link-grammar"):
        find_parser("stanford")
