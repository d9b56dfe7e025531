"""The pairs of all parts as one list."""

import json
from pathlib import Path
from typing import Any

import pytest

from askagain.cluster.merging import merged


def part(folder: Path, name: str, *pairs: tuple[int, int, float]) -> Path:
    path = folder / name
    lines = [
        json.dumps({"probability": likely, "first": f"q{one}", "second": f"q{two}", "numbers": [one, two]})
        for one, two, likely in pairs
    ]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    return [
        part(tmp_path, "a", (1, 2, 0.3), (1, 3, 0.9)),
        part(tmp_path, "b", (1, 2, 0.5), (2, 4, 0.5), (3, 5, 0.1)),
        part(tmp_path, "empty"),
    ]


def told(records: list[dict[str, Any]]) -> list[tuple[str, str, float]]:
    return [(record["first"], record["second"], record["probability"]) for record in records]


def test_a_pair_is_there_once_as_likely_as_the_more_confident_search_says(parts: list[Path]) -> None:
    found = told(list(merged(parts, 0.2)))
    assert found == [("q1", "q3", 0.9), ("q1", "q2", 0.5), ("q2", "q4", 0.5)]


def test_what_is_less_likely_is_left_out(parts: list[Path]) -> None:
    assert told(list(merged(parts, 0.6))) == [("q1", "q3", 0.9)]
    assert len(list(merged(parts, 0.0))) == 4


def test_numbers_are_not_told(parts: list[Path]) -> None:
    assert all("numbers" not in record for record in merged(parts, 0.0))
