import tracemalloc
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import py7zr
import pytest

from askagain.archive import Archive
from askagain.importing import KEPT_EXAMPLES, ImportReport, import_file
from askagain.question import Mark, Question, Verdict
from askagain.sources.base import Progress, Record, Skipped, no_progress
from askagain.sources.jsonl import JsonlSource
from askagain.sources.stackexchange import StackExchangeSource

FILE = Path("forum.jsonl")


@dataclass(frozen=True)
class Records:
    """A source whose records the test gives; an exception among them is raised in its place."""

    given: Iterable[Record | BaseException]
    name: str = "records"

    def recognises(self, path: Path, head: bytes) -> bool:
        return True

    def records(self, path: Path, progress: Progress = no_progress) -> Iterator[Record]:
        for done, record in enumerate(self.given, start=1):
            if isinstance(record, BaseException):
                raise record
            progress(done, 100)
            yield record


def question(id: object, title: str = "a title") -> Question:
    return Question(id=str(id), title=title)


def ids(archive: Archive) -> list[str]:
    return [question.id for question in archive.questions()]


def summary(report: ImportReport) -> tuple[int, int, int, int, int]:
    return report.added, report.changed, report.unchanged, report.marks, report.skipped


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "forum.db") as archive:
        yield archive


def test_questions_and_marks_arrive_and_are_counted(archive: Archive) -> None:
    mark = Mark("1", "2", Verdict.NOT_DUPLICATE, "ann", "2020")
    report = import_file(archive, FILE, Records([question(1), question(2), mark]))
    assert summary(report) == (2, 0, 0, 1, 0)
    assert ids(archive) == ["1", "2"]
    assert list(archive.marks()) == [mark]


def test_a_second_run_changes_nothing(archive: Archive) -> None:
    records = Records([question(1), question(2), Mark("1", "2")])
    import_file(archive, FILE, records)
    before = archive.sequence
    assert summary(import_file(archive, FILE, records)) == (0, 0, 2, 1, 0)
    assert archive.sequence == before


def test_changed_questions_are_replaced_and_counted(archive: Archive) -> None:
    import_file(archive, FILE, Records([question(1), question(2)]))
    report = import_file(archive, FILE, Records([question(1, "new title"), question(2)]))
    assert summary(report) == (0, 1, 1, 0, 0)


def test_an_interrupted_import_keeps_whole_batches_and_the_next_run_completes_it(archive: Archive) -> None:
    everything = [question(number) for number in range(10)]
    with pytest.raises(KeyboardInterrupt):
        import_file(archive, FILE, Records([*everything[:7], KeyboardInterrupt()]), batch=3)
    assert ids(archive) == ["0", "1", "2", "3", "4", "5"]
    report = import_file(archive, FILE, Records(everything), batch=3)
    assert summary(report) == (4, 0, 6, 0, 0)
    assert ids(archive) == [str(number) for number in range(10)]


def test_of_equal_ids_the_first_wins_and_the_others_are_reported(archive: Archive) -> None:
    records = [question("x", "first"), question("y"), question("x", "second"), question("x", "third")]
    report = import_file(archive, FILE, Records(records), batch=2)
    assert [question.title for question in archive.questions()] == ["first", "a title"]
    assert report.skipped == 2
    assert report.examples[0] == Skipped(FILE, 0, "id 'x' appeared earlier in this import")
    assert report.reasons == {"id … appeared earlier in this import": 2}


def test_a_mark_may_come_long_before_its_questions(archive: Archive) -> None:
    records: list[Record] = [Mark("1", "9"), *(question(number) for number in range(10))]
    report = import_file(archive, FILE, Records(records), batch=2)
    assert report.marks == 1
    assert [(mark.first, mark.second) for mark in archive.marks()] == [("1", "9")]


def test_a_mark_may_name_a_question_that_was_there_before(archive: Archive) -> None:
    archive.add(question("old"))
    assert import_file(archive, FILE, Records([question("new"), Mark("new", "old")])).marks == 1


def test_a_mark_that_names_an_unknown_question_is_skipped(archive: Archive) -> None:
    report = import_file(archive, FILE, Records([question(1), Mark("1", "y"), Mark("z", "1")]))
    assert [skipped.reason for skipped in report.examples] == [
        "mark names the unknown question 'y'",
        "mark names the unknown question 'z'",
    ]
    assert report.marks == 0


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (Question(title="no id"), "the id '' is empty"),
        (Question(id="a\nb", title="t"), "control characters"),
        (Question(id="\ud800", title="t"), "broken text"),
        (Question(id="huge", title="t" * 5_000_001), "5000001 characters, more than the 5000000"),
        (Mark("1", "1"), "marked with itself"),
        (Mark("1", "\ud800"), "broken text"),
    ],
)
def test_a_record_that_the_archive_refuses_is_skipped_and_the_rest_goes_on(
    archive: Archive, bad: Record, complaint: str
) -> None:
    report = import_file(archive, FILE, Records([question(1), bad, question(2)]))
    assert summary(report) == (2, 0, 0, 0, 1)
    assert complaint in report.examples[0].reason


def test_rows_that_the_source_skipped_are_reported_with_their_place(archive: Archive) -> None:
    told: list[Skipped] = []
    skipped = Skipped(FILE, 17, "not JSON")
    report = import_file(archive, FILE, Records([skipped, question(1)]), on_skip=told.append)
    assert told == [skipped]
    assert report.examples == [skipped]
    assert report.reasons == {"not JSON": 1}


def test_the_report_stays_small_when_everything_is_skipped(archive: Archive) -> None:
    broken = (Skipped(FILE, number, f"strange thing {'x' * number}") for number in range(500))
    report = import_file(archive, FILE, Records(broken))
    assert report.skipped == 500
    assert sum(report.reasons.values()) == 500
    assert len(report.reasons) <= 101
    assert len(report.examples) == KEPT_EXAMPLES


def test_the_source_reports_progress(archive: Archive) -> None:
    steps: list[int] = []
    import_file(
        archive, FILE, Records([question(1), question(2)]), progress=lambda done, total: steps.append(done)
    )
    assert steps == [1, 2]


def test_memory_does_not_grow_with_the_file(archive: Archive) -> None:
    def peak(rows: int) -> int:
        tracemalloc.start()
        import_file(archive, FILE, Records(question(number) for number in range(rows)), batch=100)
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(100)
    assert peak(10_000) < 1.5 * peak(1_000)


def test_batches_of_large_questions_are_cut_by_size(archive: Archive) -> None:
    large = [Question(id=str(number), title="t", body="x" * 3_000_000) for number in range(3)]
    with pytest.raises(KeyboardInterrupt):
        import_file(archive, FILE, Records([*large, KeyboardInterrupt()]))
    assert ids(archive) == ["0", "1"]


def test_what_the_archive_refuses_is_reported_with_its_line(archive: Archive, tmp_path: Path) -> None:
    file = tmp_path / "forum.jsonl"
    rows = [
        '{"first": "1", "second": "nobody"}',
        '{"id": "1", "title": "a title"}',
        '{"id": "1", "title": "the same id again"}',
        '{"id": "a\\u0001b", "title": "a control character"}',
    ]
    file.write_text("\n".join(rows), encoding="utf-8")
    report = import_file(archive, file, JsonlSource())
    assert {(skipped.path, skipped.line) for skipped in report.examples} == {(file, 1), (file, 3), (file, 4)}


def test_a_dump_in_an_archive_reports_lines_of_the_file_inside(archive: Archive, tmp_path: Path) -> None:
    row = '<row Id="1" PostTypeId="1" Title="a title" Body="" />'
    (tmp_path / "Posts.xml").write_text(f"<posts>\n{row}\n{row}\n</posts>\n", encoding="utf-8")
    packed = tmp_path / "forum.7z"
    with py7zr.SevenZipFile(packed, "w") as file:
        file.write(tmp_path / "Posts.xml", "Posts.xml")
    report = import_file(archive, packed, StackExchangeSource())
    assert [(skipped.path, skipped.line) for skipped in report.examples] == [(packed / "Posts.xml", 3)]
