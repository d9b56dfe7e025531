"""A full disk and a read-only place."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import processes
import pytest

from askagain.archive import Archive
from askagain.archive.failures import busy
from askagain.errors import ArchiveBusyError, ArchiveError, ArchiveFullError
from askagain.question import Question

# A limit on the size of files stands in for a full disk: it needs no rights. Python ignores SIGXFSZ.
FILL = """
archive = Archive.open(path)
archive.put_many(Question(id=str(number), title="t" * 100) for number in range(100))
acknowledged = len(archive)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
try:
    while True:
        archive.put_many([Question(id=str(acknowledged), title="t" * 10_000)])
        acknowledged += 1
except AskagainError as error:
    print(type(error).__name__, error, sep="\\n")
    print(acknowledged, len(archive))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(archive.put(Question(id="after", title="there is room again")))
"""

GO_ON_AFTER_A_FULL_DISK = """
archive = Archive.open(path)
archive.add(Question(id="before", title="t"))
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
try:
    with archive.transaction():
        archive.add(Question(id="inside", title="t"))
        try:
            archive.put_many(Question(id=str(number), title="t" * 4_000_000) for number in range(20))
        except AskagainError as error:
            print(type(error).__name__)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        archive.add(Question(id="later", title="t"))
except AskagainError as error:
    print(error)
print([question.id for question in archive.questions()], archive.sequence.seq)
"""

AS_NOBODY = """
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
"""

READ_AND_WRITE = (
    AS_NOBODY
    + """
archive = Archive.open(path)
print([question.title for question in archive.questions()], archive.get("q").title)
try:
    archive.add(Question(id="new", title="t"))
except AskagainError as error:
    print(type(error).__name__, error)
"""
)

OPEN = (
    AS_NOBODY
    + """
try:
    Archive.open(path)
except AskagainError as error:
    print(type(error).__name__, error)
"""
)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder with an archive of one question; unlike pytest's folders, other users can enter it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Archive.open(folder / "forum.db") as archive:
            archive.add(Question(id="q", title="readable"))
        (folder / "forum.db").chmod(0o644)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def test_a_full_disk_is_reported_loses_nothing_and_can_be_overcome(path: Path) -> None:
    kind, message, counts, wrote = processes.run(FILL, path).splitlines()
    assert kind == "ArchiveFullError"
    assert "no room left to write" in message
    assert "free some space" in message
    acknowledged, present = counts.split()
    assert int(acknowledged) == int(present) > 100
    assert wrote == "True"


def test_a_transaction_that_a_full_disk_undid_cannot_go_on_as_if_nothing_was(path: Path) -> None:
    kind, message, content = processes.run(GO_ON_AFTER_A_FULL_DISK, path).splitlines()
    assert kind == "ArchiveFullError"
    assert "was undone by an earlier error: start it again" in message
    assert content == "['before'] 1"


def test_an_archive_in_a_read_only_folder_can_be_read_but_not_written(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    read, written = processes.run(READ_AND_WRITE, open_folder / "forum.db").splitlines()
    assert read == "['readable'] readable"
    assert written.startswith("ArchiveError")
    assert "forum.db is read-only: make the file and its folder writable" in written


def test_a_read_only_file_can_be_read_but_not_written(open_folder: Path) -> None:
    open_folder.chmod(0o777)
    (open_folder / "forum.db").chmod(0o444)
    read, written = processes.run(READ_AND_WRITE, open_folder / "forum.db").splitlines()
    assert read == "['readable'] readable"
    assert "forum.db is read-only: make the file and its folder writable" in written


def test_changes_that_a_read_only_folder_hides_are_an_error_not_an_old_state(open_folder: Path) -> None:
    archive = Archive.open(open_folder / "forum.db")
    archive.add(Question(id="new", title="only in the log"))
    for name in ("forum.db", "forum.db-wal"):
        copy = open_folder / name.replace("forum", "crashed")
        copy.write_bytes((open_folder / name).read_bytes())
        copy.chmod(0o444)
    archive.close()
    open_folder.chmod(0o555)
    printed = processes.run(OPEN, open_folder / "crashed.db")
    assert "ArchiveError" in printed
    assert "crashed.db-wal that cannot be read from a read-only folder" in printed


def test_no_archive_can_be_made_in_a_read_only_folder(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    printed = processes.run(OPEN, open_folder / "new.db")
    assert "new.db cannot be made: the folder" in printed
    assert "is read-only" in printed


def test_an_unreadable_archive_says_so(open_folder: Path) -> None:
    (open_folder / "forum.db").chmod(0o000)
    printed = processes.run(OPEN, open_folder / "forum.db")
    assert "forum.db cannot be opened: check that you may read and write it" in printed


def test_a_folder_that_cannot_be_entered_is_an_error_of_the_archive(open_folder: Path) -> None:
    open_folder.chmod(0o600)
    printed = processes.run(OPEN, open_folder / "forum.db")
    assert "forum.db cannot be reached: Permission denied" in printed


def test_all_of_them_are_errors_of_the_archive() -> None:
    assert issubclass(ArchiveFullError, ArchiveError)
    assert isinstance(busy(Path("forum.db"), 10), ArchiveBusyError)
