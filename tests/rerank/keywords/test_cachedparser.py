"""A parser with a memory, which asks other processes for help when there is much to do."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from handmade_parses import ChainParser, ProcessParser

from askagain.rerank.keywords.cache import ParseCache
from askagain.rerank.keywords.cachedparser import CHUNK, WORTH_A_PROCESS, CachedParser
from askagain.rerank.keywords.parsing import Parser


@pytest.fixture
def cache(tmp_path: Path) -> ParseCache:
    return ParseCache(tmp_path / "parses.db")


def test_each_text_is_parsed_once(cache: ParseCache) -> None:
    parser = ChainParser()
    cached = CachedParser(parser, cache)

    parses = cached.parse(["renew visa", "buy car", "renew visa"])

    assert [parse.words for parse in parses] == [("renew", "visa"), ("buy", "car"), ("renew", "visa")]
    assert cached.parse(["buy car", "sell car"])[0] == parses[1]
    assert parser.asked == ["renew visa", "buy car", "sell car"]


def test_another_version_parses_again(cache: ParseCache) -> None:
    newer = ChainParser(version="2")
    CachedParser(ChainParser(), cache).parse(["renew visa"])
    CachedParser(newer, cache).parse(["renew visa"])

    assert newer.asked == ["renew visa"]


def test_a_damaged_entry_is_parsed_again(cache: ParseCache) -> None:
    parser = ChainParser()
    whole = CachedParser(parser, cache).parse(["renew visa"])
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE parses SET parse = '[['")

    assert CachedParser(parser, cache).parse(["renew visa"]) == whole
    assert parser.asked == ["renew visa"] * 2


def test_progress_counts_what_is_new(cache: ParseCache) -> None:
    seen: list[tuple[int, int]] = []
    cached = CachedParser(ChainParser(), cache, lambda done, total: seen.append((done, total)))
    cached.parse(["known"])
    cached.parse(["known", *(f"text {number}" for number in range(CHUNK + 1))])

    assert seen == [(1, 1), (CHUNK, CHUNK + 1), (CHUNK + 1, CHUNK + 1)]


def test_it_has_the_name_of_the_parser_behind(cache: ParseCache) -> None:
    cached: Parser = CachedParser(ChainParser(), cache)

    assert (cached.name, cached.version) == ("chain", "1")


def test_little_is_parsed_here(cache: ParseCache) -> None:
    (parse,) = CachedParser(ProcessParser(), cache).parse(["text"])

    assert parse.words == ("text", str(os.getpid()))


def test_much_is_parsed_by_other_processes_in_order(
    cache: ParseCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    texts = [f"text {number}" for number in range(2 * WORTH_A_PROCESS)]

    parses = CachedParser(ProcessParser(), cache).parse(texts)

    assert [parse.words[0] for parse in parses] == texts
    assert str(os.getpid()) not in {parse.words[1] for parse in parses}


def test_a_script_without_a_main_guard_gets_its_parses_all_the_same(tmp_path: Path) -> None:
    (script := tmp_path / "script.py").write_text(
        f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from handmade_parses import ProcessParser
from askagain.rerank.keywords.cache import ParseCache
from askagain.rerank.keywords.cachedparser import CachedParser
texts = [f"text {{number}}" for number in range({2 * WORTH_A_PROCESS})]
parses = CachedParser(ProcessParser(), ParseCache(Path("parses.db"))).parse(texts)
print([parse.words[0] for parse in parses] == texts)
"""
    )
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True
    )

    assert done.stdout == "True\n"
