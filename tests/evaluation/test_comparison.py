"""Comparing two saved results: the queries that changed most come first, with all that explains them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fixed_ranker import FixedRanker

from askagain.errors import BenchmarkError
from askagain.evaluation.benchmarks import RetrievalBenchmark
from askagain.evaluation.comparison import compare
from askagain.evaluation.protocols import run_retrieval
from askagain.evaluation.saved import SavedResults, load_results, save_results


def results(
    folder: Path, benchmark: RetrievalBenchmark, system: str, answers: dict[str, str]
) -> SavedResults:
    run = run_retrieval(FixedRanker(system, answers), benchmark)
    save_results(run, folder / system, settings={})
    return load_results(folder / system)


@pytest.fixture
def old(tmp_path: Path, retrieval: RetrievalBenchmark) -> SavedResults:
    """Right at once for a and d, second for b and c, never for e."""
    return results(tmp_path, retrieval, "old", {"a": "b", "b": "fa", "c": "fa", "d": "e", "e": "f"})


@pytest.fixture
def new(tmp_path: Path, retrieval: RetrievalBenchmark) -> SavedResults:
    """Better on b and e, worse on d, the same on a and c."""
    return results(tmp_path, retrieval, "new", {"a": "b", "b": "a", "c": "fa", "d": "fae", "e": "d"})


def test_largest_changes_come_first(old: SavedResults, new: SavedResults) -> None:
    changes = compare(old, new, "mrr@10").changes
    assert [(change.first.id, round(change.difference, 1)) for change in changes] == [
        ("e", 100.0),
        ("d", -66.7),
        ("b", 50.0),
    ]


def test_better_worse_and_same_are_counted(old: SavedResults, new: SavedResults) -> None:
    comparison = compare(old, new, "mrr@10", limit=1)
    assert (comparison.better, comparison.worse, comparison.same, len(comparison.changes)) == (2, 1, 2, 1)


def test_default_metric_is_the_first(old: SavedResults, new: SavedResults) -> None:
    assert compare(old, new).metric == "acc@1"


def test_text_shows_the_query_what_both_found_and_what_was_right(
    old: SavedResults, new: SavedResults
) -> None:
    assert compare(old, new, "mrr@10", limit=2).to_text().splitlines() == [
        "letters, split test",
        "A = old (title), B = new (title)",
        "mrr@10: B better on 2 queries, worse on 1, same on 2",
        "",
        "+100.0  (0.0 → 100.0)  e  Title of e",
        "    A found 1   f  Title of f",
        "    B found 1 ✓ d  Title of d",
        "    relevant   ✓ d  Title of d",
        "",
        "-66.7  (100.0 → 33.3)  d  Title of d",
        "    A found 1 ✓ e  Title of e",
        "    B found 1   f  Title of f",
        "    B found 2   a  Title of a",
        "    B found 3 ✓ e  Title of e",
        "    relevant   ✓ e  Title of e",
    ]


def test_text_is_safe_for_a_terminal_and_short(old: SavedResults, new: SavedResults) -> None:
    hostile = replace(old.queries["e"], title="\x1b[2J\r\n" + "x" * 10_000)
    changed = replace(old, queries={**old.queries, "e": hostile})
    text = compare(changed, new, "mrr@10", limit=1).to_text()
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) < 150


def test_json_has_the_same_content(old: SavedResults, new: SavedResults) -> None:
    result = json.loads(json.dumps(compare(old, new, "mrr@10", limit=1).to_json()))
    assert (result["systems"], result["metric"], result["better"]) == (["old", "new"], "mrr@10", 2)
    assert result["changes"] == [
        {
            "id": "e",
            "title": "Title of e",
            "difference": 100.0,
            "values": [0.0, 100.0],
            "top": [
                [{"id": "f", "title": "Title of f", "score": 1.0}],
                [{"id": "d", "title": "Title of d", "score": 1.0}],
            ],
            "relevant": [{"id": "d", "title": "Title of d"}],
        }
    ]


def test_unknown_metric_names_those_available(old: SavedResults, new: SavedResults) -> None:
    with pytest.raises(BenchmarkError, match="no metric 'map' in both results; available: acc@1, acc@5"):
        compare(old, new, "map")


@pytest.mark.parametrize(("name", "split"), [("quora", "test"), ("letters", "dev")])
def test_results_of_different_splits_cannot_be_compared(
    old: SavedResults, new: SavedResults, name: str, split: str
) -> None:
    foreign = replace(new, header=replace(new.header, set=name, split=split))
    with pytest.raises(BenchmarkError, match=r"the results are of letters \(test\) and"):
        compare(old, foreign)


def test_results_of_different_versions_of_a_set_cannot_be_compared(
    old: SavedResults, new: SavedResults
) -> None:
    changed = replace(new, header=replace(new.header, data_hash="0" * 64))
    with pytest.raises(BenchmarkError, match="two different versions of letters"):
        compare(old, changed)


def test_results_on_other_fields_of_the_same_set_can_be_compared(
    old: SavedResults, new: SavedResults
) -> None:
    both = replace(new, header=replace(new.header, data_hash="0" * 64, fields=["title", "body"]))
    assert compare(old, both).second.fields == ["title", "body"]
