"""Per-query results are read back as they were saved; damaged files are refused with their line."""

import json
from pathlib import Path

import pytest
from fixed_ranker import FixedRanker, MakeLists

from askagain.errors import BenchmarkError
from askagain.evaluation.benchmarks import RetrievalBenchmark
from askagain.evaluation.protocols import run_given, run_reranking, run_retrieval
from askagain.evaluation.saved import Listed, load_results, save_results


@pytest.fixture
def saved(tmp_path: Path, retrieval: RetrievalBenchmark) -> Path:
    """The results of a system that finds f and b for every query."""
    run = run_retrieval(FixedRanker("fixed", dict.fromkeys("abcde", "fb")), retrieval)
    save_results(run, tmp_path / "results.jsonl", settings={"k1": 1.2}, seed=7)
    return tmp_path / "results.jsonl"


def test_header_names_what_was_run(saved: Path, retrieval: RetrievalBenchmark) -> None:
    header = load_results(saved).header
    assert (header.set, header.split, header.fields, header.system) == ("letters", "test", ["title"], "fixed")
    assert (header.settings, header.seed, header.data_hash) == ({"k1": 1.2}, 7, retrieval.data_hash)


def test_query_has_its_text_what_was_found_and_what_was_right(saved: Path) -> None:
    query = load_results(saved).queries["a"]
    assert query.title == "Title of a"
    assert query.top == [Listed("f", "Title of f", 2.0), Listed("b", "Title of b", 1.0)]
    assert query.relevant == [Listed("b", "Title of b"), Listed("c", "Title of c")]


def test_query_has_its_own_figures_in_percent(saved: Path) -> None:
    figures = load_results(saved).queries["a"].metrics
    assert figures == {"acc@1": 0, "acc@5": 100, "acc@10": 100, "mrr@10": 50, "recall@100": 50}


def test_only_the_ten_best_are_saved(tmp_path: Path, make_lists: MakeLists) -> None:
    save_results(run_given(make_lists("+" + "-" * 14)), tmp_path / "results.jsonl", settings={})
    assert len(load_results(tmp_path / "results.jsonl").queries["Q1"].top) == 10


def test_lists_are_saved_in_the_systems_order(tmp_path: Path, make_lists: MakeLists) -> None:
    run = run_reranking(FixedRanker("fixed", {"Q1": [1, 2]}), make_lists("+-"))
    save_results(run, tmp_path / "results.jsonl", settings={})
    top = load_results(tmp_path / "results.jsonl").queries["Q1"].top
    assert [listed.id for listed in top] == ["Q1_R2", "Q1_R1"]


def test_saving_twice_gives_the_same_bytes(tmp_path: Path, make_lists: MakeLists) -> None:
    for name in ("one", "two"):
        save_results(run_given(make_lists("+-", "-+")), tmp_path / name, settings={"b": 1, "a": 2})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_lists_without_labels_have_nothing_to_save(tmp_path: Path, make_lists: MakeLists) -> None:
    with pytest.raises(BenchmarkError, match="no labels"):
        save_results(run_given(make_lists("??")), tmp_path / "results.jsonl", settings={})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"jsonl:3: .*the line is not JSON"),
        ("[" * 100_000, r"jsonl:3: .*the line is not JSON"),
        ("[]", r"jsonl:3: .*expected an object"),
        ("{}", r"jsonl:3: .*'id' is missing or not a str"),
        (
            '{"id": "x", "title": "t", "metrics": {"map": "high"}}',
            r"jsonl:3: .*'map' is missing or not a float",
        ),
        ('{"id": "x", "title": "t", "metrics": {}, "top": [1]}', r"jsonl:3: .*expected an object"),
    ],
)
def test_damaged_line_is_an_error_that_names_it(saved: Path, line: str, message: str) -> None:
    lines = saved.read_text().splitlines()
    saved.write_text("\n".join([*lines[:2], line, *lines[3:]]))
    with pytest.raises(BenchmarkError, match=message):
        load_results(saved)


def test_other_format_is_an_error(saved: Path) -> None:
    lines = saved.read_text().splitlines()
    saved.write_text("\n".join([json.dumps({**json.loads(lines[0]), "format": "another"}), *lines[1:]]))
    with pytest.raises(BenchmarkError, match="format 'another'; expected 'askagain per-query results 1'"):
        load_results(saved)


@pytest.mark.parametrize(
    ("content", "message"), [(b"", "no queries in it"), (b"\xff\xfe", "not a text file")]
)
def test_file_without_results_is_an_error(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(BenchmarkError, match=message):
        load_results(tmp_path / "x")


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="cannot be read: No such file"):
        load_results(tmp_path / "none")
