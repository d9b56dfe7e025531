"""Words of real pairs of questions."""

import gzip
import json
from pathlib import Path

import pytest

from askagain.text import clean, tokenize
from support import require


@pytest.fixture(scope="session")
def word_pairs(data_dir: Path) -> list[tuple[list[str], list[str]]]:
    """300 pairs of SemEval's training set, spread over it: titles, and titles with bodies."""
    train = data_dir / "semeval" / "train.jsonl.gz"
    require(train.is_file(), f"no SemEval data at {train}")
    rows = [json.loads(line) for line in gzip.decompress(train.read_bytes()).splitlines()]
    chosen = rows[:: len(rows) // 150][:150]
    titles = [(_words(row["orgq_subject"]), _words(row["relq_subject"])) for row in chosen]
    return titles + [(_both(row, "orgq"), _both(row, "relq")) for row in chosen]


def _words(text: str) -> list[str]:
    return tokenize(clean(text))


def _both(row: dict[str, str], which: str) -> list[str]:
    return _words(row[f"{which}_subject"]) + _words(row[f"{which}_body"])
