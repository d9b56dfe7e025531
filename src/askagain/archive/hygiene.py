"""What text may enter the archive: SQLite stores neither lone surrogates nor NUL characters faithfully."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime

from askagain.errors import ArchiveError
from askagain.question import Feedback, Mark, Question

MAX_ID_CHARACTERS = 512
MAX_KEY_NAME_CHARACTERS = 100
MAX_QUESTION_CHARACTERS = 5_000_000

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def length(question: Question) -> int:
    """The characters of all fields together."""
    return (
        len(question.title)
        + len(question.body)
        + len(question.answer)
        + len(question.created)
        + len(question.url)
        + sum(map(len, question.tags))
    )


def clean_question(question: Question) -> Question:
    """The question as it can be stored; an ArchiveError if its id is unusable or it is too large."""
    check_id(question.id)
    if length(question) > MAX_QUESTION_CHARACTERS:
        raise ArchiveError(
            f"question {question.id!r} has {length(question)} characters, "
            f"more than the {MAX_QUESTION_CHARACTERS} allowed: shorten it"
        )
    if _is_storable(question):
        return question
    return replace(
        question,
        title=clean_text(question.title),
        body=clean_text(question.body),
        tags=tuple(map(clean_text, question.tags)),
        created=clean_text(question.created),
        url=clean_text(question.url),
        answer=clean_text(question.answer),
    )


def clean_mark(mark: Mark) -> Mark:
    """The mark as it can be stored; an ArchiveError if its ids are unusable or the same."""
    check_id(mark.first)
    check_id(mark.second)
    if mark.first == mark.second:
        raise ArchiveError(f"question {mark.first!r} is marked with itself: a mark needs two questions")
    return replace(mark, who=clean_text(mark.who), when=clean_text(mark.when))


def clean_feedback(feedback: Feedback) -> Feedback:
    """The feedback as it can be stored; an ArchiveError if its id is unusable or it is too large."""
    check_id(feedback.found)
    characters = len(feedback.title) + len(feedback.body)
    if characters > MAX_QUESTION_CHARACTERS:
        raise ArchiveError(
            f"the feedback on {feedback.found!r} has {characters} characters, "
            f"more than the {MAX_QUESTION_CHARACTERS} allowed: shorten it"
        )
    return replace(
        feedback,
        title=clean_text(feedback.title),
        body=clean_text(feedback.body),
        who=clean_text(feedback.who),
        when=clean_text(feedback.when),
    )


def check_key_name(name: str) -> None:
    """An ArchiveError unless the name is one to 100 printable characters, and not only blanks."""
    if not name.strip():
        raise ArchiveError(f"the name {name!r} is empty: name the key after who uses it")
    if len(name) > MAX_KEY_NAME_CHARACTERS:
        raise ArchiveError(
            f"the name {name[:40]!r}... has {len(name)} characters, "
            f"more than the {MAX_KEY_NAME_CHARACTERS} allowed: shorten it"
        )
    if not name.isprintable():
        raise ArchiveError(f"the name {name!r} contains characters that cannot be printed: remove them")


def clean_time(time: str) -> str:
    """A time as the archive writes it, in UTC, which it is taken for if it names no zone; empty stays so."""
    if not time:
        return ""
    try:
        parsed = datetime.fromisoformat(time)
        zoned = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        return zoned.astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError) as error:
        raise ArchiveError(f"{time[:40]!r} is not a time: write it like 2030-01-31T12:00:00+00:00") from error


def clean_text(text: str) -> str:
    """The text without NUL characters, and with U+FFFD for each lone surrogate."""
    return _LONE_SURROGATE.sub("\ufffd", text.replace("\0", ""))


def check_id(id: str) -> None:
    """An ArchiveError unless the id is one to 512 characters without control characters."""
    if not id.strip():
        raise ArchiveError(f"the id {id!r} is empty: every question needs one")
    if len(id) > MAX_ID_CHARACTERS:
        raise ArchiveError(
            f"the id {id[:40]!r}... has {len(id)} characters, more than the {MAX_ID_CHARACTERS} allowed"
        )
    if not is_possible_id(id):
        raise ArchiveError(f"the id {id!r} contains control characters or broken text: remove them")


def is_possible_id(id: str) -> bool:
    """Whether all characters of the id may stand in one; lookups of other ids find nothing."""
    return id.isprintable() or not any(unicodedata.category(character) in ("Cc", "Cs") for character in id)


def _is_storable(question: Question) -> bool:
    texts = (question.title, question.body, question.created, question.url, question.answer, *question.tags)
    return all("\0" not in text and (text.isascii() or not _LONE_SURROGATE.search(text)) for text in texts)
