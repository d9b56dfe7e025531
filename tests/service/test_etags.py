"""Updates are not lost."""

from dataclasses import replace

import pytest
from starlette.exceptions import HTTPException

from askagain.question import Question
from askagain.service.etags import check_match, etag_of

QUESTION = Question(id="q", title="A question", tags=("a", "b"))


@pytest.mark.parametrize("field", ["title", "body", "created", "url", "answer"])
def test_another_text_has_another_tag(field: str) -> None:
    assert etag_of(replace(QUESTION, **{field: "changed"})) != etag_of(QUESTION)
    assert etag_of(replace(QUESTION)) == etag_of(QUESTION)


@pytest.mark.parametrize("header", [etag_of(QUESTION), "*", f'"other", {etag_of(QUESTION)}'])
def test_the_state_that_was_seen_may_be_changed(header: str) -> None:
    check_match(QUESTION, header)


@pytest.mark.parametrize("header", ['"other"', "", etag_of(QUESTION).strip('"'), f"W/{etag_of(QUESTION)}"])
def test_another_state_may_not(header: str) -> None:
    with pytest.raises(HTTPException) as caught:
        check_match(QUESTION, header)
    assert caught.value.status_code == 412


def test_what_is_not_there_has_no_state() -> None:
    with pytest.raises(HTTPException):
        check_match(None, "*")
    check_match(None, None, "*")


def test_what_is_there_is_not_added_again() -> None:
    with pytest.raises(HTTPException):
        check_match(QUESTION, None, "*")
