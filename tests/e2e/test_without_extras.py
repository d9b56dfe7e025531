"""The default system needs none of the extras: neither to search nor to learn from marks."""

import shutil
import subprocess
import sys
from pathlib import Path

from executable import environment

EXTRAS = ("torch", "sklearn", "rapidfuzz", "faiss", "gensim", "sentence_transformers", "nltk", "spacy")
WITHOUT_EXTRAS = f"""
import sys

sys.modules |= dict.fromkeys({EXTRAS!r})
from askagain.cli import main
main()
"""


def askagain_without_extras(*arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS, *map(str, arguments)],
        env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_best_searches_and_learns(sample_archive: Path, tmp_path: Path) -> None:
    archive = tmp_path / "forum.db"
    shutil.copy(sample_archive, archive)

    found = askagain_without_extras("search", "Rice stood out overnight", "--archive", archive, "-k", 1)
    learned = askagain_without_extras("train", "best", "--archive", archive, "--set", "fusion.depth=10")

    assert "cooking-10" in found
    assert "The model is in" in learned
