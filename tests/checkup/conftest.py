"""Archives to look at."""

from pathlib import Path

import pytest

from askagain.archive import Archive
from askagain.lexical.view import LexicalView
from askagain.question import Mark, Question

QUESTIONS = [
    Question(id="boot", title="How do I boot from USB?"),
    Question(id="wifi", title="No wireless after an upgrade"),
    Question(id="gone", title="t"),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An archive with two questions, a mark, another one of a deleted question, and an index."""
    path = tmp_path / "forum.db"
    with Archive.open(path) as archive:
        archive.put_many(QUESTIONS)
        archive.mark(Mark("boot", "wifi"))
        archive.mark(Mark("boot", "gone"))
        archive.delete("gone")
        LexicalView.open(archive).save()
    return path
