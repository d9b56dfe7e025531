import sqlite3
from contextlib import closing
from pathlib import Path

import processes
import pytest

from askagain.archive import Archive
from askagain.archive.opening import USED_FROM_AFAR, open_as_it_is
from askagain.archive.schema import MIGRATIONS, migrate
from askagain.errors import ArchiveError
from askagain.question import Question


def test_a_new_archive_is_empty_and_in_wal_mode(archive: Archive, path: Path) -> None:
    assert len(archive) == 0
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_empty_file_becomes_an_archive(path: Path) -> None:
    path.touch()
    with Archive.open(path) as archive:
        assert len(archive) == 0


@pytest.mark.parametrize("name", ["with space?.db", "hash#100%.db", "größe.db"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    with Archive.open(tmp_path / name) as archive:
        archive.add(Question(id="q", title="t"))
        assert (tmp_path / name).exists()


def test_a_copy_made_by_vacuum_is_switched_back_to_wal_mode(archive: Archive, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    archive.add(Question(id="q", title="t"))
    with closing(sqlite3.connect(archive.path)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))
    with Archive.open(copy) as copied, closing(sqlite3.connect(copy)) as connection:
        assert "q" in copied
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_archive_that_several_machines_open_has_no_log_in_memory(archive: Archive, path: Path) -> None:
    archive.note(USED_FROM_AFAR, "yes")
    archive.close()

    with Archive.open(path) as opened, closing(sqlite3.connect(path)) as connection:
        opened.add(Question(id="q", title="t"))
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_missing_file_is_not_made_unless_asked(path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"forum\.db does not exist: check the path"):
        Archive.open(path, create=False)
    assert not path.exists()


def test_an_empty_file_is_no_archive_unless_one_may_be_made(path: Path) -> None:
    path.touch()
    with pytest.raises(ArchiveError, match="is not an askagain archive"):
        Archive.open(path, create=False)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="nowhere does not exist; make it first"):
        Archive.open(tmp_path / "nowhere" / "forum.db")


def test_a_folder_is_no_archive(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="is a folder"):
        Archive.open(tmp_path)


def test_a_text_file_is_left_alone(path: Path) -> None:
    path.write_text("these are my notes, not an archive. " * 100)
    before = path.read_bytes()
    with pytest.raises(ArchiveError, match="is not an askagain archive"):
        Archive.open(path)
    assert path.read_bytes() == before


def test_the_database_of_another_application_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    before = path.read_bytes()
    with pytest.raises(ArchiveError, match="is not an askagain archive"):
        Archive.open(path)
    assert path.read_bytes() == before


def test_a_file_of_a_newer_version_names_both_versions_and_the_remedy(archive: Archive) -> None:
    archive.close()
    with closing(sqlite3.connect(archive.path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    known = len(MIGRATIONS)
    with pytest.raises(ArchiveError, match=f"schema version 99, this askagain knows up to {known}: install"):
        Archive.open(archive.path)


def test_a_damaged_file_says_so(path: Path) -> None:
    with Archive.open(path) as archive:
        archive.put_many(Question(id=str(number), title="t" * 500) for number in range(2000))
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xff" * len(content[8192:])
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match="is damaged: restore it"), Archive.open(path) as archive:
        list(archive.questions())


def test_processes_that_make_the_same_archive_at_once_share_it(path: Path) -> None:
    code = "Archive.open(path).add(Question(id=sys.stdin.readline(), title='t'))"
    makers = [processes.start(code, path) for _ in range(4)]
    for number, maker in enumerate(makers):
        _, errors = maker.communicate(str(number), timeout=60)
        assert maker.returncode == 0, errors
    with Archive.open(path) as archive:
        assert sorted(question.id for question in archive.questions()) == ["0", "1", "2", "3"]


# Looking at an archive


def look_at(path: Path) -> list[tuple[str]]:
    with closing(open_as_it_is(path, wait_seconds=1)[1]) as connection:
        return connection.execute("SELECT id FROM questions").fetchall()


def files_beside(path: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in path.parent.iterdir()}


def test_looking_at_an_archive_changes_nothing_and_leaves_nothing(path: Path) -> None:
    with Archive.open(path) as archive:
        archive.add(Question(id="q", title="t"))
    before = files_beside(path)
    assert look_at(path) == [("q",)]
    assert files_beside(path) == before


def test_looking_at_an_older_archive_does_not_bring_it_up_to_date(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:1])
    before = files_beside(path)
    assert look_at(path) == []
    assert files_beside(path) == before


def test_the_log_of_a_crashed_process_is_read_and_stays(archive: Archive, tmp_path: Path) -> None:
    archive.add(Question(id="q", title="t"))
    crashed = tmp_path / "crashed" / "forum.db"
    crashed.parent.mkdir()
    for name in ("forum.db", "forum.db-wal"):
        crashed.with_name(name).write_bytes(archive.path.with_name(name).read_bytes())
    before = files_beside(crashed)
    assert look_at(crashed) == [("q",)]
    after = files_beside(crashed)
    assert {name: after[name] for name in before} == before


@pytest.mark.parametrize("name", ["none.db", "."])
def test_there_must_be_something_to_look_at(tmp_path: Path, name: str) -> None:
    with pytest.raises(ArchiveError, match=r"does not exist|is a folder"):
        open_as_it_is(tmp_path / name, wait_seconds=1)
    assert list(tmp_path.iterdir()) == []
