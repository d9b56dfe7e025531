"""Keys: told once, known by their checksum, and of no concern to views."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import processes
import pytest

from askagain.archive import Archive, Key, Scope
from askagain.errors import ArchiveError, ConflictError
from askagain.question import Question

LATER = "2030-01-31T12:00:00+00:00"

ADD_WHEN_TOLD = """
archive = Archive.open(path)
print("ready", flush=True)
sys.stdin.readline()
try:
    print(archive.add_key("plugin", Scope.WRITE))
except AskagainError as error:
    print(type(error).__name__)
"""


def test_a_key_is_found_by_itself_and_by_nothing_else(archive: Archive) -> None:
    key = archive.add_key("plugin", Scope.WRITE)
    found = archive.find_key(key)
    assert found is not None
    assert (found.name, found.scope, found.expires) == ("plugin", Scope.WRITE, "")
    assert archive.find_key(key[:-1]) is None
    assert archive.find_key("plugin") is None


def test_a_key_has_32_random_bytes_behind_its_prefix(archive: Archive) -> None:
    keys = {archive.add_key(str(number), Scope.READ) for number in range(5)}
    assert len(keys) == 5
    assert all(re.fullmatch(r"ask_[A-Za-z0-9_-]{43}", key) for key in keys)


def test_the_key_itself_is_nowhere_in_the_files(path: Path) -> None:
    with Archive.open(path) as archive:
        key = archive.add_key("plugin", Scope.WRITE).encode()
        assert not any(key in file.read_bytes() for file in path.parent.iterdir())
    assert key not in path.read_bytes()


@pytest.mark.parametrize("sent", ["", "ask_", "\0", "\ud800", "' OR 1=1 --", "größe", "x" * 1_000_000])
def test_whatever_else_is_sent_is_no_key(archive: Archive, sent: str) -> None:
    archive.add_key("plugin", Scope.WRITE)
    assert archive.find_key(sent) is None


def test_keys_are_listed_by_name(archive: Archive) -> None:
    archive.add_key("zoe", Scope.MODERATE)
    archive.add_key("ann", Scope.READ, expires=LATER)
    ann, zoe = archive.keys()
    assert (ann.name, ann.scope, ann.expires) == ("ann", Scope.READ, LATER)
    assert (zoe.name, zoe.scope, zoe.expires) == ("zoe", Scope.MODERATE, "")


def test_the_time_of_making_is_kept(archive: Archive) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    archive.add_key("plugin", Scope.READ)
    assert before <= datetime.fromisoformat(archive.keys()[0].created) <= datetime.now(UTC)


def test_keys_survive_closing_the_file(path: Path) -> None:
    with Archive.open(path) as archive:
        key = archive.add_key("plugin", Scope.WRITE)
    with Archive.open(path) as archive:
        assert archive.find_key(key) is not None


def test_a_revoked_key_is_unknown_and_its_name_is_free(archive: Archive) -> None:
    old = archive.add_key("plugin", Scope.WRITE)
    assert archive.revoke_key("plugin")
    assert archive.find_key(old) is None
    assert archive.keys() == []
    new = archive.add_key("plugin", Scope.READ)
    assert archive.find_key(old) is None
    assert archive.find_key(new) is not None


@pytest.mark.parametrize("name", ["", "nobody", "\0", "\ud800", "PLUGIN", "plugin "])
def test_nothing_is_revoked_by_another_name(archive: Archive, name: str) -> None:
    archive.add_key("plugin", Scope.WRITE)
    assert not archive.revoke_key(name)
    assert len(archive.keys()) == 1


# Names


def test_a_name_is_given_once(archive: Archive) -> None:
    key = archive.add_key("plugin", Scope.READ)
    with pytest.raises(ConflictError, match=r"'plugin' is in .*: choose another name, or revoke it first"):
        archive.add_key("plugin", Scope.WRITE)
    found = archive.find_key(key)
    assert found is not None
    assert found.scope is Scope.READ


@pytest.mark.parametrize("name", ["a", "größe 模", "'; DROP TABLE keys; --", "<script>", "x" * 100])
def test_printable_names_of_many_kinds_are_accepted(archive: Archive, name: str) -> None:
    archive.add_key(name, Scope.READ)
    assert archive.keys()[0].name == name


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("x" * 101, "has 101 characters, more than the 100"),
        ("a\nb", "cannot be printed"),
        ("\x1b[2J", "cannot be printed"),
        ("a\0", "cannot be printed"),
        ("zero\u200bwidth", "cannot be printed"),
        ("\u202eright to left", "cannot be printed"),
        ("a\ud800", "cannot be printed"),
    ],
)
def test_an_unusable_name_is_refused(archive: Archive, name: str, complaint: str) -> None:
    with pytest.raises(ArchiveError, match=complaint):
        archive.add_key(name, Scope.READ)
    assert archive.keys() == []


def test_of_two_processes_that_take_a_name_at_once_one_gets_it(archive: Archive) -> None:
    adding = [processes.start(ADD_WHEN_TOLD, archive.path) for _ in range(2)]
    for process in adding:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in adding:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [process.communicate(timeout=60)[0].strip() for process in adding]
    assert sorted(line.startswith("ask_") for line in told) == [False, True]
    assert "ConflictError" in told
    assert archive.find_key(next(line for line in told if line.startswith("ask_"))) is not None
    assert len(archive.keys()) == 1


# Scopes and expiry


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [
        (Scope.READ, {Scope.READ}),
        (Scope.WRITE, {Scope.READ, Scope.WRITE}),
        (Scope.MODERATE, {Scope.READ, Scope.MODERATE}),
    ],
)
def test_what_a_scope_allows(scope: Scope, allowed: set[Scope]) -> None:
    assert {needed for needed in Scope if scope.allows(needed)} == allowed


def test_a_key_expires_at_its_time_and_not_before() -> None:
    key = Key("plugin", Scope.READ, created="2020-01-01T00:00:00+00:00", expires=LATER)
    assert not key.is_expired(datetime(2030, 1, 31, 11, 59, 59, tzinfo=UTC))
    assert key.is_expired(datetime(2030, 1, 31, 12, tzinfo=UTC))


def test_a_key_without_an_end_never_expires() -> None:
    key = Key("plugin", Scope.READ, created="2020-01-01T00:00:00+00:00")
    assert not key.is_expired(datetime.max.replace(tzinfo=UTC))


def test_an_expired_key_is_still_told_about(archive: Archive) -> None:
    key = archive.add_key("plugin", Scope.READ, expires="2020-01-01")
    found = archive.find_key(key)
    assert found is not None
    assert found.is_expired(datetime.now(UTC))


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("2030-01-31", "2030-01-31T00:00:00+00:00"),
        ("2030-01-31T14:00:00+02:00", LATER),
        ("2030-01-31T12:00:00.75Z", LATER),
    ],
)
def test_times_are_kept_in_utc(archive: Archive, given: str, stored: str) -> None:
    archive.add_key("plugin", Scope.READ, expires=given)
    assert archive.keys()[0].expires == stored


@pytest.mark.parametrize("given", ["tomorrow", "2030-02-31", "\ud800", "0001-01-01T00:00:00+14:00"])
def test_what_is_not_a_time_is_refused(archive: Archive, given: str) -> None:
    with pytest.raises(ArchiveError, match="is not a time: write it like"):
        archive.add_key("plugin", Scope.READ, expires=given)
    assert archive.keys() == []


# Views


def test_no_view_has_to_catch_up_with_keys(archive: Archive) -> None:
    archive.add(Question(id="q", title="t"))
    before = archive.sequence
    archive.add_key("plugin", Scope.WRITE)
    archive.revoke_key("plugin")
    assert archive.sequence == before


def test_keys_join_a_transaction_and_are_undone_with_it(archive: Archive) -> None:
    def fail() -> None:
        with archive.transaction():
            archive.add_key("plugin", Scope.WRITE)
            assert len(archive.keys()) == 1
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert archive.keys() == []


def test_the_file_holds_no_other_scope(archive: Archive) -> None:
    archive.add_key("plugin", Scope.READ)
    with closing(sqlite3.connect(archive.path)) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute("UPDATE keys SET scope = 'everything'")
