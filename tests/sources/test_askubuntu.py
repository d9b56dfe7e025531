import gzip

import pytest

from askagain.errors import SourceError
from askagain.question import Mark, Question
from askagain.sources.askubuntu import AskubuntuSource, read_lists, read_training
from askagain.sources.base import Skipped

SOURCE = AskubuntuSource()


def test_the_corpus_gives_questions(tmp_path):
    path = tmp_path / "text_tokenized.txt.gz"
    path.write_bytes(gzip.compress(b"12\thow to boot ?\ti have a usb stick\n13\tno body\t\n"))
    assert list(SOURCE.records(path)) == [
        Question(id="12", title="how to boot ?", body="i have a usb stick"),
        Question(id="13", title="no body"),
    ]


def test_bad_corpus_lines_are_reported(tmp_path):
    path = tmp_path / "text_tokenized.txt"
    path.write_bytes(b"12\tfine\tbody\n13\tno second tab\n14\t\tno title\n15\tbad\t\xff\n16\tfine\tbody\n")
    records = list(SOURCE.records(path))
    assert [record.id for record in records if isinstance(record, Question)] == ["12", "16"]
    assert [record.line for record in records if isinstance(record, Skipped)] == [2, 3, 4]


@pytest.fixture
def training(tmp_path):
    path = tmp_path / "train_random.txt"
    path.write_text("1\t2 3\t7 8 9\n4\t4 5\t7\n")
    return path


def test_the_training_file_gives_a_mark_per_similar_question(training):
    assert read_training(training) == [Mark("1", "2"), Mark("1", "3"), Mark("4", "5")]


def test_importing_the_training_file_gives_the_same_marks(training):
    assert list(SOURCE.records(training)) == read_training(training)


def test_a_broken_training_file_is_an_error_with_file_and_line(training):
    training.write_text("1\t2\t3\n4\t5\n")
    with pytest.raises(SourceError, match=r"train_random\.txt, line 2: 2 columns where 3 are expected"):
        read_training(training)


def test_a_training_line_without_a_query_is_reported(training):
    training.write_text("1\t2\t3\n\t5\t6\n")
    assert list(SOURCE.records(training)) == [Mark("1", "2"), Skipped(training, 2, "a mark needs two ids")]


def test_lists_have_labels_scores_and_ranks(tmp_path):
    path = tmp_path / "dev.txt"
    path.write_text("1\t3\t2 3\t9.5 8.25\n")
    [entry] = read_lists(path)
    assert entry.query == Question(title="", id="1")
    assert [(c.question.id, c.rank, c.relevant, c.score) for c in entry.candidates] == [
        ("2", 1, False, 9.5),
        ("3", 2, True, 8.25),
    ]


def test_texts_are_filled_in_where_they_are_known(tmp_path):
    path = tmp_path / "dev.txt"
    path.write_text("1\t3\t2 3\t9.5 8.25\n")
    known = {"1": Question(id="1", title="query"), "3": Question(id="3", title="three")}
    [entry] = read_lists(path, known)
    assert [entry.query.title, *(c.question.title for c in entry.candidates)] == ["query", "", "three"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1\t3\t2 3\t9.5", "2 candidates but 1 scores"),
        ("1\t3\t2 3", "3 columns where 4 are expected"),
        ("1\t3\t2\thigh", "score is not a number but 'high'"),
    ],
)
def test_a_broken_list_is_an_error_with_file_and_line(tmp_path, line, reason):
    path = tmp_path / "dev.txt"
    path.write_text("1\t3\t3\t9.5\n" + line + "\n")
    with pytest.raises(SourceError, match=rf"dev\.txt, line 2: {reason}"):
        read_lists(path)


def test_corpus_and_training_file_are_recognised_and_lists_are_not(tmp_path):
    assert SOURCE.recognises(tmp_path, b"12\thow to boot ?\t" + b"x" * 70_000)
    assert SOURCE.recognises(tmp_path, b"1\t2 3\t7 8 9\n")
    assert not SOURCE.recognises(tmp_path, b"1\t3\t2 3\t9.5 8.25\n")


@pytest.mark.parametrize(("split", "without_similar"), [("dev", 11), ("test", 14)])
def test_the_real_lists(data_dir, split, without_similar):
    lists = read_lists(data_dir / "askubuntu-lei" / f"{split}.txt")
    assert [len(entry.candidates) for entry in lists] == [20] * 200
    assert sum(not any(c.relevant for c in entry.candidates) for entry in lists) == without_similar
