import pytest

from askagain.question import Mark, Verdict
from askagain.sources.base import Skipped
from askagain.sources.pairs import PairsSource


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("duplicates.tsv", Verdict.DUPLICATE),
        ("duplicates.train.tsv", Verdict.DUPLICATE),
        ("pairs.tsv", Verdict.DUPLICATE),
        ("non_duplicates.tsv", Verdict.NOT_DUPLICATE),
        ("cooking.non_duplicates.tsv", Verdict.NOT_DUPLICATE),
    ],
)
def test_the_name_of_the_file_decides_the_verdict(tmp_path, name, verdict):
    path = tmp_path / name
    path.write_text("a1\ta2\n")
    assert list(PairsSource().records(path)) == [Mark("a1", "a2", verdict)]


def test_bad_lines_are_reported(tmp_path):
    path = tmp_path / "duplicates.tsv"
    path.write_text("a1\ta2\nalone\na\tb\tc\na1\ta1\na1\t\n\na3\ta4\n")
    records = list(PairsSource().records(path))
    assert [record.line for record in records if isinstance(record, Skipped)] == [2, 3, 4, 5]
    assert records[0] == Mark("a1", "a2")
    assert records[-1] == Mark("a3", "a4")


def test_pairs_are_recognised_by_content_and_an_empty_file_by_its_name(tmp_path):
    source = PairsSource()
    assert source.recognises(tmp_path / "x.txt", b"a1\ta2\na3\ta4\n")
    assert source.recognises(tmp_path / "duplicates.tsv", b"")
    assert not source.recognises(tmp_path / "other.tsv", b"")
    assert not source.recognises(tmp_path / "x.tsv", b"number\theading\n1\tBoot from USB\n2\tWiFi is slow\n")


def test_all_pairs_of_a_real_set_arrive(data_dir):
    assert len(list(PairsSource().records(data_dir / "cooking" / "duplicates.tsv"))) == 136
    assert list(PairsSource().records(data_dir / "robotics" / "duplicates.tsv")) == []
