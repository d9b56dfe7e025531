"""`askagain cluster sweep` with the real executable."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from executable import SAMPLE, json_of, refused, succeeded

from support import require

GRID = 'system = "bm25"\n[[settings]]\nk1 = [0.0, 1.2]\n'


@pytest.fixture(scope="module")
def sample_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One topic of the sample forum, whose test split nobody can read."""
    folder = tmp_path_factory.mktemp("set") / "cooking"
    folder.mkdir()
    (folder / "questions.jsonl").write_bytes((SAMPLE / "cooking.jsonl").read_bytes())
    pairs = (SAMPLE / "cooking.duplicates.tsv").read_text().splitlines(keepends=True)
    (folder / "duplicates.train.tsv").write_text("".join(pairs[::2]))
    (folder / "duplicates.dev.tsv").write_text("".join(pairs[1::2]))
    (folder / "duplicates.test.tsv").write_text("nobody\tmay look here\n")
    (folder.parent / "grid.toml").write_text(GRID)
    return folder


def test_the_settings_are_listed_best_first_and_are_not_tried_twice(sample_set: Path, tmp_path: Path) -> None:
    require(find_spec("ray") is not None, "no Ray; pip install 'askagain[cluster]'")
    command = ["cluster", "sweep", sample_set.parent / "grid.toml", sample_set, "--out", tmp_path / "out"]

    first = json_of(*command)
    second = json_of(*command)
    table = succeeded(*command)

    assert (first["set"], first["split"], first["trials"]) == ("cooking", "dev", 2)
    assert (first["made"], second["made"]) == (2, 0)
    best, other = first["settings"]
    assert best["mean"]["mrr@10"] >= other["mean"]["mrr@10"]
    assert second["settings"] == first["settings"]
    assert table.splitlines()[0].startswith("bm25 on cooking, split dev, title+body")
    assert table.splitlines()[2].split() == [
        f"{best['mean']['mrr@10']:.2f}", "0.00", "1", str(best["settings"]["k1"])
    ]  # fmt: skip
    files = [json.loads(file.read_text()) for file in (tmp_path / "out").iterdir()]
    assert {file["settings"]["k1"] for file in files} == {0.0, 1.2}


def test_an_unknown_grid_is_refused_with_those_that_exist(sample_set: Path, tmp_path: Path) -> None:
    said = refused("cluster", "sweep", "bm52", sample_set, "--out", tmp_path / "out")

    assert "choose one of bm25, ib" in said


def test_a_set_that_is_not_divided_is_refused(english: Path, tmp_path: Path) -> None:
    said = refused("cluster", "sweep", "bm25", english, "--out", tmp_path / "out")

    assert "its splits are all" in said
