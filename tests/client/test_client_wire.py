"""What goes over the wire: ids that may hold anything, JSON, and batches of lines."""

import json
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain.archive.hygiene import clean_text
from askagain.client import Deletion, InvalidRequestError
from askagain.client.wire import (
    MOST_BYTES,
    MOST_LINES,
    id_path,
    json_bytes,
    line_batches,
    question_json,
    question_text,
    with_query,
)
from askagain.question import Question

PREFIX = "/v1/questions/"


@given(st.text(min_size=1, alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_id_is_one_step_of_a_path_and_comes_back(id: str) -> None:
    encoded = id_path(id).removeprefix(PREFIX)

    assert unquote(encoded) == id
    assert not set("/.?#& +") & set(encoded)


@pytest.mark.parametrize(("id", "said"), [("", "empty"), ("a\ud800", "broken character")])
def test_an_id_that_no_path_can_name_is_refused(id: str, said: str) -> None:
    with pytest.raises(InvalidRequestError, match=said):
        id_path(id)


def test_parameters_are_encoded_and_those_without_a_value_left_out() -> None:
    target = with_query("/v1/marks", {"first": "a&b=c", "second": "é/?", "after": None})

    assert target == "/v1/marks?first=a%26b%3Dc&second=%C3%A9%2F%3F"


def test_without_parameters_there_is_no_question_mark() -> None:
    assert with_query("/v1/groups", {"after": None}) == "/v1/groups"


def test_a_question_without_an_id_names_none() -> None:
    assert "id" not in question_json(Question("Which id?"))
    assert question_json(Question("Which id?", id="7"))["id"] == "7"


@given(st.text())
def test_any_text_becomes_json_in_utf8(text: str) -> None:
    sent = json_bytes(question_text(Question(title=text, body=text, tags=(text,))))

    read = json.loads(sent.decode("utf-8"))
    assert read["title"] == read["body"] == read["tags"][0] == clean_text(text)


def test_a_broken_id_is_not_mended_into_another_one() -> None:
    assert json_bytes({"delete": "a\ud800"}) == b'{"delete":"a\\ud800"}'


def test_lines_hold_one_change_each_in_order() -> None:
    changes = [Question("First\nline", id="1"), Deletion("2")]

    (batch,) = line_batches(changes)

    assert [json.loads(line).get("delete") for line in batch] == [None, "2"]
    assert all(line.count(b"\n") == 1 and line.endswith(b"\n") for line in batch)


def test_batches_are_bounded_in_lines() -> None:
    changes = (Deletion(str(number)) for number in range(2 * MOST_LINES + 1))

    assert [len(batch) for batch in line_batches(changes)] == [MOST_LINES, MOST_LINES, 1]


def test_batches_are_bounded_in_bytes_but_a_large_question_goes_alone() -> None:
    large = Question("large", id="1", body="x" * MOST_BYTES)

    assert [len(batch) for batch in line_batches([Deletion("0"), large, Deletion("2")])] == [1, 1, 1]


def test_nothing_is_taken_from_the_source_before_it_is_needed() -> None:
    taken = []

    def changes() -> object:
        for number in range(10 * MOST_LINES):
            taken.append(number)
            yield Deletion(str(number))

    next(line_batches(changes()))  # type: ignore[arg-type]

    assert len(taken) == MOST_LINES + 1
