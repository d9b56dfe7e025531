import pytest

from askagain.errors import SourceError
from askagain.question import Mark, Question, Verdict
from askagain.sources.base import Skipped
from askagain.sources.table import TableSource

CSV = TableSource("csv", ",")
TSV = TableSource("tsv", "\t")


def read(tmp_path, content: str, source=CSV):
    path = tmp_path / f"table.{source.name}"
    path.write_text(content, encoding="utf-8")
    return list(source.records(path))


def test_columns_are_found_by_their_names_in_any_order_and_case(tmp_path):
    content = "Title,votes,ID,tags,Body,created,url,answer\nBoot?,3,7,<boot><usb>,how,2020,u,F12\n"
    assert read(tmp_path, content) == [
        Question(
            id="7", title="Boot?", body="how", tags=("boot", "usb"), created="2020", url="u", answer="F12"
        )
    ]


def test_tsv(tmp_path):
    assert read(tmp_path, "id\ttitle\n1\tBoot, please\n", TSV) == [Question(id="1", title="Boot, please")]


def test_a_table_of_pairs_gives_marks(tmp_path):
    content = "first,second,verdict\n1,2,duplicate\n1,3,not-duplicate\n1,4,\n"
    assert read(tmp_path, content) == [Mark("1", "2"), Mark("1", "3", Verdict.NOT_DUPLICATE), Mark("1", "4")]


def test_a_pair_table_needs_no_verdict_column(tmp_path):
    assert read(tmp_path, "first\tsecond\n1\t2\n", TSV) == [Mark("1", "2")]


def test_rows_without_title_or_id_are_reported_with_their_line(tmp_path):
    good, no_title, no_id = read(tmp_path, "id,title\n1,fine\n2,\n,fine\n")
    assert good == Question(id="1", title="fine")
    assert no_title == Skipped(tmp_path / "table.csv", 3, "question '2' has no title")
    assert no_id == Skipped(tmp_path / "table.csv", 4, "no id")


def test_missing_columns_are_an_error_that_names_those_found(tmp_path):
    with pytest.raises(SourceError, match="but has: 'number, heading';"):
        read(tmp_path, "number,heading\n1,fine\n")


def test_an_error_about_columns_is_one_short_line_whatever_they_are(tmp_path):
    with pytest.raises(SourceError) as error:
        read(tmp_path, '"number\n\x1b[31m",' + "x" * 10_000 + "\n1,fine\n")
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 1000


def test_an_empty_table_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="but has: none;"):
        read(tmp_path, "")


def test_a_table_is_recognised_by_its_header_and_delimiter(tmp_path):
    assert CSV.recognises(tmp_path, b'"Id","Title"\r\n')
    assert not CSV.recognises(tmp_path, b"id\ttitle\n")
    assert TSV.recognises(tmp_path, b"first\tsecond\n1\t2\n")
    assert not TSV.recognises(tmp_path, b"id\tname\n")
    assert not CSV.recognises(tmp_path, b"\x00\xff\r\x00\n")
