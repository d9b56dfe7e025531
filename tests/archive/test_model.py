"""Random histories: the archive must always equal a plain dictionary."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from askagain.archive import Archive
from askagain.errors import ConflictError, UnknownQuestionError
from askagain.question import Mark, Question, Verdict

IDS = st.sampled_from(["a", "b", "c", "d"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)
QUESTIONS = st.builds(Question, id=IDS, title=TEXTS, body=TEXTS, tags=st.tuples(TEXTS) | st.just(()))


class ArchiveAgainstModel(RuleBasedStateMachine):
    @initialize()
    def make(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.archive = Archive.open(self.folder / "forum.db")
        self.questions: dict[str, Question] = {}
        self.numbers: dict[str, int] = {}
        self.marks: dict[tuple[str, str], Verdict] = {}
        self.view: dict[str, Question] = {}
        self.seen = self.archive.sequence

    def _arrive(self, question: Question) -> None:
        self.questions[question.id] = question
        self.numbers.setdefault(question.id, len(self.numbers) + 1)

    @rule(question=QUESTIONS)
    def add(self, question: Question) -> None:
        try:
            number = self.archive.add(question)
        except ConflictError:
            assert question.id in self.questions
        else:
            assert question.id not in self.questions
            self._arrive(question)
            assert number == self.numbers[question.id]

    @rule(question=QUESTIONS)
    def edit(self, question: Question) -> None:
        try:
            changed = self.archive.edit(question)
        except UnknownQuestionError:
            assert question.id not in self.questions
        else:
            assert changed == (self.questions[question.id] != question)
            self.questions[question.id] = question

    @rule(questions=st.lists(QUESTIONS, max_size=6), batch=st.integers(1, 3))
    def put_many(self, questions: list[Question], batch: int) -> None:
        self.archive.put_many(questions, batch=batch)
        for question in questions:
            self._arrive(question)

    @rule(id=IDS)
    def delete(self, id: str) -> None:
        assert self.archive.delete(id) == (self.questions.pop(id, None) is not None)

    @rule(pair=st.lists(IDS, min_size=2, max_size=2, unique=True), verdict=st.sampled_from(Verdict))
    def mark(self, pair: list[str], verdict: Verdict) -> None:
        if set(pair) <= self.questions.keys():
            self.archive.mark(Mark(pair[0], pair[1], verdict))
            self.marks[min(pair), max(pair)] = verdict

    @rule(pair=st.lists(IDS, min_size=2, max_size=2, unique=True))
    def withdraw(self, pair: list[str]) -> None:
        key = (min(pair), max(pair))
        there = set(pair) <= self.questions.keys() and key in self.marks
        assert self.archive.withdraw(*pair) == there
        if there:
            del self.marks[key]

    @rule()
    def reopen(self) -> None:
        self.archive.close()
        self.archive = Archive.open(self.folder / "forum.db", create=False)

    @rule()
    def catch_up(self) -> None:
        assert self.archive.has_seen(self.seen.seq, self.seen.token)
        for change in self.archive.changes_since(self.seen.seq):
            self.view.pop(change.id, None)
            if change.question is not None:
                self.view[change.id] = change.question
        self.seen = self.archive.sequence
        assert self.view == self.questions

    @invariant()
    def equal(self) -> None:
        in_order = sorted(self.questions.values(), key=lambda question: self.numbers[question.id])
        assert list(self.archive.questions()) == in_order
        assert len(self.archive) == len(in_order)
        assert self.archive.numbers(self.questions) == {id: self.numbers[id] for id in self.questions}

    @invariant()
    def equal_marks(self) -> None:
        found = {tuple(sorted((mark.first, mark.second))): mark.verdict for mark in self.archive.marks()}
        assert found == {pair: self.marks[pair] for pair in self.marks if set(pair) <= self.questions.keys()}

    def teardown(self) -> None:
        if hasattr(self, "archive"):
            self.archive.close()
            shutil.rmtree(self.folder)


TestArchiveAgainstModel = ArchiveAgainstModel.TestCase
TestArchiveAgainstModel.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
