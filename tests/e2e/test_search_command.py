"""`askagain search` with the real executable."""

import re
import subprocess
from pathlib import Path

import pytest
from executable import ASKAGAIN, environment

from askagain import Archive, Question
from commands import json_of, refused, succeeded

ESCAPE, CSI, BELL = "\x1b", "\x9b", "\x07"
RIGHT_TO_LEFT = "\u202e"


def test_the_best_match_comes_first_with_probability_title_id_and_reason(sample_archive: Path) -> None:
    printed = succeeded("search", "How do I leave vim?", "--archive", sample_archive, "-k", 2)

    header, first, reason = printed.splitlines()[:3]
    assert header.split() == ["#", "likely", "question", "id"]
    assert re.match(r" *1 +\d+% +How do I save", first)
    assert "How do I save my file and quit vim?" in first
    assert first.split()[-1] == "computers-1"
    assert reason.strip().startswith("same: vim; only yours: leave; only theirs: ")


def test_a_system_without_probabilities_has_scores(sample_archive: Path) -> None:
    printed = succeeded("search", "How do I leave vim?", "--archive", sample_archive, "--system", "bm25")

    header, first = printed.splitlines()[:2]
    assert header.split() == ["#", "score", "question", "id"]
    assert re.match(r" *1 +\d+\.\d\d +How do I save", first)


def test_json_has_the_documented_shape(sample_archive: Path) -> None:
    found = json_of(
        "search", "How do I leave vim?", "--archive", sample_archive, "-k", 3, "--body", "Help!", "--explain"
    )

    assert found["query"] == {"title": "How do I leave vim?", "body": "Help!"}
    assert found["system"] == "best"
    assert len(found["matches"]) == 3
    best = found["matches"][0]
    assert best["id"] == "computers-1"
    assert best["title"] == "How do I save my file and quit vim?"
    assert 0 < best["probability"] < 1
    assert best["reason"].startswith("same: vim; only yours: leave; only theirs: ")
    assert set(best["explanation"]) == {"shared", "aligned", "only_asked", "only_found"}
    assert set(best["explanation"]["shared"][0]) == {"word", "weight"}
    assert best["answer"].startswith("Press Esc")
    assert set(best["reasons"][0]) == {"term", "field", "share"}


def test_explain_shows_words_with_weights_and_terms_with_field_share_and_percent(
    sample_archive: Path,
) -> None:
    lexical = ("--system", "bm25", "--explain")
    printed = succeeded("search", "vim", "--archive", sample_archive, "-k", 1, *lexical)

    lines = [" ".join(line.split()) for line in printed.splitlines()]
    assert any(line.startswith("same vim ") for line in lines)
    assert any(line.startswith("only theirs ") for line in lines)
    shares = [line.split() for line in lines if line.endswith("%")]
    assert [share[:3] for share in shares] == [["vim", "in", "title"], ["vim", "in", "body"]]
    assert sum(int(share[4].rstrip("%")) for share in shares) == pytest.approx(100, abs=1)


def test_a_question_that_shares_no_word_finds_nothing(sample_archive: Path) -> None:
    told = succeeded("search", "zzyzx", "--archive", sample_archive, "--system", "bm25")

    assert told == "Nothing found: bm25 knows no word of this question from the archive.\n"


def test_hostile_titles_reach_the_terminal_as_plain_text(tmp_path: Path) -> None:
    archive = tmp_path / "hostile.db"
    title = (
        f"{ESCAPE}[31mred{BELL}{CSI}2J{RIGHT_TO_LEFT} [bold]boot[/bold] [link=http://x]here :smile: \r\nend"
    )
    with Archive.open(archive) as opened:
        opened.add(Question(title=title, id="[red]1[/red]"))

    table = succeeded("search", f"boot{ESCAPE}[2J", "--archive", archive, "--explain")
    as_json = succeeded("search", f"boot{ESCAPE}[2J", "--archive", archive, "--json")

    assert not {ESCAPE, CSI, BELL, RIGHT_TO_LEFT, "\r"} & set(table + as_json)
    for harmless in ("[31mred", "[bold]boot[/bold]", "[link=http://x]here", ":smile:", "[red]1[/red]"):
        assert harmless in table


def test_a_terminal_without_unicode_gets_what_it_can_show(sample_archive: Path) -> None:
    done = subprocess.run(
        [ASKAGAIN, "search", "café Ã© characters", "--archive", sample_archive],
        env={**environment(), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=60,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()


def test_a_reader_that_leaves_early_is_no_error(sample_archive: Path) -> None:
    command = f'"{ASKAGAIN}" search "how do I" -k 300 --archive "{sample_archive}" --system bm25 | head -n 1'

    done = subprocess.run(command, shell=True, env=environment(), capture_output=True, text=True, timeout=60)

    assert done.stdout.split() == ["#", "score", "question", "id"]
    assert done.stderr == ""


def test_a_missing_archive_is_one_line(tmp_path: Path) -> None:
    assert "does not exist" in refused("search", "vim", "--archive", tmp_path / "none.db")


def test_a_file_that_is_no_archive_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all, but long enough to look like one\n" * 100)

    assert "is not an askagain archive" in refused("search", "vim", "--archive", path)


def test_an_unknown_system_is_one_line_that_lists_the_known(sample_archive: Path) -> None:
    message = refused("search", "vim", "--archive", sample_archive, "--system", "magic")

    assert "tfidf, bm25, ib, dfr, lmd, lmj" in message


def test_a_wrong_command_line_is_one_line() -> None:
    assert "Missing option '--archive'" in refused("search", "vim")
