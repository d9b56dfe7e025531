"""What the measures read of a question."""

from pathlib import Path

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.evaluation import benchmarks
from askagain.question import Question
from askagain.rerank.features.texts import MOST_CHARACTERS, MOST_WORDS, prepare


def test_title_body_and_both_are_apart() -> None:
    prepared = prepare(Question("Two mice", "They run."))

    assert prepared.title.words == ("two", "mice")
    assert prepared.body.words == ("they", "run")
    assert prepared.both.words == ("two", "mice", "they", "run")


def test_a_text_has_words_lemmas_terms_and_characters() -> None:
    title = prepare(Question("Are the <b>mice</b> running, or not?")).title

    assert title.words == ("are", "the", "mice", "running", "or", "not")
    assert title.lemmas == ("be", "the", "mouse", "run", "or", "not")
    assert title.terms == ("mice", "run", "not")
    assert title.text == "are the mice running or not"


def test_what_a_csv_file_did_to_a_text_does_not_matter() -> None:
    spoiled = prepare(Question('"Hi; which ""best"" visa', 'one; two"'))
    whole = prepare(Question('Hi, which "best" visa', "one, two"))

    assert spoiled.both.words == whole.both.words


def test_long_texts_are_cut() -> None:
    prepared = prepare(Question("a", "word " * 10 * MOST_WORDS))

    assert len(prepared.body.words) == len(prepared.both.words) == MOST_WORDS


def test_long_words_are_cut() -> None:
    body = prepare(Question("a", f"{'x' * 60} " * MOST_WORDS)).body

    assert len(body.text) == MOST_CHARACTERS


def test_a_question_without_words_has_none() -> None:
    prepared = prepare(Question("\u200b", "😀 !? <br>"))

    assert [len(prose.words) for prose in (prepared.title, prepared.body, prepared.both)] == [0, 0, 0]


def test_the_same_question_is_prepared_once() -> None:
    assert prepare(Question("Title", "Body", id="1")) is prepare(Question("Title", "Body", id="2"))


def test_terms_are_those_of_the_analyzer(data_dir: Path) -> None:
    analyzer = Analyzer(AnalyzerSettings(stop_words="english"))
    lists = benchmarks.load(data_dir / "semeval", "dev").lists
    bodies = [entry.question for list_ in lists for entry in list_.candidates][:200]

    assert bodies
    for question in bodies:
        assert list(prepare(question).body.terms) == analyzer.terms(question.body)
