import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain.question import Mark, Question, Verdict
from askagain.sources.base import Skipped
from askagain.sources.jsonl import JsonlSource, dump_record


def read(tmp_path, content: str | bytes):
    path = tmp_path / "questions.jsonl"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(JsonlSource().records(path))


def test_a_question_with_all_its_fields(tmp_path):
    row = {
        "id": "7",
        "title": "Boot from USB?",
        "body": "<p>how</p>",
        "tags": ["boot", "usb"],
        "created": "2020-01-02",
        "url": "https://example.org/7",
        "answer": "Press F12.",
    }
    assert read(tmp_path, json.dumps(row)) == [
        Question(
            id="7",
            title="Boot from USB?",
            body="<p>how</p>",
            tags=("boot", "usb"),
            created="2020-01-02",
            url="https://example.org/7",
            answer="Press F12.",
        )
    ]


def test_ids_may_be_numbers_and_optional_fields_null(tmp_path):
    assert read(tmp_path, '{"id": 7, "title": "t", "body": null, "tags": null}\n') == [
        Question(id="7", title="t")
    ]


def test_marks_stand_in_the_same_file(tmp_path):
    plain = '{"first": 1, "second": "2"}\n'
    full = '{"first": "1", "second": "3", "verdict": "not-duplicate", "who": "ann"}\n'
    assert read(tmp_path, plain + full) == [Mark("1", "2"), Mark("1", "3", Verdict.NOT_DUPLICATE, who="ann")]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('{"title": "t"}', "no id"),
        ('{"id": "1"}', "question '1' has no title"),
        ('{"id": "1", "title": "  "}', "question '1' has no title"),
        ('{"id": "1", "title": 5}', "'title' is not text but 5"),
        ('{"id": 1.5, "title": "t"}', "'id' is not text but 1.5"),
        ('{"id": true, "title": "t"}', "'id' is not text but True"),
        ('{"id": "1", "title": "t", "tags": "a,b"}', "'tags' is not a list but 'a,b'"),
        ('{"id": "1", "title": "t", "tags": [1]}', "'tags' is not text but 1"),
        ('{"id": "1", "title": "t", "body": {}}', "'body' is not text but a dict"),
        ('{"id": "1", "title": NaN}', "not JSON: NaN is no JSON value"),
        ('{"id": "1", "title": "\\ud800"}', "'title' has half of a surrogate pair"),
        ('{"id": "1", "title": "t"', "not JSON"),
        ('["id"]', "not a JSON object but a list"),
        ("[" * 200_000, "nested too deeply"),
        ('{"id": ' + "9" * 10_000 + ', "title": "t"}', "not JSON"),
        ('{"first": "1", "second": "1"}', "itself"),
        ('{"first": "1", "second": "2", "verdict": "perhaps"}', "verdict is 'perhaps'"),
    ],
)
def test_a_bad_row_is_reported_and_its_neighbours_arrive(tmp_path, row, reason):
    good = '{"id": "%d", "title": "good"}\n'
    first, bad, last = read(tmp_path, good % 1 + row + "\n" + good % 3)
    assert (first.id, last.id) == ("1", "3")
    assert isinstance(bad, Skipped)
    assert bad.line == 2
    assert reason in bad.reason
    assert len(bad.reason) < 200


def test_blank_lines_are_no_rows(tmp_path):
    assert len(read(tmp_path, '\n{"id": "1", "title": "t"}\n\n')) == 1


def test_the_head_of_a_question_or_mark_file_is_recognised(tmp_path):
    source = JsonlSource()
    assert source.recognises(tmp_path, b'{"id": "1", "body": "' + b"x" * 70_000)
    assert source.recognises(tmp_path, b'{"first": "1", "second": "2"}')
    assert not source.recognises(tmp_path, b'{"name": "package"}')
    assert not source.recognises(tmp_path, b"id,title\n")


ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
texts = st.text(st.characters(exclude_categories=["Cs"]))
questions = st.builds(
    Question,
    id=ids,
    title=ids.filter(str.strip),
    body=texts,
    tags=st.lists(texts).map(tuple),
    created=texts,
    url=texts,
    answer=texts,
)
marks = st.builds(Mark, ids, ids, st.sampled_from(Verdict), texts, texts).filter(
    lambda m: m.first != m.second
)


@given(records=st.lists(questions | marks))
def test_what_is_written_is_read_again(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("dump") / "all.jsonl.gz"
    path.write_bytes(gzip.compress("".join(dump_record(record) + "\n" for record in records).encode()))
    assert list(JsonlSource().records(path)) == records


def test_empty_fields_are_not_written():
    assert dump_record(Question(id="1", title="t")) == '{"title": "t", "id": "1"}'
    assert dump_record(Mark("1", "2")) == '{"first": "1", "second": "2", "verdict": "duplicate"}'


def test_all_questions_of_a_real_set_arrive(data_dir):
    records = list(JsonlSource().records(data_dir / "english" / "questions.jsonl.gz"))
    assert len(records) == 1331
    assert all(isinstance(record, Question) and record.body for record in records)
