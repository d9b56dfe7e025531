import gzip

import pytest

from askagain.errors import SettingsError, SourceError
from askagain.sources.detect import SOURCES, detect, source_named

CONTENTS = {
    "stackexchange": b'<?xml version="1.0" encoding="utf-8"?>\n<posts>\n</posts>\n',
    "semeval": b'<xml><OrgQuestion ORGQ_ID="Q1">',
    "jsonl": b'{"id": "1", "title": "t"}\n',
    "csv": b"id,title\n1,t\n",
    "tsv": b"id\ttitle\n1\tt\n",
    "pairs": b"a1\ta2\n",
    "askubuntu-lei": b"12\thow to boot ?\ti have a stick\n",
    "quora": b"id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n",
}


@pytest.mark.parametrize("name", CONTENTS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda content: b"\xef\xbb\xbf" + content])
def test_a_format_is_found_by_content_whatever_the_name(tmp_path, name, pack):
    path = tmp_path / "file.dat"
    path.write_bytes(pack(CONTENTS[name]))
    assert detect(path).name == name


def test_every_format_can_be_named():
    assert [source_named(source.name) for source in SOURCES] == list(SOURCES)
    assert {source.name for source in SOURCES} == set(CONTENTS)


def test_a_folder_with_posts_and_a_7z_archive_are_dumps(tmp_path):
    (tmp_path / "Posts.xml").write_bytes(CONTENTS["stackexchange"])
    assert detect(tmp_path).name == "stackexchange"
    archive = tmp_path / "site"
    archive.write_bytes(b"7z\xbc\xaf\x27\x1c\x00\x04")
    assert detect(archive).name == "stackexchange"


def test_an_unknown_name_is_an_error_that_lists_the_known_ones():
    with pytest.raises(SettingsError, match=r"'docx'.*jsonl.*csv"):
        source_named("docx")


@pytest.mark.parametrize("content", [b"", b"just some words\n", b"\x00\xff" * 500, b"\x1f\x8bbroken"])
def test_an_unknown_content_is_an_error_that_names_file_and_option(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"notes\.txt.*--format"):
        detect(path)


def test_a_question_about_another_format_does_not_mislead(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text('{"id": "1", "title": "what is <posts> and <OrgQuestion > and \\"orgq_id\\"?"}\n')
    assert detect(path).name == "jsonl"


def test_an_empty_folder_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="--format"):
        detect(tmp_path)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="cannot read"):
        detect(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("english/questions.jsonl.gz", "jsonl"),
        ("quora/duplicates.dev.tsv", "pairs"),
        ("robotics/duplicates.tsv", "pairs"),
        ("semeval/dev.jsonl.gz", "semeval"),
        ("semeval/xml/SemEval2016-Task3-CQA-QL-dev.xml.gz", "semeval"),
    ],
)
def test_real_files_are_detected(data_dir, file, name):
    assert detect(data_dir / file).name == name
