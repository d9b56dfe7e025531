"""`askagain evaluate`, `compare` and `score` with the real executable."""

import json
from pathlib import Path

import pytest
from executable import askagain

from commands import json_of, refused, succeeded

FIGURES = {"acc@1", "acc@5", "acc@10", "mrr@10", "recall@100"}
OFFICIAL_FIGURES = {"map", "avgrec", "mrr", "p", "r", "f1", "acc"}


@pytest.fixture(scope="module")
def saved(english: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the per-query results of two systems, and the report of the same run."""
    folder = tmp_path_factory.mktemp("saved") / "results"
    report = succeeded(
        "evaluate", english, "--system", "tfidf,bm25", "--fields", "title", "--save", folder, "--json"
    )
    (folder / "report.json").write_text(report)
    return folder


def test_json_has_the_documented_shape(saved: Path) -> None:
    report = json.loads((saved / "report.json").read_text())

    assert (report["set"], report["split"], report["fields"]) == ("english", "all", ["title"])
    assert report["queries"] == 831
    assert list(report["systems"]) == ["tfidf", "bm25"]
    for figures in report["systems"].values():
        assert set(figures) == {*FIGURES, "ci95", "seconds"}
        for metric in FIGURES:
            low, high = figures["ci95"][metric]
            assert 0 < low <= figures[metric] <= high < 100


def test_compare_lists_the_queries_that_changed_most(saved: Path) -> None:
    paths = (saved / "tfidf.jsonl", saved / "bm25.jsonl")

    changes = json_of("compare", *paths, "--metric", "mrr@10", "--limit", 3)["changes"]
    printed = askagain("compare", *paths, "--metric", "mrr@10", "--limit", 3, check=True).stdout

    assert len(changes) == 3
    assert "A = tfidf (title), B = bm25 (title)" in printed
    for change in changes:
        assert change["title"][:60] in printed


def test_the_split_that_was_taken_is_told(data_dir: Path) -> None:
    done = askagain("evaluate", data_dir / "semeval", "--system", "given")

    assert done.stderr == "no --split was given: this is dev\n"
    assert done.stdout.startswith("semeval, split dev, title+body, 50 queries")


def test_given_oracle_and_random_exist_for_lists(data_dir: Path) -> None:
    report = json_of("evaluate", data_dir / "askubuntu-lei", "--system", "given,oracle,random")

    means = {name: figures["map"] for name, figures in report["systems"].items()}
    assert report["split"] == "test"
    assert means["random"] < means["given"] < means["oracle"] == 100


def test_a_run_file_scores_as_the_evaluation_says(data_dir: Path, tmp_path: Path) -> None:
    run, results = tmp_path / "bm25.run", tmp_path / "bm25.jsonl"
    gold = data_dir / "semeval" / "gold" / "SemEval2016-Task3-CQA-QL-dev.xml.subtaskB.relevancy"
    options = ("--system", "bm25", "--set", "k1=0.4", "--split", "dev", "--run", run, "--save", results)

    report = json_of("evaluate", data_dir / "semeval", *options)
    figures = json_of("score", run, gold)

    assert set(figures) == OFFICIAL_FIGURES
    for name, value in figures.items():
        assert value == pytest.approx(report["systems"]["bm25"][name])
    printed = askagain("score", run, gold, check=True).stdout
    assert printed.splitlines()[0].split() == ["map", f"{figures['map']:.2f}"]
    header, *queries = map(json.loads, results.read_text().splitlines())
    assert header["settings"]["similarity"] == {"name": "bm25", "k1": 0.4, "b": 0.75}
    assert len(queries) == 50


def test_a_split_without_labels_can_be_run_but_not_judged(data_dir: Path, tmp_path: Path) -> None:
    run = tmp_path / "given.run"

    report = json_of(
        "evaluate", data_dir / "semeval", "--split", "test2017", "--system", "given", "--run", run
    )

    assert report["note"] == "no labels"
    assert len(run.read_text().splitlines()) == 880


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--split", "test"], "no split 'test'; available: all"),
        (["--system", "bm25,magic"], "no system is named 'magic'"),
        (["--system", "bm25", "--save", "no/such/folder"], "does not exist; make it first"),
    ],
)
def test_wrong_settings_are_one_line_before_anything_runs(
    options: list[str], expected: str, english: Path
) -> None:
    assert expected in refused("evaluate", english, *options)


def test_score_and_compare_name_the_file_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "wrong.txt"
    path.write_text("neither a run nor results\n")

    assert "wrong.txt:1: " in refused("score", path, path)
    assert "wrong.txt:1: " in refused("compare", path, path)
