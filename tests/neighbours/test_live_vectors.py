"""Random histories: a live view always answers, bit for bit, as a view of the present state alone does."""

import shutil
import tempfile
from pathlib import Path

import pytest
from fresh_vectors import difference
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from word_model import WordModel, use_small_chunks

from askagain.archive import Archive
from askagain.neighbours.view import VectorView
from askagain.question import Mark, Question, Verdict

# Few and short words, so that vectors and scores are often equal.
WORDS = ["boot", "usb", "disk", "sound", "mouse", "grub"]
IDS = st.sampled_from([f"q{number}" for number in range(24)])
TITLES = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
QUESTIONS = st.builds(Question, id=IDS, title=TITLES)


class LiveAgainstFresh(RuleBasedStateMachine):
    @initialize(capacity=st.sampled_from([8, 16, 4096]), sizes=st.sampled_from([(16, 32), (5, 0), (0, 8)]))
    def make(self, capacity: int, sizes: tuple[int, int]) -> None:
        self.patch = pytest.MonkeyPatch()
        use_small_chunks(self.patch, capacity)
        self.sizes = sizes
        self.folder = Path(tempfile.mkdtemp())
        self.open()

    def open(self) -> None:
        self.archive = Archive.open(self.folder / "forum.db")
        self.view = VectorView.open(self.archive, WordModel(*self.sizes))

    @rule(questions=st.lists(QUESTIONS, min_size=1, max_size=12))
    def add_or_edit(self, questions: list[Question]) -> None:
        self.archive.put_many(questions)

    @rule(question=QUESTIONS)
    def another_process_adds_or_edits(self, question: Question) -> None:
        with Archive.open(self.folder / "forum.db") as other:
            other.put(question)
            VectorView.open(other, WordModel(*self.sizes)).close()

    @rule(ids=st.lists(IDS, max_size=5))
    def delete(self, ids: list[str]) -> None:
        for id in ids:
            self.archive.delete(id)

    @rule(pair=st.lists(IDS, min_size=2, max_size=2, unique=True))
    def mark(self, pair: list[str]) -> None:
        if all(id in self.archive for id in pair):
            self.archive.mark(Mark(*pair, Verdict.DUPLICATE))

    @rule()
    def catch_up(self) -> None:
        self.view.catch_up()

    @rule()
    def reopen_as_after_a_crash(self) -> None:
        self.archive.close()
        self.open()

    @rule()
    def reopen(self) -> None:
        self.view.close()
        self.archive.close()
        self.open()

    @rule()
    def search(self) -> None:
        assert difference(self.view) is None

    def teardown(self) -> None:
        if hasattr(self, "archive"):
            self.search()
            self.archive.close()
            shutil.rmtree(self.folder)
            self.patch.undo()


TestLiveAgainstFresh = LiveAgainstFresh.TestCase
TestLiveAgainstFresh.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)
