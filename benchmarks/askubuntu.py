"""The two sets of AskUbuntu as one: 46,077 titles, some with bodies, and the train marks of both.

Their splits agree, so nothing of a test split is learned from; the few train pairs with a question whose
title also stands in a dev or test pair are left out. The dev marks are those of askubuntu-bodies.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

SETS = ("askubuntu-bodies", "askubuntu-titles")
HELD_OUT = ("dev", "test")

Pairs = set[tuple[str, str]]


def joined_sets(data: Path, folder: Path) -> Path:
    """The folder of the joined set, which is made if it is not there."""
    if (folder / "questions.jsonl.gz").is_file():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    questions, same = _questions(data)
    held_out = {question for split in HELD_OUT for pair in _of_both(data, split, same) for question in pair}
    train = {pair for pair in _of_both(data, "train", same) if held_out.isdisjoint(pair)}
    _write_pairs(folder / "duplicates.train.tsv", train)
    _write_pairs(folder / "duplicates.dev.tsv", _pairs(data, "askubuntu-bodies", "dev", same))
    with gzip.open(folder / "questions.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(question) + "\n" for question in questions)
    return folder


def _questions(data: Path) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Every title once, with its body if there is one; and for each id that of the title's question."""
    kept: dict[str, dict[str, Any]] = {}
    same: dict[str, str] = {}
    for name in SETS:
        with gzip.open(data / name / "questions.jsonl.gz", "rt", encoding="utf-8") as file:
            for question in map(json.loads, file):
                first = kept.setdefault(question["title"].lower(), question)
                same[question["id"]] = first["id"]
    return list(kept.values()), same


def _pairs(data: Path, name: str, split: str, same: dict[str, str]) -> Pairs:
    lines = (data / name / f"duplicates.{split}.tsv").read_text(encoding="utf-8").splitlines()
    pairs = [[same[question] for question in line.split("\t")[:2]] for line in lines if line]
    return {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}


def _of_both(data: Path, split: str, same: dict[str, str]) -> Pairs:
    return {pair for name in SETS for pair in _pairs(data, name, split, same)}


def _write_pairs(path: Path, pairs: Pairs) -> None:
    path.write_text("".join(f"{first}\t{second}\n" for first, second in sorted(pairs)), encoding="utf-8")
