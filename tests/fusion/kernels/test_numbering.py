"""The words of many questions under common numbers."""

from hypothesis import given
from hypothesis import strategies as st
from reading_of_words import read

from askagain.analysis import AnalyzerSettings
from askagain.explanations.reader import QuestionReader
from askagain.fusion.kernels.numbering import Stems, Titles, numbered
from askagain.question import Question

ASKED = Question("booting usb sticks", "my usb 3.0 stick")
FOUND = [Question("boot boot 12.04"), Question("", "usb"), Question("")]


def stems_of(stems: Stems, question: int) -> tuple[list[str], list[str]]:
    """Those of the title, and those of the body."""
    start, middle, end = stems.starts[2 * question : 2 * question + 3].tolist()
    texts = [stems.texts[number] for number in stems.numbers.tolist()]
    return texts[start:middle], texts[middle:end]


def title_of(titles: Titles, title: int) -> list[str]:
    start, end = titles.starts[title : title + 2].tolist()
    return [titles.texts[number] for number in titles.numbers[start:end].tolist()]


def test_every_question_keeps_its_stems_in_their_order() -> None:
    stems, _ = numbered(QuestionReader(AnalyzerSettings()), [ASKED, *FOUND])
    assert [stems_of(stems, question) for question in range(4)] == [
        (["boot", "usb", "stick"], ["my", "usb", "3.0", "stick"]),
        (["boot", "boot", "12.04"], []),
        ([], ["usb"]),
        ([], []),
    ]


def test_every_title_keeps_its_words_as_they_are_written() -> None:
    _, titles = numbered(QuestionReader(AnalyzerSettings()), [ASKED, *FOUND])
    assert [title_of(titles, title) for title in range(4)] == [
        ["booting", "usb", "sticks"],
        ["boot", "boot", "12.04"],
        [],
        [],
    ]


def test_words_stand_beside_their_stems() -> None:
    stems, titles = numbered(QuestionReader(AnalyzerSettings()), [ASKED, Question("sticky boots")])
    beside = {word: stems.texts[stem] for word, stem in zip(titles.texts, titles.stems, strict=True)}
    assert beside == {"booting": "boot", "usb": "usb", "sticks": "stick", "sticky": "sticki", "boots": "boot"}


def test_stems_with_a_digit_are_known() -> None:
    stems, _ = read(ASKED, *FOUND, Question("wi-fi h264"))
    known = dict(zip(stems.texts, stems.has_digit.tolist(), strict=True))
    assert {text for text, has_digit in known.items() if has_digit} == {"3.0", "12.04", "h264"}


def test_no_number_is_without_use() -> None:
    stems, titles = read(ASKED, *FOUND)
    assert sorted(set(stems.numbers.tolist())) == list(range(len(stems.texts)))
    assert sorted(set(titles.numbers.tolist())) == list(range(len(titles.texts)))


def test_of_gigantic_posts_the_beginning_counts() -> None:
    stems, titles = read(Question("boot " * 700, "usb " * 700), Question("boot " * 700, "usb " * 700))
    title, body = stems_of(stems, 1)
    assert (len(title), len(body)) == (500, 150)
    assert len(title_of(titles, 0)) == len(title_of(titles, 1)) == 40


TEXTS = st.lists(st.sampled_from(["usb", "boot", "cd", "8.1", "stick"]), max_size=6).map(" ".join)
QUESTIONS = st.builds(Question, TEXTS, TEXTS)


@given(QUESTIONS, st.lists(QUESTIONS, max_size=5))
def test_whatever_was_read_before_the_words_are_those_of_the_questions(
    asked: Question, found: list[Question]
) -> None:
    stems, titles = read(asked, *found)
    assert [stems_of(stems, number) for number in range(1 + len(found))] == [
        (question.title.split(), question.body.split()) for question in [asked, *found]
    ]
    assert [title_of(titles, title) for title in range(1 + len(found))] == [
        question.title.split() for question in [asked, *found]
    ]
