"""Reports: the JSON shape that other tools read, the letters of significance, tables in three formats."""

import json
from dataclasses import replace

import pytest
from fixed_ranker import FixedRanker, MakeLists

from askagain.errors import BenchmarkError
from askagain.evaluation.benchmarks import RetrievalBenchmark
from askagain.evaluation.protocols import run_given, run_oracle, run_random, run_reranking, run_retrieval
from askagain.evaluation.results import EvaluationReport, PairedTest, report

LABELS = ["--+-------", "-+--------"] * 20


def lists_report(make_lists: MakeLists) -> EvaluationReport:
    """A system that is always right, one that reverses the lists, and the three built-in orders."""
    benchmark = make_lists(*LABELS)
    right = {f"Q{n}": [float(c == "+") for c in word] for n, word in enumerate(LABELS, start=1)}
    reverse = {f"Q{n}": [float(r) for r in range(10)] for n in range(1, len(LABELS) + 1)}
    runs = [
        run_reranking(FixedRanker("right", right), benchmark),
        run_reranking(FixedRanker("reverse", reverse), benchmark),
        run_given(benchmark),
        run_oracle(benchmark),
        run_random(benchmark),
    ]
    return report(runs, resamples=200, permutations=500, seed=1)


def test_json_of_retrieval_has_the_agreed_shape(retrieval: RetrievalBenchmark) -> None:
    run = run_retrieval(FixedRanker("fixed", dict.fromkeys("abcde", "bd")), retrieval)
    result = json.loads(json.dumps(report([run]).to_json()))
    names = ["acc@1", "acc@5", "acc@10", "mrr@10", "recall@100"]
    assert [result[key] for key in ("set", "split", "fields", "queries")] == ["letters", "test", ["title"], 5]
    assert list(result["systems"]["fixed"]) == [*names, "ci95", "seconds"]
    assert list(result["systems"]["fixed"]["ci95"]) == names


def test_json_of_semeval_lists_names_the_seven_figures(make_lists: MakeLists) -> None:
    system = lists_report(make_lists).systems[0]
    assert list(system.values) == ["map", "avgrec", "mrr", "p", "r", "f1", "acc"]


def test_json_of_lei_lists_names_four_figures(make_lists: MakeLists) -> None:
    system = report([run_given(make_lists("+-", "-+", protocol="lei"))]).systems[0]
    assert list(system.values) == ["map", "mrr", "p@1", "p@5"]


def test_values_are_in_percent(make_lists: MakeLists) -> None:
    assert report([run_given(make_lists("-+"))]).systems[0].values["mrr"] == 50.0


def test_intervals_are_in_percent_and_hold_the_value(make_lists: MakeLists) -> None:
    given = lists_report(make_lists).systems[2]
    low, high = given.intervals["map"]
    assert 33.3 < low < given.values["map"] < high < 50.0


def test_queries_are_those_that_were_averaged(make_lists: MakeLists) -> None:
    assert report([run_given(make_lists("+-", "--", protocol="lei"))]).queries == 1


def test_better_system_carries_the_letters_of_those_it_beats(make_lists: MakeLists) -> None:
    result = lists_report(make_lists)
    assert [result.beaten(name, "map") for name in ("right", "reverse", "given")] == ["bc", "", "b"]


def test_oracle_and_random_are_not_tested(make_lists: MakeLists) -> None:
    tested = {name for test in lists_report(make_lists).tests for name in (test.first, test.second)}
    assert tested == {"right", "reverse", "given"}


@pytest.mark.parametrize(
    ("difference", "p_holm", "winner"),
    [(1.0, 0.01, "a"), (-1.0, 0.01, "b"), (1.0, 0.05, None), (0.0, 0.01, None)],
)
def test_winner_needs_a_significant_difference(difference: float, p_holm: float, winner: str | None) -> None:
    assert PairedTest("map", "a", "b", difference, 0.01, p_holm).winner == winner


def test_json_lists_every_test(make_lists: MakeLists) -> None:
    tests = lists_report(make_lists).to_json()["significance"]
    assert isinstance(tests, list)
    assert tests[0] == {
        "metric": "map",
        "systems": ["right", "reverse"],
        "difference": pytest.approx(100 - 100 * (1 / 8 + 1 / 9) / 2),
        "p": pytest.approx(1 / 501),
        "p_holm": pytest.approx(3 / 501),
    }


def test_same_runs_give_the_same_report(make_lists: MakeLists) -> None:
    run = run_given(make_lists(*LABELS))
    assert report([run]) == report([run])


def test_table_shows_letters_values_and_intervals(make_lists: MakeLists) -> None:
    lines = lists_report(make_lists).to_table().splitlines()
    assert lines[0] == "tiny, split dev, title, 40 queries"
    assert lines[2].split()[:3] == ["system", "map", "avgrec"]
    assert lines[3].split()[:4] == ["a", "right", "100.00", "bc"]
    assert lines[4].split()[:2] == ["[100.00", "100.00]"]


def test_markdown_shows_letters_as_superscripts(make_lists: MakeLists) -> None:
    assert "| a | right | 100.00<sup>bc</sup> [100.00, 100.00] |" in lists_report(make_lists).to_markdown()


def test_latex_shows_letters_as_superscripts(make_lists: MakeLists) -> None:
    expected = r"a & right & 100.00$^{\mathrm{bc}}$ {\scriptsize [100.00, 100.00]} &"
    assert expected in lists_report(make_lists).to_latex()


def test_lists_without_labels_are_reported_as_such(make_lists: MakeLists) -> None:
    result = report([run_given(make_lists("??"))])
    assert result.to_json()["note"] == "no labels"
    assert "no labels" in result.to_table()


def test_lists_without_labels_have_no_figures(make_lists: MakeLists) -> None:
    systems = report([run_given(make_lists("??")), run_random(make_lists("??"))]).to_json()["systems"]
    assert isinstance(systems, dict)
    assert {name: sorted(system) for name, system in systems.items()} == {
        "given": ["ci95", "seconds"],
        "random": ["ci95", "seconds"],
    }


def test_runs_of_one_system_count_with_their_mean_for_each_query(make_lists: MakeLists) -> None:
    benchmark = make_lists("+-", "-+")
    given, oracle = run_given(benchmark), replace(run_oracle(benchmark), system="given")

    made = report([given, oracle, given, oracle])

    (system,) = made.systems
    assert system.runs == 4
    assert system.values["map"] == pytest.approx((75 + 100) / 2)
    assert "Each query's mean over 4 seeds: given." in made.to_table()
    assert made.to_json()["systems"]["given"]["seeds"] == 4  # type: ignore[index]


def test_runs_on_different_benchmarks_are_an_error(make_lists: MakeLists) -> None:
    with pytest.raises(BenchmarkError, match="different benchmarks"):
        report([run_given(make_lists("+-")), run_oracle(make_lists("-+"))])


def test_report_of_nothing_is_an_error() -> None:
    with pytest.raises(BenchmarkError, match="no runs"):
        report([])
