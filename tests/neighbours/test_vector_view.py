"""The view of an archive's vectors: what it finds, how it follows, and what it encodes."""

import logging
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from fresh_vectors import difference
from word_model import WordModel, use_small_chunks

from askagain.archive import Archive
from askagain.encoders.vectors import QuestionVectors
from askagain.errors import EncodingError, SettingsError
from askagain.neighbours.view import VectorView
from askagain.question import Mark, Question
from askagain.sources.base import Progress, no_progress


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """An archive of three questions."""
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.add(Question(id="usb", title="boot from usb", body="my stick does not boot"))
        archive.add(Question(id="sound", title="no sound", body="since the update"))
        archive.add(Question(id="empty", title=""))
        yield archive


def many(count: int, first: int = 0) -> Iterator[Question]:
    return (Question(id=f"many {n}", title=f"boot {n}") for n in range(first, first + count))


def best(live: VectorView, title: str) -> str:
    """The id of the question that the view finds first."""
    [hits] = live.search(WordModel(live.model.dimension, live.model.columns).queries(title), 1)
    question = live.archive.question_of(int(hits.numbers[0]))
    assert question is not None
    return question.id


def reasons(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize(("dimension", "columns"), [(16, 32), (16, 0), (0, 32), (0, 0)])
def test_a_view_finds_what_the_archive_holds(archive: Archive, dimension: int, columns: int) -> None:
    live = VectorView.open(archive, WordModel(dimension, columns))
    [hits] = live.search(live.model.queries("boot"), 10)
    assert len(hits.numbers) == 3
    assert difference(live) is None


def test_an_empty_archive_has_no_neighbours(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "empty.db") as archive:
        live = VectorView.open(archive, WordModel())
        [hits] = live.search(live.model.queries("boot"), 10)
        assert len(hits.numbers) == 0
        assert live.model.encoded == 1


def test_adds_edits_and_deletes_are_in_the_next_search(archive: Archive) -> None:
    live = VectorView.open(archive, WordModel())
    archive.add(Question(id="new", title="a new question"))
    assert best(live, "a new question") == "new"
    archive.edit(Question(id="new", title="grub"))
    assert best(live, "grub") == "new"
    archive.delete("new")
    assert best(live, "grub") != "new"
    assert difference(live) is None


def test_a_deleted_question_can_come_back(archive: Archive) -> None:
    live = VectorView.open(archive, WordModel())
    archive.delete("usb")
    live.catch_up()
    archive.add(Question(id="usb", title="grub"))
    assert best(live, "grub") == "usb"
    assert difference(live) is None


def test_only_what_changed_is_encoded(archive: Archive) -> None:
    live = VectorView.open(archive, WordModel())
    live.model.encoded = 0
    archive.put_many([Question(id="new", title="n"), Question(id="usb", title="changed")])
    archive.delete("sound")
    archive.mark(Mark("usb", "new"))
    assert live.catch_up() == 3
    assert live.model.encoded == 2
    assert live.catch_up() == 0


def test_a_change_in_the_middle_of_catching_up_is_not_missed(archive: Archive) -> None:
    class Editing(WordModel):
        def encode(self, questions: Sequence[Question], progress: Progress = no_progress) -> QuestionVectors:
            archive.put(Question(id="sound", title="grub"))
            return super().encode(questions, progress)

    live = VectorView.open(archive, Editing())
    assert best(live, "grub") == "sound"
    assert difference(live) is None


def test_what_is_not_committed_is_not_found(archive: Archive) -> None:
    live = VectorView.open(archive, WordModel())
    with archive.transaction():
        archive.add(Question(id="new", title="grub"))
        assert best(live, "grub") != "new"
    assert best(live, "grub") == "new"


def test_threads_can_search_while_another_writes(archive: Archive) -> None:
    live = VectorView.open(archive, WordModel())
    wrong: list[str] = []

    def search() -> None:
        for _ in range(30):
            wrong.extend({best(live, "no sound since the update")} - {"sound"})

    searchers = [threading.Thread(target=search) for _ in range(3)]
    for searcher in searchers:
        searcher.start()
    for number in range(30):
        archive.put(Question(id=f"new {number % 5}", title=f"new {number}"))
    for searcher in searchers:
        searcher.join()
    assert wrong == []
    assert difference(live) is None


def test_progress_ends_with_everything_done(archive: Archive) -> None:
    archive.put_many(many(1500))
    calls: list[tuple[int, int]] = []
    VectorView.open(
        archive, WordModel(), durable=False, progress=lambda done, total: calls.append((done, total))
    )
    assert len(calls) > 2
    assert calls == sorted(calls)
    assert calls[-1] == (1503, 1503)


def test_questions_are_encoded_by_the_hundred(archive: Archive) -> None:
    archive.put_many(many(1500))
    live = VectorView.open(archive, WordModel(), durable=False)
    assert live.model.calls == 3


def test_gigantic_questions_are_encoded_few_at_a_time(archive: Archive) -> None:
    archive.put_many(Question(id=f"big {n}", title="boot", body="x" * 4_000_000) for n in range(4))
    live = VectorView.open(archive, WordModel(), durable=False)
    assert live.model.calls == 2


def test_an_unknown_method_is_refused_with_the_known_ones(archive: Archive) -> None:
    with pytest.raises(SettingsError, match="choose from auto, exact, approximate"):
        VectorView.open(archive, WordModel(), method="guess")  # type: ignore[arg-type]


# Models that go wrong


class Spoiling(WordModel):
    """Gives unusable vectors for one question."""

    def __init__(self, **wrong: np.ndarray) -> None:
        super().__init__()
        self._wrong = wrong

    def encode(self, questions: Sequence[Question], progress: Progress = no_progress) -> QuestionVectors:
        vectors = super().encode(questions, progress)
        right = {name: getattr(vectors, name) for name in ("dense", "columns", "values", "offsets")}
        return QuestionVectors(**right | self._wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dense": np.zeros((3, 15), np.float32)},
        {"dense": np.zeros((2, 16), np.float32)},
        {"offsets": np.array([0, 5, 1, 2])},
        {"offsets": np.array([0])},
        {"columns": np.array([32] * 10), "values": np.ones(10), "offsets": np.array([0, 3, 6, 10])},
        {"columns": np.array([-1] * 10), "values": np.ones(10), "offsets": np.array([0, 3, 6, 10])},
    ],
)
def test_vectors_of_wrong_shapes_are_refused(archive: Archive, wrong: dict[str, np.ndarray]) -> None:
    with pytest.raises(EncodingError, match="words 16 32 has given unusable vectors"):
        VectorView.open(archive, Spoiling(**wrong), durable=False)


def test_values_that_are_no_numbers_count_as_nothing(
    archive: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    dense = np.zeros((3, 16), np.float32)
    dense[0] = [np.nan, np.inf, -np.inf, 1e30, 1.0, *[0.0] * 11]
    live = VectorView.open(archive, Spoiling(dense=dense), durable=False)
    assert "values that are no numbers" in reasons(caplog)[0]
    query = np.ones((1, 16), np.float32)
    nothing = np.zeros(0)
    [hits] = live.search(QuestionVectors(query, nothing, nothing, np.array([0, 0])), 3)
    assert hits.scores.tolist() == [1.0, 0.0, 0.0]


# Interruptions


class Interrupted(WordModel):
    """Stops, as after Ctrl-C, when it has encoded so many questions."""

    limit = 10**9

    def encode(self, questions: Sequence[Question], progress: Progress = no_progress) -> QuestionVectors:
        if self.encoded + len(questions) > self.limit:
            raise KeyboardInterrupt
        return super().encode(questions, progress)


def test_after_an_interruption_at_most_a_chunk_is_encoded_again(archive: Archive) -> None:
    archive.put_many(many(10_000))
    model = Interrupted()
    model.limit = 8200
    with pytest.raises(KeyboardInterrupt):
        VectorView.open(archive, model)
    before = model.encoded
    live = VectorView.open(archive, WordModel())
    assert before > 7500
    assert live.model.encoded <= 10_003 - before + 5000
    assert difference(live) is None


def test_work_of_half_a_minute_is_saved(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askagain.neighbours.view._SECONDS_BETWEEN_SAVES", 0.1)
    archive.put_many(many(1500))
    model = Interrupted(pause=0.1)
    model.limit = 1200
    with pytest.raises(KeyboardInterrupt):
        VectorView.open(archive, model)
    live = VectorView.open(archive, WordModel())
    assert model.encoded + live.model.encoded == 1503


def test_an_interrupted_search_is_made_good_by_the_next(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = VectorView.open(archive, WordModel())
    archive.put(Question(id="usb", title="grub"))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(live._rows, "_locate", interrupt)
        with pytest.raises(KeyboardInterrupt):
            live.catch_up()
    assert best(live, "grub") == "usb"
    assert difference(live) is None


def test_what_changed_after_an_interruption_is_right(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_small_chunks(monkeypatch, 8)
    archive.put_many(many(30))
    model = Interrupted()
    model.limit = 20
    with pytest.raises(KeyboardInterrupt):
        VectorView.open(archive, model)
    archive.put_many(many(10, first=25))
    archive.put_many(Question(id=f"many {n}", title=f"grub {n}") for n in (1, 18, 29))
    archive.delete("many 2")
    archive.delete("many 28")
    assert difference(VectorView.open(archive, WordModel())) is None


# Other histories


def test_an_archive_that_was_restored_from_a_backup_is_encoded_anew(
    archive: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    path = archive.path
    archive.close()
    shutil.copy(path, path.with_name("backup"))
    with Archive.open(path) as archive:
        archive.add(Question(id="lost", title="lost"))
        VectorView.open(archive, WordModel()).close()
    shutil.copy(path.with_name("backup"), path)
    with Archive.open(path) as archive:
        archive.add(Question(id="other", title="other"))
        assert difference(VectorView.open(archive, WordModel())) is None
    [reason] = reasons(caplog)
    assert "forum.db has another history than its vectors" in reason


def test_a_backup_from_before_an_interrupted_encoding_is_noticed(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    use_small_chunks(monkeypatch, 8)
    archive.put_many(many(6))
    path = archive.path
    archive.close()
    shutil.copy(path, path.with_name("backup"))
    with Archive.open(path) as archive:
        archive.put_many(many(50, first=6))
        model = Interrupted()
        model.limit = 30
        with pytest.raises(KeyboardInterrupt):
            VectorView.open(archive, model)
    shutil.copy(path.with_name("backup"), path)
    with Archive.open(path) as archive:
        archive.put_many(Question(id=f"other {n}", title=f"other {n}") for n in range(60))
        assert difference(VectorView.open(archive, WordModel())) is None
    [reason] = reasons(caplog)
    assert "another history" in reason


def test_what_another_process_writes_is_found(archive: Archive) -> None:
    live = VectorView.open(archive, WordModel())
    code = """
import sys
from askagain.archive import Archive
from askagain.question import Question
with Archive.open(sys.argv[1]) as archive:
    archive.add(Question(id="theirs", title="grub"))
    archive.delete("usb")
"""
    subprocess.run([sys.executable, "-c", code, str(archive.path)], check=True, timeout=60)
    assert best(live, "grub") == "theirs"
    assert difference(live) is None
