"""What the tests of the executable share."""

from pathlib import Path

import pytest
from executable import SAMPLE

from commands import succeeded


@pytest.fixture(scope="session", autouse=True)
def _ready(compiled_kernels: None) -> None:
    """No test waits for kernels to be compiled, or sees the notice about it."""


@pytest.fixture(scope="session")
def sample_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample forum in an archive, imported by the command line and indexed by a first search."""
    path = tmp_path_factory.mktemp("sample") / "forum.db"
    succeeded("import", *SAMPLE.glob("*.jsonl"), *SAMPLE.glob("*.duplicates.tsv"), "--archive", path)
    succeeded("search", "anything", "--archive", path)
    return path


@pytest.fixture(scope="session")
def english(data_dir: Path) -> Path:
    """A small real set: 1,331 questions, 500 duplicate pairs, 500 others."""
    return data_dir / "english"
