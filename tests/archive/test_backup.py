"""Backups: whole or not there, of one moment, and put back as one step."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import processes
import pytest

from askagain.archive import Archive, Scope
from askagain.archive.backup import Backup, back_up, restore
from askagain.archive.schema import MIGRATIONS, migrate, version_of
from askagain.errors import ArchiveBusyError, ArchiveError, AskagainError, ConflictError, OutputError
from askagain.lexical.index import Scoring
from askagain.lexical.ranker import LexicalRanker
from askagain.lexical.similarities import similarity
from askagain.lexical.view import LexicalView
from askagain.question import Feedback, Mark, Question, Verdict

BOOT = Question(id="boot", title="How do I boot from USB?", tags=("usb",))
WIFI = Question(id="wifi", title="No wireless after an upgrade")
LATER = Question(id="later", title="Asked after the backup")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "backup.db"


@pytest.fixture
def small(archive: Archive) -> Archive:
    """An archive with a bit of everything."""
    archive.put_many([BOOT, WIFI])
    archive.mark(Mark("boot", "wifi", Verdict.NOT_DUPLICATE, who="ann", when="2024"))
    archive.give_feedback(Feedback("t", "", "boot", Verdict.DUPLICATE, when="2024"))
    archive.add_key("plugin", Scope.WRITE)
    return archive


def content(path: Path) -> tuple[object, ...]:
    with Archive.open(path, create=False) as archive:
        everything = [*archive.questions()], [*archive.marks()], [*archive.feedback()], archive.keys()
        return *everything, archive.sequence


def ids(archive: Archive) -> list[str]:
    return [question.id for question in archive.questions()]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Making one


def test_a_backup_is_an_equal_archive(small: Archive, target: Path) -> None:
    assert back_up(small.path, target) == Backup(target, questions=2, marks=1, keys=1, sequence=4)
    assert content(target) == content(small.path)


def test_what_is_only_in_the_log_yet_is_in_the_backup(small: Archive, target: Path) -> None:
    assert small.path.with_name("forum.db-wal").stat().st_size > 0
    back_up(small.path, target)
    assert len(content(target)[0]) == 2  # type: ignore[arg-type]


def test_a_backup_is_one_file_and_nothing_else_is_left(small: Archive, target: Path) -> None:
    small.close()
    back_up(small.path, target)
    assert names(target.parent) == ["backup.db", "forum.db"]
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_making_one_does_not_touch_the_archive(small: Archive, target: Path) -> None:
    small.close()
    before, time = small.path.read_bytes(), small.path.stat().st_mtime_ns
    back_up(small.path, target)
    assert (small.path.read_bytes(), small.path.stat().st_mtime_ns) == (before, time)


def test_a_backup_may_be_read_by_those_who_may_read_the_archive(small: Archive, target: Path) -> None:
    small.path.chmod(0o640)
    back_up(small.path, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_an_existing_file_is_never_overwritten(small: Archive, target: Path) -> None:
    target.write_text("precious")
    with pytest.raises(ConflictError, match="exists already: choose another name"):
        back_up(small.path, target)
    assert target.read_text() == "precious"
    with pytest.raises(ConflictError, match="exists already"):
        back_up(small.path, small.path)


def test_a_backup_in_a_missing_folder_is_one_line(small: Archive, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write .*none/backup\.db: No such file or directory"):
        back_up(small.path, tmp_path / "none" / "backup.db")


def test_there_must_be_an_archive(tmp_path: Path, target: Path) -> None:
    with pytest.raises(ArchiveError, match="does not exist"):
        back_up(tmp_path / "none.db", target)
    assert names(tmp_path) == []


def test_an_interruption_leaves_nothing(small: Archive, target: Path) -> None:
    small.close()

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up(small.path, target, progress=interrupt)
    assert names(target.parent) == ["forum.db"]


def test_progress_ends_with_everything(small: Archive, target: Path) -> None:
    seen: list[tuple[int, int]] = []
    back_up(small.path, target, progress=lambda done, total: seen.append((done, total)))
    done, total = seen[-1]
    assert done == total > 5


def test_an_archive_of_an_older_version_is_copied_as_it_is(path: Path, target: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:1])
    assert back_up(path, target).keys == 0
    for file in (path, target):
        with closing(sqlite3.connect(file)) as connection:
            assert version_of(connection) == 1


def test_a_damaged_archive_gives_no_backup(path: Path, target: Path) -> None:
    make_large(path)
    damage_inside(path)
    with pytest.raises(ArchiveError, match=r"the copy of .*forum\.db is damaged .*see askagain doctor"):
        back_up(path, target)
    assert names(target.parent) == ["forum.db"]


WRITE_ON = """
with Archive.open(path) as archive:
    for number in range(1_000_000):
        archive.add(Question(id=f"q{number}", title="t" * 500))
        archive.mark(Mark(f"q{number}", f"q{number // 2}")) if number else None
        print(number, flush=True)
"""


def test_every_question_acknowledged_before_a_backup_began_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "forum.db"
    with processes.start(WRITE_ON, path) as writer:
        assert writer.stdout is not None
        try:
            for turn in range(3):
                acknowledged = [int(writer.stdout.readline()) for _ in range(20)][-1]
                done = back_up(path, tmp_path / f"backup-{turn}.db")
                assert done.questions > acknowledged
            assert writer.poll() is None
        finally:
            writer.kill()
    for turn in range(3):
        with Archive.open(tmp_path / f"backup-{turn}.db") as copy:
            found = ids(copy)
            assert found == [f"q{number}" for number in range(len(found))]
            assert len(found) - 2 <= len(list(copy.marks())) < len(found)


# Putting it back


def test_a_restored_archive_is_what_was_saved(small: Archive, target: Path, tmp_path: Path) -> None:
    before = content(small.path)
    back_up(small.path, target)
    restored = tmp_path / "new.db"
    assert restore(target, restored) == Backup(restored, questions=2, marks=1, keys=1, sequence=4)
    assert content(restored) == before


def test_an_archive_is_replaced_only_if_that_is_meant(small: Archive, target: Path) -> None:
    back_up(small.path, target)
    small.add(LATER)
    with pytest.raises(ConflictError, match=r"forum\.db exists already: .* say --replace"):
        restore(target, small.path)
    assert "later" in small
    restore(target, small.path, replace=True)
    assert content(small.path) == content(target)


def test_whoever_has_the_archive_open_goes_on_with_the_restored_one(small: Archive, target: Path) -> None:
    back_up(small.path, target)
    small.add(LATER)
    restore(target, small.path, replace=True)
    assert ids(small) == ["boot", "wifi"]
    small.add(LATER)
    with Archive.open(small.path) as another:
        assert ids(another) == ["boot", "wifi", "later"]


def test_nothing_is_left_beside_a_restored_archive(small: Archive, target: Path) -> None:
    back_up(small.path, target)
    small.close()
    restore(target, small.path, replace=True)
    assert names(target.parent) == ["backup.db", "forum.db"]


def test_the_log_of_an_archive_that_is_gone_does_not_get_into_the_restored_one(
    small: Archive, target: Path, tmp_path: Path
) -> None:
    back_up(small.path, target)
    small.add(LATER)
    crashed = tmp_path / "crashed.db"
    crashed.with_name("crashed.db-wal").write_bytes(small.path.with_name("forum.db-wal").read_bytes())
    restore(target, crashed)
    with Archive.open(crashed) as restored:
        assert ids(restored) == ["boot", "wifi"]


def test_a_backup_of_an_older_version_is_brought_up_to_date_for_those_who_have_it_open(
    small: Archive, target: Path
) -> None:
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:1])
    restore(target, small.path, replace=True)
    assert small.keys() == []
    assert len(small) == 0


def test_a_live_archive_can_be_restored_from_too(small: Archive, tmp_path: Path) -> None:
    restore(small.path, tmp_path / "copy.db")
    assert content(tmp_path / "copy.db") == content(small.path)


def test_an_archive_is_not_restored_from_itself(small: Archive) -> None:
    with pytest.raises(ConflictError, match="is the archive itself"):
        restore(small.path, small.path, replace=True)


def test_another_writer_is_waited_for_and_then_reported(
    small: Archive, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askagain.archive.copying.WAIT_SECONDS", 0.2)
    back_up(small.path, target)
    with small.transaction():
        small.add(LATER)
        with pytest.raises(ArchiveBusyError, match=r"another process is writing to .*forum\.db; waited 0\.2"):
            restore(target, small.path, replace=True)
    assert "later" in small


def test_a_file_with_other_pages_says_what_to_do(small: Archive, target: Path) -> None:
    back_up(small.path, target)
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size = 8192")
        connection.execute("VACUUM")
    with pytest.raises(ArchiveError, match=r"pages of 4096 bytes .* of 8192: move forum\.db"):
        restore(target, small.path, replace=True)
    assert "boot" in small


def test_the_owner_of_a_restored_archive_may_write_to_it(
    small: Archive, target: Path, tmp_path: Path
) -> None:
    back_up(small.path, target)
    target.chmod(0o440)
    restore(target, tmp_path / "new.db")
    assert stat.S_IMODE((tmp_path / "new.db").stat().st_mode) == 0o640


# Views


def found_by(view: LexicalView, word: str) -> list[str]:
    ranker = LexicalRanker("bm25", view, Scoring(similarity("bm25"), (1.0, 1.0)))
    return [match.id for match in ranker.search(Question(title=word))]


def test_a_view_of_what_was_given_up_is_not_trusted(small: Archive, target: Path) -> None:
    back_up(small.path, target)
    small.add(LATER)
    view = LexicalView.open(small)
    view.save()
    assert found_by(view, "asked") == ["later"]

    restore(target, small.path, replace=True)
    # As many changes as before: only the tokens tell the two histories apart.
    small.add(Question(id="other", title="Another question takes the number"))

    assert small.sequence.seq == 5
    for followed in (view, LexicalView.open(small)):
        assert found_by(followed, "asked") == []
        assert found_by(followed, "another") == ["other"]


def test_a_view_from_before_the_backup_goes_on(small: Archive, target: Path) -> None:
    view = LexicalView.open(small)
    view.save()
    back_up(small.path, target)
    small.add(LATER)
    restore(target, small.path, replace=True)
    small.add(LATER)
    again = LexicalView.open(small)
    assert again.catch_up() == 0
    assert len(again.index) == 3


# Damage


def make_large(path: Path) -> None:
    with Archive.open(path) as archive:
        archive.put_many(Question(id=str(number), title="t" * 500) for number in range(2000))


def damage_inside(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xff" * len(content[8192:])
    path.write_bytes(content)


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def write_other_header(path: Path) -> None:
    path.write_bytes(b"no SQLite file  " + path.read_bytes()[16:])


def write_other_application(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 7")


def write_newer_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def drop_questions(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TABLE marks; DROP TABLE feedback; DROP TABLE questions")


def leave_mark_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO marks VALUES (7777, 8888, 'duplicate', '', '', 1)")
        connection.commit()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def remove(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    "harm",
    [
        damage_inside,
        truncate,
        write_other_header,
        write_other_application,
        write_newer_version,
        drop_questions,
        leave_mark_alone,
        empty,
        remove,
    ],
)
def test_what_is_not_a_sound_backup_is_refused_and_the_archive_stays(
    harm: object, small: Archive, target: Path, tmp_path: Path
) -> None:
    make_large(target)
    harm(target)  # type: ignore[operator]
    before = content(small.path)
    with pytest.raises(AskagainError, match=r"backup\.db"):
        restore(target, small.path, replace=True)
    with pytest.raises(AskagainError, match=r"backup\.db"):
        restore(target, tmp_path / "new.db")
    assert content(small.path) == before
    assert not (tmp_path / "new.db").exists()
    assert not list(tmp_path.glob("*.part*"))


@pytest.mark.parametrize("harm", [damage_inside, truncate])
def test_a_damaged_archive_can_be_replaced(harm: object, target: Path, path: Path) -> None:
    make_large(path)
    back_up(path, target)
    before = content(target)
    path.chmod(0o600)
    harm(path)  # type: ignore[operator]
    restore(target, path, replace=True)
    assert content(path) == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_log_of_a_damaged_archive_does_not_get_into_the_restored_one(
    small: Archive, target: Path, path: Path
) -> None:
    back_up(small.path, target)
    small.add(LATER)
    log = path.with_name("forum.db-wal").read_bytes()
    small.close()
    truncate(path)
    path.with_name("forum.db-wal").write_bytes(log[: len(log) // 2])
    restore(target, path, replace=True)
    with Archive.open(path) as restored:
        assert ids(restored) == ["boot", "wifi"]


@pytest.mark.parametrize("harm", [write_other_header, write_other_application, empty])
def test_what_is_not_an_archive_is_not_replaced(
    harm: object, small: Archive, target: Path, tmp_path: Path
) -> None:
    back_up(small.path, target)
    other = tmp_path / "other.db"
    make_large(other)
    harm(other)  # type: ignore[operator]
    before = other.read_bytes()
    with pytest.raises(ArchiveError, match=r"other\.db is not an askagain archive"):
        restore(target, other, replace=True)
    assert other.read_bytes() == before


def test_a_folder_is_not_replaced(small: Archive, target: Path, tmp_path: Path) -> None:
    back_up(small.path, target)
    (tmp_path / "folder").mkdir()
    with pytest.raises(ArchiveError, match="is a folder"):
        restore(target, tmp_path / "folder", replace=True)


FULL_DISK = """
from pathlib import Path
from askagain.archive.backup import back_up, restore
folder = Path(path).parent
for work in (
    lambda: back_up(Path(path), folder / "backup.db"),
    lambda: restore(Path(path), folder / "new.db"),
    lambda: restore(Path(path), folder / "old.db", replace=True),
):
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    try:
        work()
    except AskagainError as error:
        print(type(error).__name__)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with Archive.open(folder / "old.db") as archive:
    print([question.id for question in archive.questions()])
"""


def test_a_full_disk_leaves_everything_as_it_was(tmp_path: Path) -> None:
    make_large(tmp_path / "forum.db")
    with Archive.open(tmp_path / "old.db") as archive:
        archive.add(BOOT)
    printed = processes.run(FULL_DISK, tmp_path / "forum.db").splitlines()
    assert printed == ["ArchiveFullError"] * 3 + ["['boot']"]
    assert names(tmp_path) == ["forum.db", "old.db"]
