"""Run files: the real submissions of 2016 re-scored, hostile files refused, our own files read back."""

import random
from pathlib import Path

import pytest
from fixed_ranker import Answers, FixedRanker, MakeLists

from askagain.errors import BenchmarkError
from askagain.evaluation.benchmarks import RetrievalBenchmark
from askagain.evaluation.protocols import run_given, run_oracle, run_reranking, run_retrieval
from askagain.evaluation.results import report
from askagain.evaluation.runs import read_run, score_run, write_run

RUNS_OF_TEAM = {
    "ConvKN": ["contrastive1", "primary"],
    "ECNU": ["contrastive1", "contrastive2", "primary"],
    "ICL00": ["contrastive1", "contrastive2", "primary"],
    "ITNLP-AiKF": ["primary"],
    "Kelp": ["contrastive1", "contrastive2", "primary"],
    "QAIIIT": ["contrastive1", "contrastive2", "primary"],
    "SLS": ["contrastive1", "contrastive2", "primary"],
    "SUper_team": ["contrastive1", "primary"],
    "UH-PRHLT": ["contrastive1", "contrastive2", "primary"],
    "UniMelb": ["primary"],
    "overfitting": ["primary"],
}
SUBMISSIONS = [f"{team}/subtask_B_{run}.txt" for team, runs in RUNS_OF_TEAM.items() for run in runs]
GOLD = "Q1 Q1_R1 1 1.0 true\nQ1 Q1_R2 2 0.5 false\n"


def read_score_file(path: Path) -> dict[str, str]:
    """The seven figures of the official scorer, as it prints them: MRR in percent, the others not."""
    _, line = path.read_text(encoding="utf-8").split("ALL SCORES:")
    return dict(zip(["map", "avgrec", "mrr", "p", "r", "f1", "acc"], line.split(), strict=True))


def printed(figures: dict[str, float]) -> dict[str, str]:
    """Figures in percent, as the official scorer prints them."""
    return {name: f"{value if name == 'mrr' else value / 100:.4f}" for name, value in figures.items()}


def gold_file(data_dir: Path, split: str) -> Path:
    return data_dir / "semeval" / "gold" / f"SemEval2016-Task3-CQA-QL-{split}.xml.subtaskB.relevancy"


def files(folder: Path, run: str | bytes, gold: str = GOLD) -> tuple[Path, Path]:
    """A run file and a gold file with the given content."""
    (folder / "run.txt").write_bytes(run if isinstance(run, bytes) else run.encode())
    (folder / "gold.txt").write_text(gold)
    return folder / "run.txt", folder / "gold.txt"


def test_there_are_25_submissions_and_all_are_tested(data_dir: Path) -> None:
    folder = data_dir / "semeval" / "submissions2016"
    assert sorted(path.relative_to(folder).as_posix() for path in folder.glob("*/*.txt")) == sorted(
        SUBMISSIONS
    )


@pytest.mark.parametrize("submission", SUBMISSIONS)
def test_submission_scores_as_the_official_scorer_says(data_dir: Path, submission: str) -> None:
    run = data_dir / "semeval" / "submissions2016" / submission
    expected = read_score_file(run.with_name(run.name + ".score"))
    assert printed(score_run(run, gold_file(data_dir, "test"))) == expected


def test_unimelbs_vote_owes_its_ties_to_the_search_engine(data_dir: Path, tmp_path: Path) -> None:
    """Its scores are shares of three votes: with ties in random order its MAP of 70.20 is about 65.4."""
    run = data_dir / "semeval" / "submissions2016" / "UniMelb" / "subtask_B_primary.txt"
    gold, lines = gold_file(data_dir, "test"), read_run(run)
    assert {round(3 * line.score, 2) for line in lines} == {0, 1, 2, 3}

    figures = []
    for seed in range(20):
        draw = random.Random(seed)
        shuffled = [
            f"{line.query} {line.candidate} 0 {line.score + 0.1 * draw.random()} {str(line.label).lower()}"
            for line in lines
        ]
        (tmp_path / "shuffled.txt").write_text("\n".join(shuffled))
        figures.append(score_run(tmp_path / "shuffled.txt", gold)["map"])

    assert score_run(run, gold)["map"] == pytest.approx(70.20, abs=0.005)
    assert sum(figures) / len(figures) == pytest.approx(65.4, abs=0.8)


@pytest.mark.parametrize(
    ("split", "published"), [("dev", [71.35, 86.11, 76.67]), ("test", [74.75, 88.30, 83.79])]
)
def test_gold_file_scored_as_a_run_has_the_search_engines_order(
    data_dir: Path, split: str, published: list[float]
) -> None:
    figures = score_run(gold_file(data_dir, split), gold_file(data_dir, split))
    assert [round(figures[name], 2) for name in ("map", "avgrec", "mrr")] == published


def test_only_scores_order_the_candidates_not_ranks(tmp_path: Path) -> None:
    run = "Q1 Q1_R1 2 0.9 true\nQ1 Q1_R2 1 0.1 true\n"
    assert score_run(*files(tmp_path, run))["map"] == 100.0


def test_ties_keep_the_gold_files_order_even_if_the_run_has_another(tmp_path: Path) -> None:
    run = "Q1 Q1_R2 0 0.5 true\nQ1 Q1_R1 0 0.5 true\n"
    assert score_run(*files(tmp_path, run))["map"] == 100.0


def test_scientific_notation_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    run = b"\xef\xbb\xbfQ1\tQ1_R1\t0\t-4.3E-4\ttrue\r\nQ1\tQ1_R2\t0\t1e3\tfalse\r\n"
    lines = read_run(files(tmp_path, run)[0])
    assert [(line.query, line.score) for line in lines] == [("Q1", -4.3e-4), ("Q1", 1000.0)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Q1 Q1_R2 0 0.5", "run.txt:2: 4 columns; expected 5"),
        ("", "run.txt:2: 0 columns; expected 5"),
        ("Q1 Q1_R2 0 0.5 true extra", "run.txt:2: 6 columns; expected 5"),
        ("Q1 Q1_R2 first 0.5 true", "run.txt:2: rank 'first'; expected a whole number"),
        ("Q1 Q1_R2 0 high true", "run.txt:2: score 'high'; expected a finite number"),
        ("Q1 Q1_R2 0 nan true", "run.txt:2: score 'nan'; expected a finite number"),
        ("Q1 Q1_R2 0 1e999 true", "run.txt:2: score '1e999'; expected a finite number"),
        ("Q1 Q1_R2 0 0.5 yes", "run.txt:2: label 'yes'; expected true or false"),
        ("Q1 Q1_R1 0 0.5 true", "run.txt:2: the pair Q1 Q1_R1 came before"),
        ("Q1 Q1_R3 0 0.5 true", "run.txt: the pair Q1 Q1_R2 of .*gold.txt is missing"),
        ("Q1 Q1_R2 0 0.5 true\nQ9 Q9_R1 0 0.5 true", "run.txt: the pair Q9 Q9_R1 is not in .*gold.txt"),
        ("Q1 Q1_R2 0 " + "9" * 5000 + "x true", "expected a finite number"),
        ("Q1 Q1_R2 " + "9" * 5000 + " 1 true", "expected a whole number"),
    ],
)
def test_broken_line_is_an_error_that_names_it(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(BenchmarkError, match=message) as caught:
        score_run(*files(tmp_path, f"Q1 Q1_R1 0 0.9 true\n{line}\n"))
    assert len(str(caught.value).replace(str(tmp_path), "")) < 150


@pytest.mark.parametrize(
    ("content", "message"), [(b"", "run.txt: empty"), (b"\x80\x81\n", "run.txt: not a text file in UTF-8")]
)
def test_file_that_is_no_run_is_an_error(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(BenchmarkError, match=message):
        score_run(*files(tmp_path, content))


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"none\.txt: cannot be read: No such file"):
        read_run(tmp_path / "none.txt")


def test_written_lists_have_ranks_by_score_in_the_lists_order(tmp_path: Path, make_lists: MakeLists) -> None:
    run = run_reranking(FixedRanker("fixed", {"Q1": [0.25, 1.5, 0.25]}), make_lists("-+-"))
    write_run(run, tmp_path / "run.txt")
    assert (tmp_path / "run.txt").read_text() == (
        "Q1\tQ1_R1\t2\t0.25\tfalse\nQ1\tQ1_R2\t1\t1.5\ttrue\nQ1\tQ1_R3\t3\t0.25\tfalse\n"
    )


def test_written_lists_score_as_the_report_says(tmp_path: Path, make_lists: MakeLists) -> None:
    benchmark = make_lists("-+-", "+--", "--+", "---")
    scores: Answers = {"Q1": [1 / 3, 0.1, 0.1], "Q2": [1, 2, 3], "Q3": [0, 0, 1e-17], "Q4": [5, 5, 5]}
    run = run_reranking(FixedRanker("fixed", scores), benchmark)
    write_run(run, tmp_path / "run.txt")
    write_run(run_oracle(benchmark), tmp_path / "gold.txt")
    assert score_run(tmp_path / "run.txt", tmp_path / "gold.txt") == report([run]).systems[0].values


def test_lists_without_labels_can_be_written(tmp_path: Path, make_lists: MakeLists) -> None:
    write_run(run_given(make_lists("??")), tmp_path / "run.txt")
    assert [line.candidate for line in read_run(tmp_path / "run.txt")] == ["Q1_R1", "Q1_R2"]


def test_written_retrieval_is_in_the_trec_format(tmp_path: Path, retrieval: RetrievalBenchmark) -> None:
    answers = {"a": "bc", "b": "a", "c": "", "d": "e", "e": "f"}
    write_run(run_retrieval(FixedRanker("fixed", answers), retrieval), tmp_path / "run.txt")
    assert (tmp_path / "run.txt").read_text().splitlines() == [
        "a Q0 b 1 2.0 fixed",
        "a Q0 c 2 1.0 fixed",
        "b Q0 a 1 1.0 fixed",
        "d Q0 e 1 1.0 fixed",
        "e Q0 f 1 1.0 fixed",
    ]


def test_name_with_blanks_cannot_be_written(tmp_path: Path, retrieval: RetrievalBenchmark) -> None:
    run = run_retrieval(FixedRanker("two words", dict.fromkeys("abcde", "f")), retrieval)
    with pytest.raises(BenchmarkError, match="'two words' cannot stand in a run file"):
        write_run(run, tmp_path / "run.txt")


def test_run_that_cannot_be_written_is_an_error(tmp_path: Path, make_lists: MakeLists) -> None:
    with pytest.raises(BenchmarkError, match="cannot be written"):
        write_run(run_given(make_lists("+-")), tmp_path / "no" / "such" / "folder")
