"""From a question to its keywords."""

from pathlib import Path
from time import process_time

import numpy as np
import pytest
from handmade_parses import RENEW, ChainParser

from askagain import Question
from askagain.encoders.vectorfiles import load_vectors
from askagain.encoders.wordvectors import WordVectors
from askagain.errors import SettingsError
from askagain.rerank.keywords.keywords import Keywords, ParsedText, extract, parsed, ranked
from askagain.rerank.keywords.parsing import ROOT, Parse, Parser
from askagain.rerank.keywords.settings import KeywordSettings


def chosen(text: str, **settings: float) -> list[str]:
    return extract(text, ChainParser(), settings=KeywordSettings(**settings)).words


@pytest.mark.parametrize(("candidates", "kept"), [(1, 1), (2, 1), (4, 1), (5, 2), (6, 2), (7, 2), (8, 3)])
def test_a_third_of_the_candidates_is_kept(candidates: int, kept: int) -> None:
    assert len(chosen(" ".join(f"w{number}" for number in range(candidates)))) == kept


def test_keywords_stand_in_text_order() -> None:
    title = extract(Question("aa bb cc dd ee", "dd dd dd"), ChainParser()).sub_sentences[0]
    first, second = (word for word in title.words if word.is_keyword)

    assert (first.word, second.word) == ("cc", "dd")
    assert first.score < second.score


def test_each_sub_sentence_gives_its_own() -> None:
    assert chosen("visa visa\ncar\nthe") == ["visa", "car"]


def test_a_word_that_two_sub_sentences_choose_is_there_twice() -> None:
    assert chosen("visa\nvisa") == ["visa", "visa"]


def test_of_two_words_alone_the_one_nearer_to_the_root_is_kept() -> None:
    parse = Parse(("best", "bank"), (1, ROOT))

    assert ranked(ParsedText(("best bank",), (parse,)), None).words == ["bank"]


def test_words_are_as_frequent_as_they_are_in_the_whole_question() -> None:
    """A mass of three, two of it from the body, outweighs the middle of the title."""
    alone = extract("aa bb cc", ChainParser())
    with_body = extract(Question("aa bb cc", "cc cc"), ChainParser())

    assert alone.words == ["bb"]
    assert with_body.sub_sentences[0].graph.weights[1, 2] == 3 * alone.sub_sentences[0].graph.weights[1, 2]


def test_near_vectors_pull_words_up() -> None:
    vectors = WordVectors(("aa", "bb", "cc", "dd"), np.array([[0], [9], [8.9], [20]], dtype=np.float32))

    assert set(extract("aa bb cc dd", ChainParser(), vectors, KeywordSettings(share=0.5)).words) == {
        "bb",
        "cc",
    }


def test_all_candidates_can_be_kept() -> None:
    assert chosen("renew the visa in qatar", share=1.0) == ["renew", "visa", "qatar"]


def test_many_questions_are_one_request_to_the_parser() -> None:
    first, second, third = parsed([Question("aa", "bb"), "", "cc"], ChainParser())

    assert (first.texts, second.texts, third.texts) == (("aa", "bb"), (), ("cc",))
    assert first.frequencies == {"aa": 1, "bb": 1}


def test_scores_have_a_mean_of_one() -> None:
    (part,) = ranked(ParsedText(("renew my visa in qatar",), (RENEW,)), None).sub_sentences

    assert sum(word.score for word in part.words) == pytest.approx(len(part.words))


@pytest.mark.parametrize(
    "settings",
    [{"base": 1.0}, {"base": float("inf")}, {"damping": 1.0}, {"share": 0}, {"share": float("nan")}],
)
def test_settings_out_of_range_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match="keyword setting"):
        KeywordSettings(**settings)


# The real parser, real vectors and hostile texts


@pytest.fixture(scope="module")
def glove(data_dir: Path) -> WordVectors:
    words = ["renew", "residence", "visa", "qatar", "best", "bank", "open", "account", "salary"]
    return load_vectors(data_dir / "vectors" / "glove.100d.txt.gz", only=words)


def test_keywords_of_a_real_question(spacy_parser: Parser, glove: WordVectors) -> None:
    question = Question("How do I renew my residence visa in Qatar?", "Which is the best bank?")

    assert extract(question, spacy_parser, glove).words == ["renew", "residence", "visa", "best", "bank"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "word",
        "the of and",
        "word " * 10_000,
        " ".join(f"w{number}" for number in range(10_000)),
        "ab-cd.ef/" * 1_000,
        "ビザの更新方法を教えてください",
        "как продлить визу",
        "😀🎉 👍🏽",
        "a\u200bb\u200b \u202egnp.exe",
        "<script>alert('x')</script> & <b>bold</b>",
        "\ud800 \x00 \uffff",
    ],
    ids=range(12),
)
def test_every_text_has_finite_scores_in_bounded_time(
    text: str, spacy_parser: Parser, glove: WordVectors
) -> None:
    spacy_parser.parse(["loaded"])
    started = process_time()
    found: Keywords = extract(Question(text, text), spacy_parser, glove)

    assert process_time() - started < 20
    assert all(np.isfinite(word.score) for part in found.sub_sentences for word in part.words)
    assert all(any(word.is_keyword for word in part.words) for part in found.sub_sentences if part.words)


def test_the_share_is_of_all_words_of_a_sub_sentence() -> None:
    """Seven words, punctuation aside, of which three are candidates: a third of seven is two."""
    assert len(chosen("how to renew , the visa in qatar !", share=1 / 3)) == 2
