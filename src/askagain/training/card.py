"""The card of a model: what it learned from, with which settings, and how good it became."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tomli_w
import torch

from askagain.encoders.recipe import EncoderSystem
from askagain.training.checkpoints import Standing
from askagain.training.data import TrainingData
from askagain.version import VERSION
from askagain.wording import counted


def model_card(
    system: EncoderSystem,
    data: TrainingData,
    seed: int,
    standings: Mapping[str, Standing],
    measured: tuple[float, float] | None,
    pictures: Sequence[str],
) -> str:
    """In Markdown."""
    made_with = f"askagain {VERSION}, torch {torch.__version__}, Python {platform.python_version()}"
    dev = len(data.dev.queries) if data.dev else 0
    return "\n".join([
        f"# {system.name}", "",
        system.description, "",
        "## Data", "",
        f"- source: {data.source or 'questions given by a program'}",
        f"- questions: {len(data.questions):,}",
        f"- marked pairs learned from: {len(data.pairs):,}",
        f"- questions measured with (dev): {dev:,}",
        f"- SHA-256 of the data: {data.hash}",
        f"- seed: {seed}",
        f"- made with: {made_with}", "",
        "## Figures", "",
        *_figures(standings),
        *_compared(measured),
        *(f"![{name}]({name})" for name in pictures), "",
        "## Settings", "",
        "```toml", tomli_w.dumps(without_folders(system.to_table())).strip(), "```", "",
    ])  # fmt: skip


def _compared(measured: tuple[float, float] | None) -> list[str]:
    if measured is None:
        return []
    return ["- dev MRR of the model {:.2f}%, of BM25 {:.2f}%".format(*measured), ""]


def without_folders(table: dict[str, Any]) -> dict[str, Any]:
    """A recipe's table; of files only their names, since folders differ from machine to machine."""
    for words in (part["words"] for part in table["parts"] if "words" in part):
        words["files"] = [Path(file).name for file in words["files"]]
        if words.get("start"):
            words["start"] = Path(words["start"]).name
    return table


def _figures(standings: Mapping[str, Standing]) -> list[str]:
    lines = []
    for phase, standing in standings.items():
        if not standing.epochs:
            lines += [f"- {phase}: nothing to learn from", ""]
            continue
        seconds = sum(epoch.seconds for epoch in standing.epochs)
        lines += [
            f"- {phase}: {counted(len(standing.epochs), 'epoch')} in {seconds:.0f} s; {_best(standing)}",
            "",
        ]
    return lines


def _best(standing: Standing) -> str:
    if not standing.best_epoch:
        return f"none was better than what it started from, with dev MRR {standing.best_value:.2f}%"
    best = standing.epochs[standing.best_epoch - 1]
    dev = "" if best.dev is None else f", dev MRR {best.dev:.2f}%"
    perplexity = "" if best.perplexity is None else f", perplexity {best.perplexity:.1f}"
    return f"the best was epoch {best.number}, with loss {best.loss:.4f}{dev}{perplexity}"
