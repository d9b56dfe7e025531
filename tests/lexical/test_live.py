"""Random histories: a live view always answers, bit for bit, as an index built from scratch does."""

import random
import shutil
import tempfile
from itertools import product
from pathlib import Path

import pytest
from fresh import difference
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from askagain.archive import Archive
from askagain.lexical import tail
from askagain.lexical.view import LexicalView
from askagain.question import Mark, Question, Verdict

# Few and short words, so that terms are shared, scores are equal, and terms lose their last question.
WORDS = ["boot", "usb", "disk", "sound", "mouse", "grub"]
QUERIES = [["boot"], ["usb", "disk"], ["mouse", "sound", "mouse", "boot"], [*WORDS], ["unheard"], []]

IDS = st.sampled_from([f"q{number}" for number in range(12)])
TITLES = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
BODIES = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
QUESTIONS = st.builds(Question, id=IDS, title=TITLES, body=BODIES)


class LiveAgainstFresh(RuleBasedStateMachine):
    @initialize(capacity=st.sampled_from([1, 3, 1024]))
    def make(self, capacity: int) -> None:
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(tail, "CAPACITY", capacity)
        self.folder = Path(tempfile.mkdtemp())
        self.open()

    def open(self) -> None:
        self.archive = Archive.open(self.folder / "forum.db")
        self.view = LexicalView.open(self.archive)

    @rule(questions=st.lists(QUESTIONS, min_size=1, max_size=6))
    def add_or_edit(self, questions: list[Question]) -> None:
        self.archive.put_many(questions)

    @rule(question=QUESTIONS)
    def another_process_adds_or_edits(self, question: Question) -> None:
        with Archive.open(self.folder / "forum.db") as other:
            other.put(question)

    @rule(id=IDS)
    def delete(self, id: str) -> None:
        self.archive.delete(id)

    @rule(pair=st.lists(IDS, min_size=2, max_size=2, unique=True))
    def mark(self, pair: list[str]) -> None:
        if all(id in self.archive for id in pair):
            self.archive.mark(Mark(*pair, Verdict.DUPLICATE))

    @rule()
    def catch_up(self) -> None:
        self.view.catch_up()

    @rule()
    def save(self) -> None:
        self.view.save()

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
        assert difference(self.view, QUERIES) is None

    def teardown(self) -> None:
        if hasattr(self, "archive"):
            self.search()
            self.archive.close()
            shutil.rmtree(self.folder)
            self.patch.undo()


TestLiveAgainstFresh = LiveAgainstFresh.TestCase
TestLiveAgainstFresh.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)


class Forum:
    """A larger vocabulary, some of its words frequent and most of them rare, as in real forums."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        syllables = ["ba", "do", "fu", "gi", "ke", "lo", "mu"]
        self.words = ["".join(word) for word in product(syllables, repeat=3)]
        self.ranks = [1.0 / rank for rank in range(1, len(self.words) + 1)]
        self.arrived = 0

    def text(self, longest: int) -> list[str]:
        return self.chance.choices(self.words, self.ranks, k=self.chance.randint(0, longest))

    def question(self, id: int) -> Question:
        return Question(id=str(id), title=" ".join(self.text(8)), body=" ".join(self.text(60)))

    def some(self, share: float) -> list[int]:
        return self.chance.sample(range(self.arrived), round(self.arrived * share))

    def happen(self, archive: Archive, arriving: int) -> None:
        """New questions, and edits and deletions of old ones; some deleted ones come back edited."""
        edited = self.some(0.05)
        archive.put_many(map(self.question, [*edited, *range(self.arrived, self.arrived + arriving)]))
        self.arrived += arriving
        with archive.transaction():
            for id in self.some(0.04):
                archive.delete(str(id))


@pytest.mark.parametrize(
    ("capacity", "arrivals"),
    [(1024, [1500, 10, 700, 1200, 3, 400, 900]), (16, [100, 7, 1, 30, 15, 16, 17, 90, 2, 300, 5, 5, 60])],
)
def test_freezing_merging_and_deleting_in_segments_change_no_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capacity: int, arrivals: list[int]
) -> None:
    monkeypatch.setattr(tail, "CAPACITY", capacity)
    forum = Forum(seed=capacity)
    queries = [forum.text(20) for _ in range(20)]
    with Archive.open(tmp_path / "forum.db") as archive:
        view = LexicalView.open(archive, ("title", "body", "text"))
        for round, arriving in enumerate(arrivals):
            forum.happen(archive, arriving)
            assert difference(view, queries) is None
            if round % 3 == 2:
                view.save()
                view = LexicalView.open(archive, ("title", "body", "text"))
