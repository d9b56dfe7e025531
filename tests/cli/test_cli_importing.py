"""Which files `askagain import` reads, and in which order."""

from pathlib import Path

import pytest

from askagain.cli.importing import find_inputs
from askagain.errors import SettingsError, SourceError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "questions.jsonl").write_text('{"id": "1", "title": "A"}\n{"id": "2", "title": "B"}\n')
    for name in ("duplicates.dev.tsv", "duplicates.train.tsv", "non_duplicates.tsv"):
        (tmp_path / name).write_text("1\t2\n")
    (tmp_path / "notes.txt").write_text("not of the set\n")
    return tmp_path


def test_a_set_folder_stands_for_its_questions_and_pairs(folder: Path) -> None:
    assert [(input.path.name, input.source.name) for input in find_inputs([folder], None)] == [
        ("questions.jsonl", "jsonl"),
        ("duplicates.dev.tsv", "pairs"),
        ("duplicates.train.tsv", "pairs"),
        ("non_duplicates.tsv", "pairs"),
    ]


def test_pairs_come_after_questions_whatever_the_order_of_the_names(folder: Path) -> None:
    paths = [folder / "duplicates.dev.tsv", folder / "questions.jsonl"]

    assert [input.source.name for input in find_inputs(paths, None)] == ["jsonl", "pairs"]


def test_a_named_format_is_not_guessed(folder: Path) -> None:
    [input] = find_inputs([folder / "notes.txt"], "csv")

    assert input.source.name == "csv"


def test_a_file_of_no_known_format_is_an_error(folder: Path) -> None:
    with pytest.raises(SourceError, match="cannot tell the format"):
        find_inputs([folder / "notes.txt"], None)


def test_an_unknown_format_is_an_error(folder: Path) -> None:
    with pytest.raises(SettingsError, match="unknown format 'word'"):
        find_inputs([folder / "notes.txt"], "word")
