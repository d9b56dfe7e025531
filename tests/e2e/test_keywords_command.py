"""`askagain keywords` with the real executable and the real parser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from executable import askagain

from askagain.errors import MissingExtraError
from askagain.rerank.keywords.parsing import find_parser
from commands import in_this_process, json_of, refused, succeeded
from support import require

TEXT = "How do I renew my residence visa in Qatar? Which is the best bank?"


@pytest.fixture(scope="module", autouse=True)
def parser_and_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of these tests' own, which spares them to load the parser each time; its file."""
    try:
        find_parser("spacy")
    except MissingExtraError as error:
        require(False, str(error))
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASKAGAIN_CACHE", str(cache))
        yield cache / "parses.db"


def test_words_have_scores_and_keywords_are_marked() -> None:
    done = askagain("keywords", TEXT)

    first, *words = done.stdout.splitlines()
    assert first == "How do I renew my residence visa in Qatar?"
    assert [line.split()[-1] for line in words[:4]] == ["renew", "residence", "visa", "qatar"]
    assert sum(line.startswith("  * ") for line in words[:4]) == 3
    assert words[-1].startswith("keywords: ")
    assert done.stderr == "without --vectors, all words count as equally far from each other\n"


def test_json_has_scores_edges_and_the_parser() -> None:
    found = json_of("keywords", TEXT)

    assert found["parser"]["name"].startswith("spacy/en")
    visa, bank = found["sub_sentences"]
    assert [word["word"] for word in bank["words"]] == ["best", "bank"]
    assert [edge["words"] for edge in visa["edges"]] == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert found["keywords"][-1] == "bank"


def test_word_vectors_change_the_scores(tmp_path: Path) -> None:
    (vectors := tmp_path / "vectors.txt").write_text("renew 0 0\nvisa 0 1\nqatar 9 9\nbest 0 5\n")
    with_vectors = in_this_process("keywords", TEXT, "--vectors", vectors)

    assert with_vectors.stdout != succeeded("keywords", TEXT)
    assert with_vectors.stderr == f"{vectors} has no vector of 2 of 6 words\n"


def test_the_graph_is_drawn(tmp_path: Path) -> None:
    succeeded("keywords", TEXT, "--svg", tmp_path / "graph.svg")

    assert (tmp_path / "graph.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_parses_are_kept(parser_and_cache: Path) -> None:
    first = succeeded("keywords", TEXT)

    assert parser_and_cache.is_file()
    assert succeeded("keywords", TEXT) == first


@pytest.mark.parametrize("text", ["", "the of", "😀 ?!", "\u202e\u200b"])
def test_a_text_without_keywords_says_so(text: str) -> None:
    closing = "No keywords: there are only stop words, or none at all.\n"

    assert succeeded("keywords", text).endswith(closing)


def test_nothing_in_a_text_is_obeyed_by_the_terminal() -> None:
    assert "\x1b" not in succeeded("keywords", "clear \x1b[2J [red]screen[/red]")


def test_a_picture_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    assert "the folder" in refused("keywords", TEXT, "--svg", tmp_path / "no" / "graph.svg")


def test_vectors_that_are_not_there_are_one_line(tmp_path: Path) -> None:
    assert "vectors.txt" in refused("keywords", TEXT, "--vectors", tmp_path / "vectors.txt")
