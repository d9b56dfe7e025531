"""The view of an archive: what it holds, how it follows, and when it trusts its file."""

import logging
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from fresh import difference

from askagain.analysis import AnalyzerSettings
from askagain.archive import Archive
from askagain.errors import IndexFileError, SettingsError
from askagain.lexical import storage, view
from askagain.lexical.index import Scoring
from askagain.lexical.similarities import Bm25
from askagain.lexical.view import LexicalView, default_path
from askagain.question import Mark, Question

QUERIES = [["boot"], ["usb", "stick"], ["sound"], ["new"]]
SCORING = Scoring(Bm25(), (1.0, 1.0))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test's archive is."""
    return tmp_path / "forum.db"


@pytest.fixture
def archive(path: Path) -> Iterator[Archive]:
    """An archive of three questions."""
    with Archive.open(path) as archive:
        archive.add(Question(id="usb", title="Booting from USB", body="My <b>stick</b> does not boot"))
        archive.add(Question(id="sound", title="No sound", body="since the update"))
        archive.add(Question(id="empty", title=""))
        yield archive


def found(live: LexicalView, title: str) -> list[str]:
    """The ids of the questions that the view finds now."""
    with live.lock:
        live.catch_up()
        [best] = live.index.search([live.query_terms(Question(title=title))], SCORING, 10)
    questions = live.archive.by_numbers(best.numbers.tolist())
    return [questions[number].id for number in best.numbers.tolist()]


def index_files(archive: Archive) -> list[Path]:
    return sorted(archive.path.parent.glob("*.lexical"))


def test_a_new_view_holds_what_the_archive_holds(archive: Archive) -> None:
    live = LexicalView.open(archive)
    assert len(live.index) == 3
    assert found(live, "boots") == ["usb"]
    assert difference(live, QUERIES) is None


def test_texts_are_analysed_per_field(archive: Archive) -> None:
    question = Question(title="Boots fast", body="<p>from disks</p>")
    live = LexicalView.open(archive, ("title", "text", "body"), durable=False)
    title, body = ("boot", "fast"), ("from", "disk")
    assert live.terms_of(question) == [title, title + body, body]


def test_a_query_goes_through_the_same_analyzer_title_first(archive: Archive) -> None:
    question = Question(title="Boots fast", body="<p>from disks</p>")
    settings = AnalyzerSettings(stemmer="none")
    live = LexicalView.open(archive, ("title",), settings, durable=False)
    assert live.query_terms(question) == ("boots", "fast", "from", "disks")


@pytest.mark.parametrize("fields", [(), ("title", "answer")])
def test_impossible_fields_are_refused_with_the_possible_ones(
    archive: Archive, fields: tuple[str, ...]
) -> None:
    with pytest.raises(SettingsError, match="choose from title, body, text"):
        LexicalView.open(archive, fields)


def test_adds_edits_and_deletes_are_in_the_next_search(archive: Archive) -> None:
    live = LexicalView.open(archive)
    archive.add(Question(id="new", title="A new question"))
    assert found(live, "new") == ["new"]
    archive.edit(Question(id="new", title="An edited question"))
    assert found(live, "new") == []
    assert found(live, "edited") == ["new"]
    archive.delete("new")
    assert found(live, "edited") == []
    assert difference(live, QUERIES) is None


def test_a_deleted_question_can_come_back(archive: Archive) -> None:
    live = LexicalView.open(archive)
    archive.delete("usb")
    assert found(live, "usb") == []
    archive.add(Question(id="usb", title="USB again"))
    assert found(live, "usb") == ["usb"]
    assert difference(live, QUERIES) is None


def test_catching_up_tells_how_many_questions_changed(archive: Archive) -> None:
    live = LexicalView.open(archive)
    assert live.catch_up() == 0
    archive.mark(Mark("usb", "sound"))
    assert live.catch_up() == 0
    archive.put_many([Question(id="new", title="n"), Question(id="usb", title="changed")])
    archive.delete("sound")
    assert live.catch_up() == 3


def test_what_another_process_writes_is_found(archive: Archive) -> None:
    live = LexicalView.open(archive)
    code = """
import sys
from askagain.archive import Archive
from askagain.question import Question
with Archive.open(sys.argv[1]) as archive:
    archive.add(Question(id="theirs", title="From another process"))
    archive.delete("usb")
"""
    subprocess.run([sys.executable, "-c", code, str(archive.path)], check=True, timeout=60)
    assert found(live, "another process") == ["theirs"]
    assert found(live, "usb") == []


def test_what_is_not_committed_is_not_found(archive: Archive) -> None:
    live = LexicalView.open(archive)
    with archive.transaction():
        archive.add(Question(id="new", title="new"))
        assert found(live, "new") == []
    assert found(live, "new") == ["new"]


def test_threads_can_search_while_another_writes(archive: Archive) -> None:
    live = LexicalView.open(archive)
    wrong: list[str] = []

    def search() -> None:
        for _ in range(50):
            wrong.extend(set(found(live, "sound")) - {"sound"})

    searchers = [threading.Thread(target=search) for _ in range(3)]
    for searcher in searchers:
        searcher.start()
    for number in range(50):
        archive.put(Question(id=f"new {number % 5}", title=f"new {number}"))
    for searcher in searchers:
        searcher.join()
    assert wrong == []
    assert difference(live, QUERIES) is None


def test_an_interrupted_catch_up_is_made_good(archive: Archive) -> None:
    live = LexicalView.open(archive)
    archive.put_many(Question(id=f"new {number}", title="new") for number in range(1500))

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        live.catch_up(interrupt)
    assert difference(live, QUERIES) is None


def test_progress_ends_with_everything_done(archive: Archive) -> None:
    archive.put_many(Question(id=f"new {number}", title="new") for number in range(2500))
    calls: list[tuple[int, int]] = []
    LexicalView.open(archive, durable=False, progress=lambda done, total: calls.append((done, total)))
    assert len(calls) > 2
    assert calls == sorted(calls)
    assert calls[-1] == (2503, 2503)


# The file


def test_a_new_view_is_saved_beside_the_archive(archive: Archive) -> None:
    live = LexicalView.open(archive)
    assert index_files(archive) == [live.path]
    assert live.path == default_path(archive.path, ("title", "body"), AnalyzerSettings())
    assert live.path.name.startswith("forum.db.")


def test_a_saved_view_is_loaded_and_only_catches_up(archive: Archive) -> None:
    archive.put_many(Question(id=f"old {number}", title="old") for number in range(500))
    LexicalView.open(archive)
    archive.add(Question(id="new", title="new"))
    calls: list[tuple[int, int]] = []
    live = LexicalView.open(archive, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(1, 1)]
    assert difference(live, QUERIES) is None


def test_a_view_can_be_kept_at_another_path(archive: Archive, tmp_path: Path) -> None:
    LexicalView.open(archive, path=tmp_path / "elsewhere.lexical")
    assert index_files(archive) == [tmp_path / "elsewhere.lexical"]


def test_a_view_that_is_not_durable_has_no_file(archive: Archive) -> None:
    live = LexicalView.open(archive, durable=False)
    live.close()
    assert index_files(archive) == []
    with pytest.raises(IndexFileError, match="not durable has no file"):
        live.save()


def saved_seq(live: LexicalView) -> int:
    assert live.path is not None
    _, header = storage.load(live.path)
    seq: int = header["position"]["seq"]
    return seq


def test_few_changes_are_not_worth_a_new_file_and_many_are(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "MANY_CHANGES", 3)
    archive.put_many(Question(id=f"old {number}", title="old") for number in range(1000))
    first = saved_seq(LexicalView.open(archive))
    archive.put_many(Question(id=f"new {number}", title="new") for number in range(3))
    assert saved_seq(LexicalView.open(archive)) == first
    archive.add(Question(id="one more", title="new"))
    assert saved_seq(LexicalView.open(archive)) == archive.sequence.seq


def test_closing_saves_many_changes(archive: Archive) -> None:
    with LexicalView.open(archive) as live:
        archive.add(Question(id="new", title="new"))
        live.catch_up()
    assert saved_seq(live) == archive.sequence.seq


def test_saving_includes_what_was_not_caught_up_yet(archive: Archive) -> None:
    live = LexicalView.open(archive)
    archive.add(Question(id="new", title="new"))
    live.save()
    assert saved_seq(live) == archive.sequence.seq


def test_other_fields_and_settings_have_files_of_their_own(archive: Archive) -> None:
    LexicalView.open(archive)
    LexicalView.open(archive, ("text",))
    LexicalView.open(archive, settings=AnalyzerSettings(stop_words="english"))
    assert len(index_files(archive)) == 3


# Files that are not trusted


def reasons(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_damaged_file_is_reported_once_and_replaced(
    archive: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    path = LexicalView.open(archive).path
    assert path is not None
    path.write_bytes(path.read_bytes()[:-64])
    assert difference(LexicalView.open(archive), QUERIES) is None
    [reason] = reasons(caplog)
    assert f"{path} cannot be used" in reason
    caplog.clear()
    LexicalView.open(archive)
    assert reasons(caplog) == []


def test_a_file_with_other_settings_under_the_same_name_is_not_used(
    archive: Archive, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "given.lexical"
    LexicalView.open(archive, path=path)
    live = LexicalView.open(archive, settings=AnalyzerSettings(stemmer="none"), path=path)
    assert found(live, "boots") == []
    [reason] = reasons(caplog)
    assert "its analyzer are" in reason


def test_a_file_of_another_version_is_not_used(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    LexicalView.open(archive)
    monkeypatch.setattr(view, "VERSION", "99.0")
    LexicalView.open(archive)
    [reason] = reasons(caplog)
    assert "its versions are" in reason


def test_the_file_of_another_archive_is_not_used(
    archive: Archive, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    theirs = LexicalView.open(archive).path
    with Archive.open(tmp_path / "other.db") as other:
        other.put_many(Question(id=str(number), title="other") for number in range(5))
        live = LexicalView.open(other, path=theirs)
        assert found(live, "usb") == []
        assert difference(live, QUERIES) is None
    [reason] = reasons(caplog)
    assert "other.db has another history than its index" in reason


def test_an_archive_that_was_restored_from_a_backup_gets_a_new_index(
    archive: Archive, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    archive.close()
    shutil.copy(path, path.with_name("backup"))
    with Archive.open(path) as archive:
        archive.add(Question(id="lost", title="lost"))
        LexicalView.open(archive)
    shutil.copy(path.with_name("backup"), path)
    with Archive.open(path) as archive:
        archive.add(Question(id="other", title="other"))
        live = LexicalView.open(archive)
        assert found(live, "lost other") == ["other"]
    [reason] = reasons(caplog)
    assert "forum.db has another history than its index" in reason


# Places that cannot be written to

OPEN_AS_NOBODY = """
import logging, os, sys
from askagain.archive import Archive
from askagain.lexical.view import LexicalView
with Archive.open(sys.argv[1]) as writable:
    LexicalView.open(writable)  # compiles what nobody would not be allowed to
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stdout)
live = LexicalView.open(Archive.open(sys.argv[2]))
print(len(live.index), "questions")
"""


def test_a_read_only_folder_is_no_error(archive: Archive) -> None:
    archive.close()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(archive.path, folder)
        (folder / "forum.db").chmod(0o444)
        folder.chmod(0o555)
        code = [sys.executable, "-c", OPEN_AS_NOBODY, str(archive.path), str(folder / "forum.db")]
        printed = subprocess.run(code, check=True, timeout=120, capture_output=True, text=True).stdout
        assert [file.name for file in folder.iterdir()] == ["forum.db"]
        folder.chmod(0o755)
    assert printed.startswith("INFO ")
    assert "cannot be written: Permission denied" in printed
    assert printed.endswith("3 questions\n")
