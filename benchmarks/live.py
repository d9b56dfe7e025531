"""How soon is a change found? Adds, edits and deletes single questions of a large archive, and searches.

python benchmarks/live.py [--questions 1000000] [--changes 200] [--seed 1] [--json]

The titles are resampled from askubuntu-titles. Every change is one commit, and the search that follows must
show it. Times run from the change's return, when it is committed, to the search's result, and "with commit"
from its call. Memory is the peak of one process that imports all questions and builds the index.
"""

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from askagain.archive import Archive
from askagain.importing import import_file
from askagain.lexical.index import Scoring
from askagain.lexical.similarities import Bm25
from askagain.lexical.view import LexicalView
from askagain.question import Question
from askagain.sources.jsonl import JsonlSource, dump_record
from resample import real_questions, resample

SCORING = Scoring(Bm25(), (1.0,))
TOP = 10

Figures = list[tuple[str, str, float]]
# Seconds from a change's call, and from its return, until it is found.
Times = tuple[float, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=1_000_000)
    parser.add_argument("--changes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder), options.questions, options.changes, options.seed)
    if options.json:
        rows = [{"name": n, "unit": u, "ours": v, "peers": {}, "ratio": None} for n, u, v in figures]
        print(json.dumps({"cases": rows}))
    else:
        for name, unit, value in figures:
            print(f"{name:45} {value:>12,.3f} {unit}")


def measure(folder: Path, questions: int, changes: int, seed: int) -> Figures:
    """All figures for an archive of that many questions."""
    file = folder / "questions.jsonl"
    # In a process of its own, so that its memory does not count.
    maker = get_context("spawn").Process(target=write_questions, args=(file, questions, seed))
    maker.start()
    maker.join()
    if maker.exitcode:
        raise SystemExit("the questions could not be made")
    with Archive.open(folder / "forum.db") as archive:
        start = time.perf_counter()
        import_file(archive, file, JsonlSource())
        imported = time.perf_counter()
        view = LexicalView.open(archive, ("title",))
        built = time.perf_counter()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        reopened = LexicalView.open(archive, ("title",))
        loaded = time.perf_counter()
        return [
            ("questions", "questions", len(archive)),
            ("import", "s", imported - start),
            ("index: analyse, build and save", "s", built - imported),
            ("index: open the saved file", "s", loaded - built),
            ("index: size of the file", "MB", view.path.stat().st_size / 1e6 if view.path else 0.0),
            ("peak memory of import and index", "GB", peak / 1e9),
            *measure_changes(reopened, changes, seed),
        ]


def write_questions(file: Path, count: int, seed: int) -> None:
    with file.open("w", encoding="utf-8") as lines:
        for question in resample(real_questions("askubuntu-titles"), count, seed):
            lines.write(dump_record(question) + "\n")


def measure_changes(view: LexicalView, count: int, seed: int) -> Figures:
    """How long each kind of change takes until it is found, and a search without one."""
    archive = view.archive
    chosen = random.Random(seed).sample(list(archive.questions()), 3 * (count + 1))
    added = [Question(id=f"live-{n}", title=f"{old.title} added{n}") for n, old in enumerate(chosen[::3])]
    edited = [replace(old, title=f"{old.title} edited{n}") for n, old in enumerate(chosen[1::3])]
    return [
        *figures("search, nothing changed", [until_found(view, no_change, old, True) for old in chosen[::3]]),
        *figures("add", [until_found(view, archive.add, new, True) for new in added]),
        *figures("edit", [until_found(view, archive.edit, new, True) for new in edited]),
        *figures("delete", [until_found(view, delete_from(archive), old, False) for old in chosen[2::3]]),
    ]


def no_change(question: Question) -> None:
    """What is there is to be found as it is."""


def delete_from(archive: Archive) -> Callable[[Question], object]:
    return lambda question: archive.delete(question.id)


def until_found(
    view: LexicalView, change: Callable[[Question], object], question: Question, present: bool
) -> Times:
    """Times from the change's call and from its return until a search shows it."""
    numbers = view.archive.numbers([question.id])
    called = time.perf_counter()
    change(question)
    returned = time.perf_counter()
    with view.lock:
        view.catch_up()
        [hits] = view.index.search([view.query_terms(question)], SCORING, TOP)
    found = time.perf_counter()
    numbers |= view.archive.numbers([question.id])
    if change is not no_change and (numbers[question.id] in hits.numbers) != present:
        raise SystemExit(f"the change of {question} does not show in the next search")
    return found - called, found - returned


def figures(name: str, times: list[Times]) -> Figures:
    """The first change is left out: it loads compiled code."""
    with_commit, after = (1000 * np.array(column) for column in zip(*times[1:], strict=True))
    rows = (
        [(name, after)]
        if name.startswith("search")
        else [(name, after), (f"{name}, with commit", with_commit)]
    )
    return [
        row
        for label, values in rows
        for row in (
            (f"{label}: median", "ms", float(np.median(values))),
            (f"{label}: 99%", "ms", float(np.quantile(values, 0.99))),
            (f"{label}: max", "ms", float(values.max())),
        )
    ]


if __name__ == "__main__":
    main()
