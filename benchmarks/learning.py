"""How good are systems that learn? The tables of dos Santos et al. 2015 (S15) and Joshi 2016 (J16).

python benchmarks/learning.py [--tables titles bodies …] [--seeds 5] [--work results]

Word vectors: those of the shipped encoder; for rows with "own words" and with a paper's own settings a
skip-gram on the text of all sets (no marks), joined with the GloVe vectors at hand. Models are kept in the
folder --work, so that an interrupted call goes on where it was. Settings were chosen on dev splits; each test
split is looked at by the last call only. Prints Markdown.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.cli.models import trained_on
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.shipped import SHIPPED_WORDS
from askagain.encoders.skipgram import SkipgramSettings, train_skipgram
from askagain.encoders.vectorfiles import save_vectors
from askagain.evaluating import ORDERINGS, Run, benchmark_views, reranking_of, run_all
from askagain.evaluation.benchmarks import Benchmark, RetrievalBenchmark, available_splits, load
from askagain.evaluation.results import report
from askagain.lexical.recipe import LexicalSystem
from askagain.systems import System, load_system
from askubuntu import joined_sets
from resample import real_questions
from tuning import tuned

REPOSITORY = Path(__file__).parent.parent
DATA = Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data"))
SETS = ("askubuntu-titles", "askubuntu-bodies", "english", "cooking", "biology", "robotics", "quora")
GLOVE = DATA / "vectors" / "glove.100d.txt.gz"

BOTH_SETS = "askubuntu"
"""The two sets of AskUbuntu as one, which `askubuntu.py` makes."""

SEEDS = 5
DEV = "dev"

TITLE: tuple[str, ...] = ("title",)
BOTH: tuple[str, ...] = ("title", "body")
TITLE_ONLY = ", title"
Parameters = Mapping[str, Any]

# Chosen on the dev split of askubuntu-titles by MRR; everything else as in the recipe.
SOFTMAX: Parameters = {
    "training.loss": "softmax", "training.scale": 20.0, "training.hard": 1, "training.batch": 256,
    "training.optimiser": "adam", "training.rate": 0.001, "training.dropout_inputs": 0.3,
    "training.dropout_output": 0.1, "parts.words.trained": "false",
}  # fmt: skip
# J16's own CNN: trailing windows, 667 units, title and body averaged, fixed vectors times IDF.
J16_CNN: Parameters = {
    "parts.hidden": 667, "parts.windows": "trailing", "parts.pooling": "mean", "parts.fields": "average",
    "parts.words.trained": "false", "parts.words.idf_inputs": "true", "training.loss": "margin",
    "training.optimiser": "adam", "training.rate": 0.001, "training.dropout_inputs": 0.1,
    "training.dropout_output": 0.1, "search.candidates": "bm25",
}  # fmt: skip
MEAN: Parameters = {"parts.pooling": "mean"}
LAST: Parameters = {"parts.pooling": "last"}
# What time allows: with the paper's SGD dev MRR still grows (one run: 22.1 then, 22.5 at epoch 37).
S15_PAPER: Parameters = {"training.epochs": 20}
# What time allows: with these, dev MRR no longer grows by much.
BRIEFLY: Parameters = {"training.epochs": 15, "training.patience": 4}
# What was taught by raw text is the last state; a high rate would spoil it.
PRETRAINED: Parameters = {
    **BRIEFLY, **LAST, "training.rate": 0.0003, "pretraining.epochs": 8, "pretraining.sampled": 400,
    "pretraining.questions": "with-body",
}  # fmt: skip


# Instead of J16's margin: every other question of a batch is a negative.
IN_BATCH: Parameters = {"training.loss": "softmax", "training.scale": 20.0, "training.batch": 256}


@dataclass(frozen=True)
class Row:
    """A system with other settings than its recipe's, under a name of its own."""

    name: str
    system: str
    parameters: Parameters
    title_only: bool = False
    own_words: bool = False


@dataclass(frozen=True)
class Table:
    """Systems on one set; they learn from `train`, which may be another set."""

    title: str
    set: str
    split: str
    fields: tuple[str, ...]
    train: str
    rows: tuple[Row, ...]
    baselines: tuple[str, ...] = ("tfidf", "bm25")
    rerank: int | None = None
    published: str = ""


S15_ROWS = (
    Row("cnn", "cnn", S15_PAPER, own_words=True),
    Row("bow-cnn", "bow-cnn", S15_PAPER, own_words=True),
    Row("bow-cnn, softmax, own words", "bow-cnn", SOFTMAX, own_words=True),
    Row("cnn, softmax", "cnn", SOFTMAX),
    Row("bow-cnn, softmax", "bow-cnn", SOFTMAX),
    Row("bow-cnn, softmax, idf frozen", "bow-cnn", {**SOFTMAX, "parts.trained": "false"}),
    Row("bow-cnn, softmax, ones", "bow-cnn", {**SOFTMAX, "parts.start": "ones"}),
)
CNN_MEAN = Row("cnn, mean", "cnn", {**J16_CNN, **BRIEFLY})
LSTM_MEAN = Row("lstm, mean", "lstm", {**BRIEFLY, **MEAN})
RCNN_LAST = Row("rcnn, last", "rcnn", {**BRIEFLY, **LAST})
RCNN_MEAN = Row("rcnn, mean", "rcnn", {**BRIEFLY, **MEAN})
PRETRAINED_ROWS = tuple(
    Row(f"{kind}-pretrained, last", f"{kind}-pretrained", PRETRAINED) for kind in ("lstm", "rcnn")
)
# A small set is read until its perplexity no longer falls; a large one less often in the same time.
SMALL_SET_ROWS = tuple(
    replace(row, parameters={**row.parameters, "pretraining.epochs": 60, "pretraining.batch": 64})
    for row in PRETRAINED_ROWS
)
LARGE_SET_ROWS = tuple(
    replace(row, parameters={**row.parameters, "pretraining.epochs": 5}) for row in PRETRAINED_ROWS
)
J16_ROWS = (
    CNN_MEAN,
    LSTM_MEAN,
    Row("gru, mean", "gru", {**BRIEFLY, **MEAN}),
    RCNN_LAST,
    RCNN_MEAN,
    replace(RCNN_MEAN, name="rcnn, mean, own words", own_words=True),
    *PRETRAINED_ROWS,
    Row("rcnn, last, softmax", "rcnn", {**BRIEFLY, **LAST, **IN_BATCH}),
    Row("rcnn-pretrained, last, softmax", "rcnn-pretrained", {**PRETRAINED, **IN_BATCH}),
)
POOLING_ROWS = (
    Row("cnn, max", "cnn", {**J16_CNN, **BRIEFLY, "parts.pooling": "max"}),
    CNN_MEAN,
    Row("lstm, last", "lstm", {**BRIEFLY, **LAST}),
    LSTM_MEAN,
    RCNN_LAST,
    RCNN_MEAN,
    Row(f"rcnn, last{TITLE_ONLY}", "rcnn", {**BRIEFLY, **LAST}, title_only=True),
    Row(f"rcnn, mean{TITLE_ONLY}", "rcnn", {**BRIEFLY, **MEAN}, title_only=True),
)
S15_TITLES = "acc@1 / @5 / @10: CNN 11.5 24.8 31.4, BOW-CNN 10.9 22.6 28.7"
S15_ENGLISH_TITLES = "acc@1 / @5 / @10: CNN 11.6 23.0 26.9, BOW-CNN 11.3 21.4 26.0"
S15_BODIES = "acc@1 / @5 / @10: CNN 20.0 33.8 40.1, BOW-CNN 22.3 39.7 46.4"
S15_ENGLISH = (
    "acc@1 / @5 / @10: CNN 17.2 29.6 33.8, BOW-CNN 30.8 47.7 54.9 (idf frozen @1 29.7, ones @1 26.3)"
)
J16 = "MAP: BM25 56.0, CNN 57.8, LSTM 58.1, RCNN 62.6, LSTM + pre-training 59.0, RCNN + pre-training 63.9"
J16_POOLING = (
    "MAP: CNN max 58.2, mean 57.8; LSTM last 57.8, mean 58.1; RCNN last 62.6, mean 59.6; title only: "
    "RCNN last 58.9, mean 55.6; TF-IDF 53.2, title only 54.3"
)

TABLES: Mapping[str, Table] = {
    "titles": Table("S15, titles", "askubuntu-titles", "test", TITLE, "askubuntu-titles", S15_ROWS,
                    published=S15_TITLES),
    "bodies-title": Table("S15, titles of askubuntu-bodies", "askubuntu-bodies", "test", TITLE,
                          "askubuntu-bodies", S15_ROWS, published=S15_TITLES),
    "bodies": Table("S15, title + body", "askubuntu-bodies", "test", BOTH, "askubuntu-bodies", S15_ROWS,
                    published=S15_BODIES),
    "english-title": Table("S15, titles of English, by transfer from askubuntu-bodies", "english", "all",
                           TITLE, "askubuntu-bodies", S15_ROWS, published=S15_ENGLISH_TITLES),
    "english": Table("S15, English, by transfer from askubuntu-bodies", "english", "all", BOTH,
                     "askubuntu-bodies", S15_ROWS, published=S15_ENGLISH),
    "rerank": Table("J16, systems", "askubuntu-bodies", "test", BOTH, BOTH_SETS, J16_ROWS,
                    baselines=("given", "tfidf", "random", "oracle"), rerank=20, published=J16),
    "pooling": Table("J16, pooling and fields", "askubuntu-bodies", "test", BOTH, BOTH_SETS, POOLING_ROWS,
                     baselines=("given", "tfidf", f"tfidf{TITLE_ONLY}"), rerank=20, published=J16_POOLING),
    "raw-english": Table("No marks: raw text of English alone", "english", "all", BOTH, "english",
                         SMALL_SET_ROWS, baselines=("given", "tfidf"), rerank=20),
    "raw-cooking": Table("No marks: raw text of Cooking alone", "cooking", "all", BOTH, "cooking",
                         LARGE_SET_ROWS, baselines=("given", "tfidf"), rerank=20),
}  # fmt: skip


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def word_vectors(folder: Path) -> Path:
    """Skip-gram vectors on the text of all sets; trained once."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "skipgram.txt"
    if not path.is_file():
        analyzer = Analyzer(AnalyzerSettings(stemmer="none"))
        posts = (post for name in SETS for q in real_questions(name) for post in (q.title, q.body))
        sentences = (terms for post in posts if (terms := analyzer.terms(post)))
        settings = SkipgramSettings(min_count=3, epochs=8)
        log("training word vectors on all sets")
        save_vectors(path, train_skipgram(sentences, settings, seed=1))
    return path


def system_of(row: Row, vectors: Path) -> EncoderSystem:
    files = f"{GLOVE}+{vectors}" if row.own_words else SHIPPED_WORDS
    words = {"parts.words.own": "false", "parts.words.files": files}
    system = load_system(row.system)
    assert isinstance(system, EncoderSystem)
    return replace(system.with_parameters({**words, **row.parameters}), name=row.name)


def learned_from(table: Table, folder: Path) -> Path:
    """The set that a table's systems learn from."""
    return joined_sets(DATA, folder / BOTH_SETS) if table.train == BOTH_SETS else DATA / table.train


def benchmark_of(table: Table) -> Benchmark:
    benchmark = load(DATA / table.set, table.split, table.fields)
    return reranking_of(benchmark, table.rerank) if table.rerank else benchmark


def baseline(name: str) -> System:
    """A similarity by its name, to which `TITLE_ONLY` may be added."""
    system = load_system(name.removesuffix(TITLE_ONLY))
    return replace(system.restricted_to(TITLE), name=name) if name.endswith(TITLE_ONLY) else system


def baselines(table: Table, benchmark: Benchmark) -> list[System | str]:
    """What the learned systems have to beat; similarities have settings chosen on the dev split, if any."""
    systems = [name if name in ORDERINGS else baseline(name) for name in table.baselines]
    if table.rerank or DEV not in available_splits(DATA / table.set):
        return systems
    dev = load(DATA / table.set, DEV, table.fields)
    assert isinstance(dev, RetrievalBenchmark)
    with benchmark_views(benchmark) as views:
        return [
            tuned(system, dev, views) if isinstance(system, LexicalSystem) else system for system in systems
        ]


def made(name: str, seeds: Sequence[int], work: Path) -> str:
    """A table in Markdown, each learned row averaged over the seeds."""
    table = TABLES[name]
    os.environ["ASKAGAIN_CACHE"] = str(work.resolve())
    vectors = word_vectors(work)
    benchmark = benchmark_of(table)
    runs: list[Run] = run_all(baselines(table, benchmark), benchmark)
    for row in table.rows:
        system = system_of(row, vectors)
        for seed in seeds:
            fields = TITLE if row.title_only else table.fields
            folder = trained_on(learned_from(table, work), system, fields, seed, partial(_silent))
            log(f"{table.title}: {row.name}, seed {seed}: {folder.name}")
            restricted = system.restricted_to(fields)
            runs += run_all([restricted], benchmark, seed=seed, models={row.name: folder})
    command = f"`python benchmarks/learning.py --tables {name} --seeds {len(seeds)}`"
    published = f"\nPublished: {table.published}.\n" if table.published else ""
    return f"### {table.title}\n\n{command}\n\n{report(runs).to_markdown()}\n{published}"


def settings_table() -> str:
    """What each row has been told besides its recipe and its words, as `--set` takes it; in Markdown."""
    tables_of: dict[tuple[str, str, str], list[str]] = {}
    for name, table in TABLES.items():
        for row in table.rows:
            told = " ".join(f"{setting}={value}" for setting, value in row.parameters.items())
            tables_of.setdefault((row.name, row.system, told), []).append(name)
    lines = [
        f"| {row} | {', '.join(tables)} | {system} | `{told}` |"
        for (row, system, told), tables in tables_of.items()
    ]
    return "\n".join(["| row | tables | system | settings |", "|---|---|---|---|", *lines, ""])


def _silent(what: str, done: int, total: int) -> None:
    pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", nargs="*", choices=TABLES, default=list(TABLES))
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--work", type=Path, default=REPOSITORY / "results")
    options = parser.parse_args()
    for name in options.tables:
        print(made(name, range(options.seeds), options.work), flush=True)


if __name__ == "__main__":
    main()
