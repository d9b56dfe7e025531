"""Re-creates docs/results.md: quality of every system on every set, then the speed and safety benchmarks.

python benchmarks/results.py [--only quality|best|learning|learning-titles|… [--parts] | --html] [--seed 0]

`--only learning` makes the text about systems that learn, `--only learning-titles` one of its tables, and
`--only learning --parts` all of it. docs/results.html shows the same as a page with charts; --html makes only
that, of the results as they are.

The test splits are looked at once, with settings chosen on the dev splits. Systems without learning and the
benchmarks of speed take two hours; training all systems that learn, with five seeds each, takes a night. What
was trained is kept in the folder `results`, so that an interrupted call goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import cast

import best as default_system
import semeval
from askagain.evaluating import benchmark_views, run_all, run_ranker
from askagain.evaluation.benchmarks import RetrievalBenchmark, load
from askagain.evaluation.results import EvaluationReport, report
from askagain.lexical.recipe import LexicalSystem
from askagain.systems import FUSED_SYSTEMS, LEXICAL_SYSTEMS, System, load_system, make_ranker
from htmlreport import html_report
from learning import SEEDS, TABLES, log, made, settings_table
from tuning import described, tuned

REPOSITORY = Path(__file__).parent.parent
DATA = Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data"))
PARTS = REPOSITORY / "docs" / "results"
RESULTS = REPOSITORY / "docs" / "results.md"
PAGE = REPOSITORY / "docs" / "results.html"
WORK = REPOSITORY / "results"

TITLE: tuple[str, ...] = ("title",)
BOTH: tuple[str, ...] = ("title", "body")

# (set, split to report, split to tune on, fields)
RETRIEVAL = [
    ("askubuntu-titles", "test", "dev", TITLE),
    ("askubuntu-bodies", "test", "dev", TITLE),
    ("askubuntu-bodies", "test", "dev", BOTH),
    ("english", "all", None, TITLE),
    ("english", "all", None, BOTH),
    ("cooking", "all", None, TITLE),
    ("cooking", "all", None, BOTH),
]

# dos Santos et al. 2015, Accuracy@1/@5/@10, on the whole of each forum.
PUBLISHED = {
    ("askubuntu", TITLE): {
        "tfidf": "8.3 17.5 22.5", "bm25": "7.3 17.1 21.8", "ib": "8.1 18.1 22.6", "dfr": "7.7 17.8 22.4",
        "lmd": "5.6 14.1 19.0", "lmj": "8.3 17.5 22.5",
    },
    ("askubuntu", BOTH): {
        "tfidf": "16.9 31.3 38.3", "bm25": "18.2 33.1 39.8", "ib": "14.9 28.2 34.8", "dfr": "18.0 32.6 39.2",
        "lmd": "13.7 26.8 34.4", "lmj": "18.3 33.4 40.7",
    },
    ("english", TITLE): {
        "tfidf": "10.0 18.1 21.6", "bm25": "10.0 18.9 23.2", "ib": "10.1 18.4 22.7", "dfr": "10.5 19.0 23.0",
        "lmd": "10.9 20.1 24.2", "lmj": "10.3 18.5 22.1",
    },
    ("english", BOTH): {
        "tfidf": "25.9 42.0 48.1", "bm25": "29.4 45.7 52.5", "ib": "25.4 42.3 48.0", "dfr": "28.6 45.4 52.5",
        "lmd": "23.0 40.2 46.0", "lmj": "28.5 45.7 52.3",
    },
}  # fmt: skip


def retrieval_section(
    name: str, split: str, dev_split: str | None, fields: tuple[str, ...], seed: int
) -> str:
    """One set with one choice of fields: tuned on dev where there is one, else with default parameters."""
    systems = [load_system(system) for system in LEXICAL_SYSTEMS]
    benchmark = cast(RetrievalBenchmark, load(DATA / name, split, fields))
    with benchmark_views(benchmark) as views:
        if dev_split:
            dev = cast(RetrievalBenchmark, load(DATA / name, dev_split, fields))
            systems = [tuned(system, dev, views) for system in systems]
        log(f"{name} {'+'.join(fields)}: {[described(system) for system in systems]}")
        runs = [run_ranker(make_ranker(system.restricted_to(fields), views), benchmark) for system in systems]
    how = f"settings chosen on `{dev_split}` by MRR@10" if dev_split else "default parameters"
    evaluate = f"askagain evaluate {name} --split {split} --fields {','.join(fields)}"
    command = "python benchmarks/results.py --only quality" if dev_split else evaluate
    return "\n".join([
        f"### {name}, {' + '.join(fields)}", "",
        f"`{command}`; {how}.", "",
        report(runs, seed=seed).to_markdown(), "",
        *settings_lines(systems if dev_split else []),
        *published_lines(name, fields), "",
    ])  # fmt: skip


def settings_lines(systems: Sequence[LexicalSystem]) -> list[str]:
    """The settings that were chosen, to be given with `--set` or in a recipe."""
    return ["Chosen: " + "; ".join(f"{system.name}: {described(system)}" for system in systems) + "."] * bool(
        systems
    )


def published_lines(name: str, fields: tuple[str, ...]) -> list[str]:
    """The paper's row for the same systems on the full forum."""
    rows = PUBLISHED.get((name.split("-")[0], fields), {})
    figures = "; ".join(f"{system} {figure}" for system, figure in rows.items())
    return ["", f"Published acc@1 / @5 / @10 (dos Santos et al. 2015, the whole forum): {figures}."] * bool(
        rows
    )


def lists_section(name: str, split: str, systems: Sequence[str], seed: int) -> str:
    """A re-ranking set: the list's own order, the bounds, and the lexical systems with default parameters."""
    benchmark = load(DATA / name, split)
    orderings: list[System | str] = ["given", "oracle", "random"]
    runs = run_all([*orderings, *map(load_system, systems)], benchmark, seed=seed)
    made: EvaluationReport = report(runs, seed=seed)
    command = f"askagain evaluate {name} --split {split}"
    return "\n".join(
        [f"### {name}, {split}", "", f"`{command}`; default parameters.", "", made.to_markdown(), ""]
    )


def quality(seed: int) -> str:
    sections = [
        (PARTS / "quality.md").read_text(encoding="utf-8"),
        "## Retrieval: find the duplicates among all questions", "",
        *(retrieval_section(*case, seed) for case in RETRIEVAL),
        "## Re-ranking: order a given list", "",
        lists_section("semeval", "dev", LEXICAL_SYSTEMS, seed),
        lists_section("semeval", "test2016", LEXICAL_SYSTEMS, seed),
        lists_section("askubuntu-lei", "dev", (), seed),
        lists_section("askubuntu-lei", "test", (), seed),
    ]  # fmt: skip
    return "\n".join(sections)


def learning(seed: int) -> str:
    introduction = (PARTS / "learning.md").read_text(encoding="utf-8")
    return "\n".join([introduction, "### Settings of the rows", "", settings_table()])


def learning_table(name: str, seed: int) -> str:
    return made(name, range(seed, seed + SEEDS), WORK)


def learning_time(seed: int) -> str:
    return f"### Time to learn\n\n{output_of('benchmarks/training_time.py', '--seed', str(seed))}"


def judging(seed: int) -> str:
    tables = [semeval.made(split, range(seed, seed + SEEDS), WORK) for split in semeval.SPLITS]
    speed = output_of("benchmarks/judging.py")
    introduction = (PARTS / "judging.md").read_text(encoding="utf-8")
    return "\n".join([introduction, *tables, "### Speed of features and parses", "", speed])


def best(seed: int) -> str:
    return (PARTS / "best.md").read_text(encoding="utf-8")


def best_part(part: str, seed: int) -> str:
    return default_system.made(part, FUSED_SYSTEMS, WORK)


def best_speed(seed: int) -> str:
    made = output_of("benchmarks/best_speed.py", "--million", OMP_NUM_THREADS="1")
    return f"### Time of a search\n\n{made}"


def output_of(*command: str, **environment: str) -> str:
    """A command and what it prints, as it is."""
    settings = "".join(f"{name}={value} " for name, value in environment.items())
    return f"`{settings}python {' '.join(command)}`\n\n```\n{_printed(*command, **environment)}\n```\n"


def tables_of(*command: str) -> str:
    """The same for one that prints Markdown."""
    return f"`python {' '.join(command)}`\n\n{_printed(*command)}\n"


def _printed(*command: str, **environment: str) -> str:
    log(" ".join(command))
    done = subprocess.run(
        [sys.executable, *command],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    return done.stdout.strip("\n")


def speed(seed: int) -> str:
    return "\n".join([
        (PARTS / "speed.md").read_text(encoding="utf-8"),
        "### Search", "", output_of("benchmarks/lexical.py"),
        "### A live archive of a million questions", "", output_of("benchmarks/live.py"),
        "### Encoders", "", output_of("benchmarks/encoders.py", "--seed", str(seed)),
        "### Killed writers", "", output_of("benchmarks/crash.py"),
        "### Hostile input", "", output_of("benchmarks/fuzz.py"),
    ])  # fmt: skip


def service(seed: int) -> str:
    return "\n".join([
        (PARTS / "service.md").read_text(encoding="utf-8"),
        "### Load", "", output_of("benchmarks/service.py"),
        "### Killed services", "", output_of("benchmarks/service_kill.py", "--seed", str(seed)),
    ])  # fmt: skip


def mining(seed: int) -> str:
    introduction = (PARTS / "mining.md").read_text(encoding="utf-8")
    return "\n".join([
        introduction,
        "### Time", "", output_of("benchmarks/mining.py", "--parts", "peer"),
        "### Agreement with marks", "", output_of("benchmarks/mining.py", "--parts", "quality"),
    ])  # fmt: skip


def growth(seed: int) -> str:
    return f"### Growth\n\n{tables_of('benchmarks/mining.py', '--parts', 'growth')}"


def mining_million(seed: int) -> str:
    return f"### A million\n\n{tables_of('benchmarks/mining.py', '--parts', 'million')}"


def cluster(seed: int) -> str:
    return (PARTS / "cluster.md").read_text(encoding="utf-8")


CLUSTER_PARTS: dict[str, tuple[str, ...]] = {
    "equality": (),
    "faults": (),
    "overhead": ("--million",),
    "capacity": (),
}


def cluster_part(name: str, seed: int) -> str:
    command = ("benchmarks/cluster.py", "--parts", name, *CLUSTER_PARTS[name])
    return tables_of(*command, "--seed", str(seed + 1))


SECTIONS: dict[str, Callable[[int], str]] = {
    "quality": quality,
    "best": best,
    **{f"best-{part}": partial(best_part, part) for part in default_system.PARTS},
    "best-speed": best_speed,
    "learning": learning,
    **{f"learning-{name}": partial(learning_table, name) for name in TABLES},
    "learning-time": learning_time,
    "judging": judging,
    "service": service,
    "mining": mining,
    "mining-growth": growth,
    "mining-million": mining_million,
    "cluster": cluster,
    **{f"cluster-{name}": partial(cluster_part, name) for name in CLUSTER_PARTS},
    "speed": speed,
}


def named(name: str | None, *, parts: bool = False) -> list[str]:
    """A section, with its parts if wanted, or all."""
    if name is None:
        return list(SECTIONS)
    return [each for each in SECTIONS if each == name or (parts and each.startswith(f"{name}-"))]


def mark(name: str) -> str:
    """The line before a section, by which it is found again."""
    return f"<!-- {name} -->\n"


def kept(name: str) -> str:
    """A section as it is in the results now."""
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    _, _, after = text.partition(mark(name))
    ends = [after.find(mark(other)) for other in SECTIONS if mark(other) in after]
    return after[: min(ends)] if ends else after


def as_page(results: str) -> str:
    """The results in HTML, without the marks of their sections."""
    for name in SECTIONS:
        results = results.replace(mark(name), "")
    return html_report(results, "askagain: results")


def write_results(remade: Collection[str], seed: int) -> None:
    """Makes some sections anew and keeps the others; each is written when it is done."""
    for name in remade:
        section = SECTIONS[name](seed)
        # Read after that: another call may have made another section meanwhile.
        sections = {other: kept(other) for other in SECTIONS} | {name: section}
        whole = "\n".join(f"{mark(each)}{text.strip()}\n" for each, text in sections.items())
        RESULTS.write_text(whole, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--only", choices=SECTIONS)
    part.add_argument("--html", action="store_true")
    parser.add_argument("--parts", action="store_true", help="of the section, too")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not options.html:
        write_results(named(options.only, parts=options.parts), options.seed)
    PAGE.write_text(as_page(RESULTS.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
