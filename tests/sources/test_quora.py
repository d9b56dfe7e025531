import pytest

from askagain.errors import SourceError
from askagain.question import Mark, Question, Verdict
from askagain.sources.base import Skipped
from askagain.sources.quora import QuoraSource

SOURCE = QuoraSource()
HEADER = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n"


def read(tmp_path, rows: str, header=HEADER):
    path = tmp_path / "quora_duplicate_questions.tsv"
    path.write_text(header + rows, encoding="utf-8")
    return list(SOURCE.records(path))


def test_each_question_arrives_once_and_each_pair_is_marked(tmp_path):
    rows = '0\t1\t2\tHow do I cook?\t"What is ""al dente""?"\t0\n1\t1\t3\tHow do I cook?\tHow to cook?\t1\n'
    assert read(tmp_path, rows) == [
        Question(id="1", title="How do I cook?"),
        Question(id="2", title='What is "al dente"?'),
        Mark("1", "2", Verdict.NOT_DUPLICATE),
        Question(id="3", title="How to cook?"),
        Mark("1", "3"),
    ]


def test_an_empty_question_is_reported_and_the_other_one_arrives(tmp_path):
    first, report, second, third, mark = read(tmp_path, "0\t1\t2\tfine\t\t0\n1\t3\t4\ta\tb\t1\n")
    assert [question.id for question in (first, second, third)] == ["1", "3", "4"]
    assert (report.line, report.reason) == (2, "question '2' has no title")
    assert mark == Mark("3", "4")


@pytest.mark.parametrize("bad", ["0\t1\t2\ta\tb\tmaybe\n", "0\t1\t2\ta\n", "0\t1\t1\ta\ta\t1\n"])
def test_a_bad_row_is_reported_and_the_next_one_arrives(tmp_path, bad):
    records = read(tmp_path, bad + "1\t8\t9\ta\tb\t1\n")
    assert [record.line for record in records if isinstance(record, Skipped)] == [2]
    assert records[-1] == Mark("8", "9")


def test_an_unbalanced_quote_costs_nothing_but_itself(tmp_path):
    records = read(tmp_path, '0\t1\t2\t"open\tb\t1\n1\t8\t9\ta\tb\t1\n')
    assert records[0] == Question(id="1", title='"open')
    assert records[-1] == Mark("8", "9")


def test_another_header_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="does not begin with the columns id, qid1"):
        read(tmp_path, "1\t2\n", header="first\tsecond\n")


def test_the_header_is_recognised(tmp_path):
    assert SOURCE.recognises(tmp_path, HEADER.encode())
    assert not SOURCE.recognises(tmp_path, b"id\ttitle\n")
