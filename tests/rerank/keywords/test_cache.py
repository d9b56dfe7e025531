"""Parses are kept by parser, version and text; whatever is damaged is made again."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from handmade_parses import ChainParser, chain

from askagain.rerank.keywords import cache as cache_module
from askagain.rerank.keywords.cache import ParseCache, key_of

PARSE = chain(["renew", "visa"])


@pytest.fixture
def cache(tmp_path: Path) -> ParseCache:
    return ParseCache(tmp_path / "new" / "parses.db")


def test_what_was_put_is_there_for_others(cache: ParseCache) -> None:
    cache.put({"a": PARSE, "b": chain(["😀", "\ud800"])})

    assert ParseCache(cache.path).get(["a", "b", "c"]) == {"a": PARSE, "b": chain(["😀", "\ud800"])}


def test_a_key_depends_on_parser_version_and_text() -> None:
    parser = ChainParser()
    others = [
        key_of(ChainParser(name="other"), "text"),
        key_of(ChainParser(version="2"), "text"),
        key_of(parser, "texts"),
    ]

    assert key_of(parser, "text") == key_of(ChainParser(), "text")
    assert key_of(parser, "text") not in others


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "{",
        "[]",
        '[["a"],[0,1]]',
        '[["a"],[7]]',
        '[["a"],[true]]',
        "[[1],[-1]]",
        '["a",[-1]]x',
        "null",
        b"\x00",
    ],
)
def test_a_damaged_entry_is_as_good_as_none(cache: ParseCache, damaged: object) -> None:
    cache.put({"a": PARSE, "b": PARSE})
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE parses SET parse = ? WHERE key = 'a'", (damaged,))

    assert cache.get(["a", "b"]) == {"b": PARSE}
    cache.put({"a": PARSE})
    assert cache.get(["a"]) == {"a": PARSE}


def test_a_file_that_is_no_database_is_replaced(cache: ParseCache) -> None:
    cache.path.parent.mkdir()
    cache.path.write_bytes(b"this is no database, and longer than a header of one" * 10)

    assert cache.get(["a"]) == {}
    cache.put({"a": PARSE})
    assert cache.get(["a"]) == {"a": PARSE}


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = ParseCache(tmp_path / "file" / "parses.db")

    cache.put({"a": PARSE})

    assert cache.get(["a"]) == {}


def test_more_keys_than_a_statement_can_hold(cache: ParseCache) -> None:
    many = {str(number): PARSE for number in range(3_000)}
    cache.put(many)

    assert cache.get(many) == many


def test_the_oldest_parses_go_when_there_are_too_many(
    cache: ParseCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "MOST_PARSES", 2)
    for key in "abc":
        cache.put({key: PARSE})

    assert set(cache.get("abc")) == {"b", "c"}


def test_several_processes_may_write_at_the_same_time(cache: ParseCache) -> None:
    code = """
import sys
from pathlib import Path
from askagain.rerank.keywords.cache import ParseCache
from askagain.rerank.keywords.parsing import Parse
for number in range(50):
    ParseCache(Path(sys.argv[1])).put({f"{sys.argv[2]} {number}": Parse(("w",), (-1,))})
"""
    running = [subprocess.Popen([sys.executable, "-c", code, cache.path, name]) for name in "ab"]

    assert [process.wait(timeout=60) for process in running] == [0, 0]
    assert len(cache.get(f"{name} {number}" for name in "ab" for number in range(50))) == 100
