"""Questions are read once, and remembered in short."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from askagain.analysis import AnalyzerSettings
from askagain.explanations import reader as module
from askagain.explanations.reader import QuestionReader, question_reader
from askagain.question import Question

QUESTION = Question("How do I boot from USB sticks?", "My laptop ignores 2 of them.")


@pytest.fixture
def reader() -> QuestionReader:
    return QuestionReader(AnalyzerSettings())


def many(count: int) -> Iterator[Question]:
    return (Question(f"boot w{number} and w{number % 7}", f"usb w{number % 11}") for number in range(count))


def test_words_are_read_with_their_stems(reader: QuestionReader) -> None:
    reading = reader.read(QUESTION)
    assert reading.title.words == ("how", "do", "i", "boot", "from", "usb", "sticks")
    assert reading.title.stems == ("how", "do", "i", "boot", "from", "usb", "stick")
    assert reading.body.words == ("my", "laptop", "ignores", "2", "of", "them")


def test_function_words_are_not_telling(reader: QuestionReader) -> None:
    title = reader.read(QUESTION).title
    assert [title.words[place] for place in title.telling] == ["boot", "usb", "sticks"]


def test_stop_words_and_pairs_of_an_index_do_not_matter() -> None:
    settings = AnalyzerSettings(stop_words="english", ngrams=2)
    assert QuestionReader(settings).read(QUESTION).title.words[:3] == ("how", "do", "i")


def test_title_and_body_are_not_taken_for_each_other(reader: QuestionReader) -> None:
    first, second = reader.read(Question("usb", "stick")), reader.read(Question("usb stick"))
    assert (first.title.words, first.body.words) == (("usb",), ("stick",))
    assert (second.title.words, second.body.words) == (("usb", "stick"), ())


@pytest.mark.parametrize(
    "question", [Question(""), Question("", "usb"), Question("usb"), Question("\ud800 usb")]
)
def test_a_question_is_read_again_as_the_first_time(reader: QuestionReader, question: Question) -> None:
    first = reader.read(question)
    list(map(reader.read, many(20)))
    assert reader.read(question) == first


def test_of_gigantic_posts_the_beginning_is_read(reader: QuestionReader) -> None:
    reading = reader.read(Question("usb " * 3000, "boot " * 100_000))
    assert (len(reading.title.words), len(reading.body.words)) == (500, 500)


def test_a_full_memory_changes_nothing(reader: QuestionReader, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [QuestionReader(AnalyzerSettings()).read(question) for question in many(60)]
    monkeypatch.setattr(module, "_MOST_BYTES", 5_000)
    assert [reader.read(question) for question in many(60)] == expected


def test_what_is_remembered_is_limited(reader: QuestionReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_BYTES", 50_000)
    most = 0
    for question in many(1000):
        memory, _ = reader.places([question])
        most = max(most, len(memory.places))
    assert 10 < most < 200


def test_threads_may_read_at_once(reader: QuestionReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_BYTES", 200_000)
    questions = list(many(600))
    expected = [QuestionReader(AnalyzerSettings()).read(question) for question in questions]

    def read_all(start: int) -> bool:
        order = [(start + 37 * step) % len(questions) for step in range(len(questions))]
        return all(reader.read(questions[place]) == expected[place] for place in order)

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(read_all, range(8)))


def test_there_is_one_reader_for_the_same_settings() -> None:
    assert question_reader(AnalyzerSettings()) is question_reader(AnalyzerSettings())
    assert question_reader(AnalyzerSettings()) is not question_reader(AnalyzerSettings(stemmer="none"))
