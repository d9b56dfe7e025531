"""Replies into results."""

import json

import pytest

from askagain.client import UnexpectedReplyError
from askagain.client.replies import redirects, result, stored, total, written
from askagain.client.results import BulkCounts, Received, Redirect, Rejected, Written
from askagain.client.transport import Reply


def _reply(value: object, **headers: str) -> Reply:
    return Reply(200, headers, json.dumps(value).encode())


def test_a_written_question_has_the_etag_of_its_new_state() -> None:
    reply = _reply({"id": "1", "sequence": 3, "changed": True}, etag='"abc"')

    assert written(reply) == Written("1", 3, True, '"abc"')


def test_a_question_without_an_etag_is_not_the_services() -> None:
    question = {"id": "1", "title": "", "body": "", "tags": [], "created": "", "url": "", "answer": ""}

    with pytest.raises(UnexpectedReplyError, match=r"Stored\.etag"):
        stored(_reply(question))


@pytest.mark.parametrize("body", [b"", b"<html>Welcome</html>", b"\xff\xfe", b"[1]"])
def test_another_programs_reply_is_an_error_that_doubts_the_address(body: bytes) -> None:
    with pytest.raises(UnexpectedReplyError, match=r"check .*address"):
        result(Received, Reply(200, {}, body))


def test_rejected_lines_are_counted_over_all_batches() -> None:
    first = BulkCounts(added=1, rejected=(Rejected(2, "bad"),), sequence=5)
    second = BulkCounts(changed=1, rejected=(Rejected(1, "worse"),), sequence=6)

    assert total(first, second, lines=2) == BulkCounts(
        added=1, changed=1, rejected=(Rejected(2, "bad"), Rejected(3, "worse")), sequence=6
    )


def test_the_apostrophes_that_keep_formulas_from_running_are_taken_away() -> None:
    text = "from_id,to_id,from_url,to_url\r\n'-5,''5,,\r\n"

    assert redirects(Reply(200, {}, text.encode())) == [Redirect("-5", "'5", "", "")]


def test_redirects_are_read_from_csv_with_quotes() -> None:
    text = 'from_id,to_id,from_url,to_url\r\n"a,""b""",c,https://x.test/a,\r\n'

    assert redirects(Reply(200, {}, text.encode())) == [Redirect('a,"b"', "c", "https://x.test/a", "")]
