"""`askagain evaluate` and `compare` on a small set of lists and a small set of marks."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def retrieval_set(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    titles = [
        "boot from usb",
        "usb boot",
        "wifi is slow",
        "slow wifi at home",
        "install vim",
        "vim install fails",
    ]
    rows = [json.dumps({"id": f"q{i}", "title": title}) for i, title in enumerate(titles)]
    (folder / "questions.jsonl.gz").write_bytes(gzip.compress("\n".join(rows).encode()))
    (folder / "duplicates.tsv").write_text("q0\tq1\nq2\tq3\nq4\tq5\n")
    return folder


@pytest.fixture
def lists_set(tmp_path: Path) -> Path:
    """Lists of ids with labels, as Lei et al. have them."""
    folder = tmp_path / "lists"
    folder.mkdir()
    candidates = " ".join(str(number) for number in range(10, 30))
    scores = " ".join(str(20 - position) for position in range(20))
    (folder / "test.txt").write_text(
        "".join(f"{q}\t1{q} 2{q}\t{candidates}\t{scores}\n" for q in range(1, 5))
    )
    return folder


def test_all_systems_run_if_none_is_named(retrieval_set: Path, json_of: Callable[..., Any]) -> None:
    report = json_of("evaluate", retrieval_set)

    assert list(report["systems"]) == ["tfidf", "bm25", "ib", "dfr", "lmd", "lmj"]
    assert (report["split"], report["fields"], report["queries"]) == ("all", ["title", "body"], 6)


def test_a_seed_fixes_the_random_order(lists_set: Path, json_of: Callable[..., Any]) -> None:
    def value(seed: int) -> float:
        report = json_of("evaluate", lists_set, "--system", "random", "--seed", seed)
        return float(report["systems"]["random"]["map"])

    assert value(1) == value(1) != value(2)


def test_a_parameter_can_be_changed(
    retrieval_set: Path, tmp_path: Path, succeeded: Callable[..., str]
) -> None:
    path = tmp_path / "bm25.jsonl"

    succeeded(
        "evaluate", retrieval_set, "--system", "bm25", "--set", "k1=0.4", "--set", "b=0", "--save", path
    )

    header = json.loads(path.read_text().splitlines()[0])
    assert header["settings"]["similarity"] == {"name": "bm25", "k1": 0.4, "b": 0.0}


def test_a_parameter_that_is_a_word_can_be_changed(
    retrieval_set: Path, tmp_path: Path, succeeded: Callable[..., str]
) -> None:
    path = tmp_path / "dfr.jsonl"

    succeeded("evaluate", retrieval_set, "--system", "dfr", "--set", "basic_model=g", "--save", path)

    assert json.loads(path.read_text().splitlines()[0])["settings"]["similarity"]["basic_model"] == "g"


def test_several_systems_are_saved_in_a_folder(
    lists_set: Path, tmp_path: Path, succeeded: Callable[..., str]
) -> None:
    folder = tmp_path / "new" / "results"

    succeeded("evaluate", lists_set, "--system", "given,random", "--save", folder)

    assert sorted(path.name for path in folder.iterdir()) == ["given.jsonl", "random.jsonl"]


def test_one_system_is_saved_in_a_folder_that_exists(
    lists_set: Path, tmp_path: Path, succeeded: Callable[..., str]
) -> None:
    succeeded("evaluate", lists_set, "--system", "given", "--save", tmp_path)

    assert (tmp_path / "given.jsonl").is_file()


def test_the_name_of_a_recipe_cannot_leave_the_folder(
    retrieval_set: Path, tmp_path: Path, refused: Callable[..., str]
) -> None:
    recipe = tmp_path / "own.toml"
    recipe.write_text('name = "../escaped"\n[similarity]\nname = "bm25"\n')
    folder = tmp_path / "results"

    told = refused("evaluate", retrieval_set, "--system", f"tfidf,{recipe}", "--save", folder)

    assert "the name '../escaped' is not possible" in told
    assert not folder.exists()


def test_each_system_has_a_file_of_its_name(
    retrieval_set: Path, tmp_path: Path, succeeded: Callable[..., str]
) -> None:
    (tmp_path / "own.toml").write_text('name = "bm25, steep"\n[similarity]\nk1 = 0.4\n')
    folder = tmp_path / "results"

    succeeded("evaluate", retrieval_set, "--system", f"tfidf,{tmp_path / 'own.toml'}", "--save", folder)

    assert sorted(path.name for path in folder.iterdir()) == ["bm25, steep.jsonl", "tfidf.jsonl"]


def test_compare_has_json_and_text(
    lists_set: Path, tmp_path: Path, succeeded: Callable[..., str], json_of: Callable[..., Any]
) -> None:
    succeeded("evaluate", lists_set, "--system", "given,oracle", "--save", tmp_path)
    paths = (tmp_path / "given.jsonl", tmp_path / "oracle.jsonl")

    found = json_of("compare", *paths, "--metric", "map", "--limit", 2)

    assert (found["metric"], found["better"], len(found["changes"])) == ("map", 4, 2)
    assert "map: B better on 4 queries" in succeeded("compare", *paths, "--metric", "map")


def test_markdown_and_latex_tables(lists_set: Path, succeeded: Callable[..., str]) -> None:
    command = ("evaluate", lists_set, "--system", "oracle")

    assert "| a | oracle | 100.00" in succeeded(*command, "--markdown")
    assert r"\begin{tabular}{llrrrrr}" in succeeded(*command, "--latex")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--split", "test"], "no split 'test'; available: all"),
        (["--system", "magic"], "no system is named 'magic'"),
        (["--system", ","], "names no system"),
        (["--system", "bm25,bm25"], "two systems are named 'bm25'"),
        (["--fields", "tags"], "use title or title,body"),
        (["--set", "k1"], "is not NAME=VALUE"),
        (["--set", "name=ib"], "depends on --system"),
        (["--json", "--latex"], "choose one of"),
        (["--run", "x.run"], "name one with --system"),
        (["--system", "bm25", "--run", "none/x.run"], "does not exist; make it first"),
        (["--system", "bm25", "--save", "none/x.jsonl"], "does not exist; make it first"),
    ],
)
def test_wrong_settings_are_one_line_before_anything_runs(
    options: list[str], expected: str, retrieval_set: Path, refused: Callable[..., str]
) -> None:
    assert expected in refused("evaluate", retrieval_set, *options)


def test_an_unknown_parameter_is_found_before_the_first_system_runs(
    retrieval_set: Path, refused: Callable[..., str]
) -> None:
    message = refused("evaluate", retrieval_set, "--split", "all", "--system", "bm25,lmd", "--set", "k1=1")

    assert "lmd has no parameter 'k1'" in message


def test_nothing_is_trained_if_another_system_does_not_have_the_parameter(
    retrieval_set: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., str]
) -> None:
    monkeypatch.setenv("ASKAGAIN_CACHE", str(tmp_path / "cache"))
    systems = ("--split", "all", "--system", "rcnn-small,bm25")

    of_training = refused("evaluate", retrieval_set, *systems, "--set", "training.epochs=1")
    of_bm25 = refused("evaluate", retrieval_set, *systems, "--set", "k1=1")

    assert "system bm25: bm25 has no parameter 'training.epochs'" in of_training
    assert "rcnn-small has no setting 'k1'" in of_bm25
    assert not (tmp_path / "cache").exists()


def test_a_results_folder_that_cannot_be_made_is_one_line(
    retrieval_set: Path, tmp_path: Path, refused: Callable[..., str]
) -> None:
    (tmp_path / "file").touch()

    message = refused("evaluate", retrieval_set, "--system", "tfidf,bm25", "--save", tmp_path / "file" / "x")

    assert "cannot make the folder" in message


def test_a_folder_that_is_no_set_is_one_line(tmp_path: Path, refused: Callable[..., str]) -> None:
    assert "not a question set" in refused("evaluate", tmp_path)
