"""`askagain keys`: made, listed, revoked."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from askagain import Archive
from askagain.archive import Scope
from askagain.cli.app import run


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "forum.db"
    Archive.open(path).close()
    return path


@pytest.mark.parametrize("command", ["add", "list", "revoke"])
def test_the_help_has_an_example(command: str, succeeded: Callable[..., str]) -> None:
    assert f"Example: askagain keys {command}" in succeeded("keys", command, "--help")


def test_the_key_stands_alone_on_standard_output(archive: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["keys", "add", "plugin", "--scope", "write", "--archive", str(archive)]) == 0
    printed = capfd.readouterr()
    assert re.fullmatch(r"ask_[\w-]{43}\n", printed.out)
    assert "shown this once" in printed.err
    with Archive.open(archive) as opened:
        key = opened.find_key(printed.out.strip())
        assert key is not None
        assert (key.name, key.scope, key.expires) == ("plugin", Scope.WRITE, "")


def test_a_key_can_expire_after_some_days(archive: Path, succeeded: Callable[..., str]) -> None:
    succeeded("keys", "add", "guest", "--scope", "read", "--expires", 3, "--archive", archive)
    with Archive.open(archive) as opened:
        [key] = opened.keys()
    left = datetime.fromisoformat(key.expires) - datetime.now(UTC)
    assert timedelta(days=3, minutes=-5) < left <= timedelta(days=3)


def test_a_list_tells_names_scopes_and_ends(archive: Path, succeeded: Callable[..., str]) -> None:
    with Archive.open(archive) as opened:
        key = opened.add_key("plugin", Scope.WRITE)
        opened.add_key("old guest", Scope.READ, expires="2020-01-01")
        opened.add_key("guest", Scope.READ, expires="2999-01-01")
    printed = succeeded("keys", "list", "--archive", archive)
    lines = [re.sub(r"made [^,]+", "made THEN", line) for line in printed.splitlines()]
    assert lines == [
        "guest      read      made THEN, expires 2999-01-01T00:00:00+00:00",
        "old guest  read      made THEN, expired 2020-01-01T00:00:00+00:00",
        "plugin     write     made THEN, never expires",
    ]
    assert key not in printed


def test_a_list_for_programs(archive: Path, json_of: Callable[..., Any]) -> None:
    with Archive.open(archive) as opened:
        opened.add_key("guest", Scope.MODERATE, expires="2020-01-01")
        [key] = opened.keys()
    assert json_of("keys", "list", "--archive", archive) == {
        "keys": [
            {
                "name": "guest",
                "scope": "moderate",
                "created": key.created,
                "expires": "2020-01-01T00:00:00+00:00",
                "expired": True,
            }
        ]
    }


def test_an_empty_list_says_how_to_make_a_key(archive: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["keys", "list", "--archive", str(archive)]) == 0
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "has no keys: make one with askagain keys add" in printed.err


def test_a_revoked_key_is_gone(archive: Path, succeeded: Callable[..., str]) -> None:
    succeeded("keys", "add", "plugin", "--scope", "write", "--archive", archive)
    assert succeeded("keys", "revoke", "plugin", "--archive", archive) == "The key plugin is revoked.\n"
    assert json.loads(succeeded("keys", "list", "--archive", archive, "--json")) == {"keys": []}


def test_what_is_not_there_cannot_be_revoked(archive: Path, refused: Callable[..., str]) -> None:
    assert "is named 'nobody': see askagain keys list" in refused(
        "keys", "revoke", "nobody", "--archive", archive
    )


@pytest.mark.parametrize("name", ["", "\x1b[2J", "a\nb", "\u202ename", "x" * 101, "\udcff"])
def test_a_hostile_name_is_refused_in_one_line(name: str, archive: Path, refused: Callable[..., str]) -> None:
    complaint = refused("keys", "add", name, "--scope", "read", "--archive", archive)
    assert complaint.startswith("askagain: the name ")
    assert "\x1b" not in complaint


def test_a_name_that_is_taken_is_refused(
    archive: Path, succeeded: Callable[..., str], refused: Callable[..., str]
) -> None:
    add = ("keys", "add", "plugin", "--scope", "write", "--archive", archive)
    succeeded(*add)
    assert "choose another name, or revoke it first" in refused(*add)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["add", "x", "--archive", "x.db"], "Missing option '--scope'"),
        (["add", "x", "--scope", "all", "--archive", "x.db"], "'all' is not one of"),
        (["add", "x", "--scope", "read", "--expires", "0", "--archive", "x.db"], "'--expires'"),
        (["add", "x", "--scope", "read", "--archive", "none.db"], "none.db does not exist"),
        (["list", "--archive", "none.db"], "none.db does not exist"),
        ([], "See: askagain keys --help"),
    ],
)
def test_a_wrong_command_line_is_one_line(
    arguments: list[str], complaint: str, refused: Callable[..., str]
) -> None:
    assert complaint in refused("keys", *arguments)
