import pytest

from askagain.archive import Archive
from askagain.archive.hygiene import MAX_QUESTION_CHARACTERS
from askagain.errors import ArchiveError
from askagain.question import Mark, Question


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("a\0b", "ab"),
        ("a\ud83db", "a\ufffdb"),
        ("\udcff", "\ufffd"),
        ("zero\u200bwidth \U0001f600 <script>", "zero\u200bwidth \U0001f600 <script>"),
    ],
)
def test_only_what_sqlite_cannot_store_is_replaced(archive: Archive, given: str, stored: str) -> None:
    archive.add(
        Question(id="q", title=given, body=given, tags=(given,), created=given, url=given, answer=given)
    )
    assert archive.get("q") == Question(
        id="q", title=stored, body=stored, tags=(stored,), created=stored, url=stored, answer=stored
    )


def test_a_question_that_had_to_be_cleaned_is_unchanged_the_second_time(archive: Archive) -> None:
    dirty = Question(id="q", title="a\0b\ud800")
    assert [archive.put(dirty), archive.put(dirty)] == [True, False]


@pytest.mark.parametrize("id", ["12", "a b", "größe", "https://forum.example/q?a=1", "\u200b", "x" * 512])
def test_ids_of_many_kinds_are_accepted(archive: Archive, id: str) -> None:
    archive.add(Question(id=id, title="t"))
    assert id in archive


@pytest.mark.parametrize(
    ("id", "complaint"),
    [
        ("   ", "is empty"),
        ("x" * 513, "has 513 characters, more than the 512"),
        ("a\nb", "control characters"),
        ("a\0", "control characters"),
        ("a\ud800", "broken text"),
    ],
)
def test_an_unusable_id_is_refused(archive: Archive, id: str, complaint: str) -> None:
    with pytest.raises(ArchiveError, match=complaint):
        archive.put(Question(id=id, title="t"))
    with pytest.raises(ArchiveError, match=complaint):
        archive.mark(Mark("other", id))
    assert len(archive) == 0


def test_a_gigantic_question_is_refused_with_both_numbers(archive: Archive) -> None:
    question = Question(id="huge", title="t", body="x" * MAX_QUESTION_CHARACTERS)
    with pytest.raises(ArchiveError, match="'huge' has 5000001 characters, more than the 5000000"):
        archive.put(question)


def test_the_largest_question_allowed_is_stored(archive: Archive) -> None:
    archive.put(Question(id="large", title="", body="x" * MAX_QUESTION_CHARACTERS))
    assert "large" in archive


def test_the_text_of_a_mark_is_cleaned_too(archive: Archive) -> None:
    archive.put_many([Question(id="a", title="t"), Question(id="b", title="t")])
    archive.mark(Mark("a", "b", who="ann\0\ud800", when="2020"))
    assert next(archive.marks()).who == "ann\ufffd"
