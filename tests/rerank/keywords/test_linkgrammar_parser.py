"""The real link-grammar, in a process of its own."""

from pathlib import Path

import pytest

from askagain.rerank.keywords.linkgrammar_parser import LinkGrammarParser
from askagain.rerank.keywords.parsing import ROOT, Parser


def test_words_are_linked_over_the_verb(link_grammar: Parser) -> None:
    (parse,) = link_grammar.parse(["She renewed her visa in Qatar."])

    assert parse.forms == ("she", "renewed", "her", "visa", "in", "qatar", ".")
    assert parse.heads[parse.words.index("visa")] == parse.words.index("renewed")
    assert parse.heads[parse.words.index("her")] == parse.words.index("visa")


def test_words_come_back_without_the_librarys_marks(link_grammar: Parser) -> None:
    (parse,) = link_grammar.parse(["i dont knw wat node.js dooo"])

    assert parse.words == ("i", "dont", "knw", "wat", "node.js", "dooo")


def test_a_long_text_is_parsed_in_pieces_whose_words_stay_in_order(link_grammar: Parser) -> None:
    text = " ".join(["she renewed her visa"] * 12)
    (parse,) = link_grammar.parse([text])

    assert parse.forms == tuple(text.split())
    assert parse.heads.count(ROOT) > 1
    assert max(parse.heads) > 40


def test_every_word_has_a_path_to_a_root(link_grammar: Parser) -> None:
    (parse,) = link_grammar.parse(["How can I renew my visa in Qatar, please?"])

    for place in range(len(parse.words)):
        for _ in parse.words:
            place = parse.heads[place] if place != ROOT else ROOT
        assert place == ROOT


@pytest.mark.parametrize(
    "text", ["", " ", "😀😀", "!?!?" * 100, "字" * 400, "[x] ]y[ \\", "\x00 z", "w " * 60]
)
def test_strange_texts_have_a_parse_and_do_not_disturb_their_neighbours(
    link_grammar: Parser, text: str
) -> None:
    before, strange, after = link_grammar.parse(["a good visa", text, "a new visa"])

    assert before.words == ("a", "good", "visa")
    assert after.words == ("a", "new", "visa")
    assert len(strange.words) == len(strange.heads)


def test_a_text_at_which_the_library_ends_its_process_is_left_unparsed(tmp_path: Path) -> None:
    (python := tmp_path / "python").write_text(
        '#!/bin/sh\nread -r text && [ "$text" = \'"bad text"\' ] && kill -ILL $$\n'
        "echo 'Debug: remarks'\necho '[[\"fine.n\", \"word\"], [[-1, 1], [0, 1]]]'\n"
    )
    python.chmod(0o700)

    first, bad, last = LinkGrammarParser("0", str(python)).parse(["fine word", "bad text", "fine word"])

    assert first.words == last.words == ("fine", "word")
    assert first.heads == last.heads == (1, ROOT)
    assert (bad.words, bad.heads) == (("bad", "text"), (ROOT, ROOT))
