"""Makes the judges with which fused systems begin on a forum that has no marks: `make model`.

python scripts/shipped_judge.py [--systems best best-transformer] [--out src/askagain/shipped]

It learns from the train splits of sets of different kinds: titles of one forum, titles with bodies, and
titles of everyday questions. What they share is a logistic regression that other forums can start from.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

import tomli_w

from askagain.evaluating import benchmark_views
from askagain.evaluation.benchmarks import load
from askagain.fusion.examples import asked_in, joined_examples, searched_examples
from askagain.fusion.fitting import fit_judge
from askagain.fusion.folder import Fused, save_fused
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.modelfolder import CARD
from askagain.rerank.fit.examples import Examples
from askagain.systems import FUSED_SYSTEMS, load_system
from askagain.training.sets import from_set

REPOSITORY = Path(__file__).parent.parent
DATA = Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data"))
SETS = {
    "askubuntu-titles": ("title",),
    "askubuntu-bodies": ("title", "body"),
    "quora": ("title",),
}
QUERIES = 1500
SEED = 1


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def examples_of(system: FusedSystem, name: str) -> tuple[Examples, tuple[str, ...]]:
    """What a search returns for marked questions of a train split, and the names of the signals."""
    fields = SETS[name]
    data = from_set(DATA / name, fields, SEED)
    with benchmark_views(load(DATA / name, "train", fields)) as views:
        gatherer = gatherer_of(system, views, {})
        examples = searched_examples(gatherer, asked_in(data, (), QUERIES, SEED))
    log(f"{name}: {len(examples.labels):,} pairs, {int(examples.labels.sum()):,} duplicates")
    return examples, gatherer.signals.names


def card_of(system: FusedSystem, reached: float, examples: Examples) -> str:
    return "\n".join([
        f"# {system.name}", "", system.description + ".", "",
        "What the system has learned before it sees a forum. `make model` made it from the train splits of "
        f"{', '.join(SETS)} ({len(examples.labels):,} pairs that a search returns, "
        f"{int(examples.labels.sum()):,} of them marked as duplicates; seed {SEED}).", "",
        f"MAP over lists that were left out: {100 * reached:.2f}", "",
        "## Settings", "", "```toml", tomli_w.dumps(system.to_table()).strip(), "```", "",
    ])  # fmt: skip


def make_judge(name: str, out: Path) -> None:
    system = load_system(name)
    assert isinstance(system, FusedSystem)
    made = [examples_of(system, name) for name in SETS]
    examples, names = joined_examples([each for each, _ in made]), made[0][1]
    learning = replace(system.learning, methods=("logistic",))
    judge, choice = fit_judge(examples, names, learning, None, SEED)
    assert choice is not None
    log(f"MAP over lists that were left out: {100 * choice.reached['logistic']:.2f}")
    card = card_of(system, choice.reached["logistic"], examples)
    save_fused(out / system.name, Fused(system, judge, {}), {CARD: card})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--systems", nargs="*", choices=FUSED_SYSTEMS, default=FUSED_SYSTEMS)
    parser.add_argument("--out", type=Path, default=REPOSITORY / "src" / "askagain" / "shipped")
    options = parser.parse_args()
    for name in options.systems:
        make_judge(name, options.out)


if __name__ == "__main__":
    main()
