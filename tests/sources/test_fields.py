import pytest

from askagain.question import Mark, Question, Verdict
from askagain.sources.fields import checked_mark, checked_question, parsed_verdict, shown, split_tags
from askagain.sources.rows import RowError


@pytest.mark.parametrize(
    "text", ["<boot><usb-drive>", "|boot|usb-drive|", "boot,usb-drive", "boot; usb-drive", "boot|usb-drive"]
)
def test_tags_are_split_in_every_layout(text):
    assert split_tags(text) == ("boot", "usb-drive")


def test_no_tags():
    assert split_tags("") == ()


@pytest.mark.parametrize("question", [Question(id="", title="t"), Question(id="1", title=" \n")])
def test_a_question_needs_an_id_and_a_title(question):
    with pytest.raises(RowError, match=r"no id|no title"):
        checked_question(question)


@pytest.mark.parametrize("mark", [Mark("", "2"), Mark("1", ""), Mark("1", "1")])
def test_a_mark_needs_two_different_ids(mark):
    with pytest.raises(RowError, match=r"two ids|itself"):
        checked_mark(mark)


def test_a_verdict_is_read_by_its_name():
    assert parsed_verdict("") is Verdict.DUPLICATE
    assert parsed_verdict("Not-Duplicate") is Verdict.NOT_DUPLICATE
    with pytest.raises(RowError, match="'maybe'"):
        parsed_verdict("maybe")


def test_foreign_values_are_short_and_harmless_in_messages():
    assert shown("\x1b[31mred") == r"'\x1b[31mred'"
    assert len(shown("x" * 10**6)) < 100
    assert shown([[[]]]) == "a list"
    assert shown(1.5) == "1.5"
