"""The real spaCy and its model."""

import pickle
import time
from pathlib import Path

import pytest

from askagain.rerank.keywords.parsing import ROOT, Parser
from askagain.rerank.keywords.subsentences import sub_sentences
from askagain.sources.semeval import read_jsonl_lists


def test_words_depend_on_the_verb(spacy_parser: Parser) -> None:
    (parse,) = spacy_parser.parse(["She renewed her visa in Qatar."])

    assert parse.words == ("She", "renewed", "her", "visa", "in", "Qatar", ".")
    assert parse.heads == (1, ROOT, 3, 1, 1, 4, 1)


def test_a_sub_sentence_has_one_tree_even_if_it_looks_like_two_sentences(spacy_parser: Parser) -> None:
    (parse,) = spacy_parser.parse(["I need a visa . Who can help me ? Thanks"])

    assert parse.heads.count(ROOT) == 1


def test_parses_come_in_the_order_of_the_texts(spacy_parser: Parser) -> None:
    texts = [f"visa number {number}" for number in range(600)]

    assert [parse.words[-1] for parse in spacy_parser.parse(texts)] == [str(n) for n in range(600)]


@pytest.mark.parametrize("text", ["", " ", "😀😀", "!?!?" * 100, "字" * 400, "a-b" * 130, "\u0600\u202e x"])
def test_strange_texts_have_a_parse(spacy_parser: Parser, text: str) -> None:
    (parse,) = spacy_parser.parse([text])

    assert "".join(parse.words).split() == "".join(text.split()).split()


def test_a_parser_can_be_sent_to_another_process_before_its_model_is_loaded(spacy_parser: Parser) -> None:
    assert len(pickle.dumps(spacy_parser)) < 1000


def test_250_sub_sentences_are_parsed_per_second_and_core(spacy_parser: Parser, data_dir: Path) -> None:
    lists = read_jsonl_lists(data_dir / "semeval" / "dev.jsonl.gz")
    texts = [text for one in lists for entry in one.candidates for text in sub_sentences(entry.question)]
    spacy_parser.parse(texts[:10])

    started = time.process_time()
    spacy_parser.parse(texts[:1000])

    assert 1000 / (time.process_time() - started) > 250
