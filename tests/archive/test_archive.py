import sqlite3
from pathlib import Path

import pytest

from askagain.archive import Archive, Change, Position, PutCounts
from askagain.errors import ArchiveError, ConflictError, UnknownQuestionError
from askagain.question import Mark, Question, Verdict

BOOT = Question(
    id="boot",
    title="How do I boot from USB?",
    body="<p>It does <b>nothing</b>.</p>",
    tags=("usb", "boot'ing", "größe"),
    created="2014-02-01T10:00:00",
    url="https://forum.example/q/boot",
    answer="Press F12.",
)
WIFI = Question(id="wifi", title="No wireless after an upgrade")


def changes(archive: Archive, since: int = 0) -> list[tuple[int, str]]:
    return [(change.seq, change.id) for change in archive.changes_since(since)]


# Questions


def test_a_question_comes_back_exactly_as_it_was_added(archive: Archive) -> None:
    archive.add(BOOT)
    assert archive.get("boot") == BOOT


def test_questions_survive_closing_the_file(path: Path) -> None:
    with Archive.open(path) as archive:
        archive.add(BOOT)
    with Archive.open(path, create=False) as archive:
        assert archive.get("boot") == BOOT


def test_numbers_follow_the_order_of_arrival(archive: Archive) -> None:
    assert [archive.add(WIFI), archive.add(BOOT)] == [1, 2]
    assert archive.numbers(["boot", "wifi", "missing"]) == {"boot": 2, "wifi": 1}
    assert archive.question_of(2) == BOOT


def test_a_question_without_an_id_gets_one_of_its_own(archive: Archive) -> None:
    first = archive.question_of(archive.add(Question(title="one")))
    second = archive.question_of(archive.add(Question(title="one")))
    assert first is not None
    assert second is not None
    assert first.id
    assert second.id
    assert first.id != second.id


def test_adding_an_id_twice_is_a_conflict_and_changes_nothing(archive: Archive) -> None:
    archive.add(BOOT)
    with pytest.raises(ConflictError, match="'boot'"):
        archive.add(Question(id="boot", title="another"))
    assert archive.get("boot") == BOOT


def test_put_adds_replaces_and_tells_whether_anything_changed(archive: Archive) -> None:
    changed = Question(id="boot", title="changed")
    assert [archive.put(question) for question in (BOOT, BOOT, changed)] == [True, False, True]
    assert archive.get("boot") == changed


@pytest.mark.parametrize("field", ["title", "body", "tags", "created", "url", "answer"])
def test_a_change_of_any_field_is_a_change(archive: Archive, field: str) -> None:
    archive.add(WIFI)
    edited = {"title": WIFI.title, field: ("new",) if field == "tags" else "new"}
    assert archive.edit(Question(id="wifi", **edited))  # type: ignore[arg-type]


def test_only_a_question_that_is_there_can_be_edited(archive: Archive) -> None:
    with pytest.raises(UnknownQuestionError, match="'boot'"):
        archive.edit(BOOT)


def test_a_deleted_question_is_gone(archive: Archive) -> None:
    archive.add(BOOT)
    assert archive.delete("boot")
    assert archive.get("boot") is None
    assert "boot" not in archive
    assert len(archive) == 0
    assert list(archive.questions()) == []
    assert archive.by_numbers([1]) == {}
    assert not archive.delete("boot")


def test_the_text_of_a_deleted_question_is_no_longer_in_the_table(archive: Archive, path: Path) -> None:
    archive.add(BOOT)
    archive.delete("boot")
    row = sqlite3.connect(path).execute("SELECT title, body, tags, created, url, answer FROM questions")
    assert row.fetchone() == ("", "", "[]", "", "", "")


def test_a_deleted_number_is_not_given_to_another_question(archive: Archive) -> None:
    archive.add(BOOT)
    archive.delete("boot")
    assert archive.add(WIFI) == 2


def test_adding_a_deleted_id_revives_its_number(archive: Archive) -> None:
    archive.add(BOOT)
    archive.add(WIFI)
    archive.delete("boot")
    assert archive.add(Question(id="boot", title="again")) == 1
    assert len(archive) == 2


def test_more_ids_than_a_statement_can_hold_are_looked_up(archive: Archive) -> None:
    many = {f"q{number}": Question(id=f"q{number}", title="t") for number in range(2500)}
    archive.put_many(many.values())
    assert archive.get_many(many) == many
    assert len(archive.by_numbers(range(1, 2501))) == 2500


@pytest.mark.parametrize("id", ["", "no such", "\0", "\ud800", "x" * 1000])
def test_an_impossible_id_is_simply_not_there(archive: Archive, id: str) -> None:
    archive.add(BOOT)
    assert id not in archive
    assert archive.get(id) is None
    assert not archive.delete(id)


# Many at once


def test_put_many_counts_what_it_did(archive: Archive) -> None:
    archive.put_many([BOOT, WIFI])
    archive.delete("wifi")
    counts = archive.put_many([BOOT, WIFI, Question(id="new", title="t")])
    assert counts == PutCounts(added=2, changed=0, unchanged=1)
    assert archive.put_many([Question(id="boot", title="other")]) == PutCounts(changed=1)


def test_put_many_makes_one_commit_per_batch(archive: Archive) -> None:
    archive.put_many((Question(id=str(number), title="t") for number in range(10)), batch=4)
    commits = sqlite3.connect(archive.path).execute("SELECT seq FROM commits").fetchall()
    assert commits == [(4,), (8,), (10,)]


def test_of_equal_ids_the_last_one_wins(archive: Archive) -> None:
    archive.put_many([BOOT, WIFI, Question(id="boot", title="later")])
    assert [question.title for question in archive.questions()] == ["later", WIFI.title]


def test_a_question_that_is_refused_takes_its_batch_with_it_but_no_earlier_one(archive: Archive) -> None:
    with pytest.raises(ArchiveError, match="control characters"):
        archive.put_many([BOOT, WIFI, Question(id="bad\n", title="t")], batch=2)
    assert len(archive) == 2


# Sequence numbers


def test_every_change_gets_the_next_sequence_number(archive: Archive) -> None:
    archive.add(BOOT)
    archive.add(WIFI)
    archive.edit(Question(id="boot", title="changed"))
    assert changes(archive) == [(2, "wifi"), (3, "boot")]
    assert archive.sequence.seq == 3


def test_what_changes_nothing_gets_no_sequence_number(archive: Archive) -> None:
    archive.add(BOOT)
    archive.add(WIFI)
    archive.mark(Mark("boot", "wifi"))
    before = archive.sequence
    archive.put(BOOT)
    archive.mark(Mark("wifi", "boot"))
    archive.delete("missing")
    assert archive.sequence == before


def test_changes_since_gives_only_later_changes_in_their_latest_state(archive: Archive) -> None:
    archive.add(BOOT)
    seen = archive.sequence
    archive.add(WIFI)
    archive.delete("boot")
    assert list(archive.changes_since(seen.seq)) == [
        Change(seq=2, number=2, id="wifi", question=WIFI),
        Change(seq=3, number=1, id="boot", question=None),
    ]


def test_changes_can_be_limited(archive: Archive) -> None:
    archive.put_many([BOOT, WIFI])
    assert [change.id for change in archive.changes_since(0, limit=1)] == ["boot"]


def test_a_position_of_its_own_history_has_been_seen(archive: Archive) -> None:
    positions = [archive.sequence]
    for question in (BOOT, WIFI):
        archive.add(question)
        positions.append(archive.sequence)
    assert all(archive.has_seen(position.seq, position.token) for position in positions)


def test_a_restored_backup_has_not_seen_what_came_after_it(path: Path) -> None:
    with Archive.open(path) as archive:
        archive.add(BOOT)
    backup = path.read_bytes()
    with Archive.open(path) as archive:
        archive.add(WIFI)
        lost = archive.sequence
    path.write_bytes(backup)
    with Archive.open(path) as archive:
        assert not archive.has_seen(lost.seq, lost.token)
        archive.add(Question(id="other", title="another second question"))
        assert archive.sequence.seq == lost.seq
        assert not archive.has_seen(lost.seq, lost.token)


def test_two_empty_archives_have_different_positions(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "one.db") as one, Archive.open(tmp_path / "two.db") as two:
        assert one.sequence.seq == 0
        assert not two.has_seen(0, one.sequence.token)


# Marks


@pytest.fixture
def pair(archive: Archive) -> Archive:
    archive.put_many([BOOT, WIFI])
    return archive


def test_a_mark_comes_back_with_who_and_when(pair: Archive) -> None:
    mark = Mark("boot", "wifi", Verdict.NOT_DUPLICATE, "ann", "2020-05-01")
    assert pair.mark(mark)
    assert list(pair.marks()) == [mark]


def test_the_order_of_a_pair_has_no_meaning(pair: Archive) -> None:
    pair.mark(Mark("wifi", "boot", Verdict.DUPLICATE, "ann", "2020-05-01"))
    assert not pair.mark(Mark("boot", "wifi", Verdict.DUPLICATE, "ann", "2020-05-01"))
    assert len(list(pair.marks())) == 1


def test_a_later_verdict_takes_the_place_of_the_earlier(pair: Archive) -> None:
    pair.mark(Mark("boot", "wifi", Verdict.DUPLICATE))
    assert pair.mark(Mark("boot", "wifi", Verdict.NOT_DUPLICATE))
    assert list(pair.marks(Verdict.DUPLICATE)) == []
    assert len(list(pair.marks(Verdict.NOT_DUPLICATE))) == 1


def test_a_mark_without_a_time_gets_the_present_one(pair: Archive) -> None:
    pair.mark(Mark("boot", "wifi"))
    assert next(pair.marks()).when.startswith("20")


def test_a_withdrawn_mark_is_gone_and_has_a_sequence_number(pair: Archive) -> None:
    pair.mark(Mark("boot", "wifi"))
    before = pair.sequence.seq
    assert pair.withdraw("wifi", "boot")
    assert list(pair.marks(include_deleted=True)) == []
    assert pair.sequence.seq == before + 1
    assert not pair.withdraw("wifi", "boot")


def test_a_withdrawn_mark_can_be_set_again(pair: Archive) -> None:
    pair.mark(Mark("boot", "wifi"))
    pair.withdraw("boot", "wifi")
    assert pair.mark(Mark("boot", "wifi"))
    assert len(list(pair.marks())) == 1


def test_the_mark_of_a_deleted_question_shows_only_when_asked_or_after_its_return(pair: Archive) -> None:
    pair.mark(Mark("boot", "wifi"))
    pair.delete("boot")
    assert list(pair.marks()) == []
    assert len(list(pair.marks(include_deleted=True))) == 1
    pair.put(BOOT)
    assert len(list(pair.marks())) == 1


def test_a_mark_needs_two_questions_that_are_there(pair: Archive) -> None:
    with pytest.raises(UnknownQuestionError, match="'missing'"):
        pair.mark(Mark("boot", "missing"))
    with pytest.raises(ArchiveError, match="itself"):
        pair.mark(Mark("boot", "boot"))
    assert not pair.withdraw("boot", "missing")


# Transactions and snapshots


def test_a_transaction_is_one_commit(archive: Archive) -> None:
    with archive.transaction():
        archive.add(BOOT)
        archive.add(WIFI)
    assert sqlite3.connect(archive.path).execute("SELECT seq FROM commits").fetchall() == [(2,)]


def fail_after_deleting(archive: Archive, id: str) -> None:
    with archive.transaction():
        archive.delete(id)
        raise InterruptedError


def test_an_error_undoes_the_whole_transaction(archive: Archive) -> None:
    archive.add(BOOT)
    before = archive.sequence
    with pytest.raises(InterruptedError):
        fail_after_deleting(archive, "boot")
    assert archive.get("boot") == BOOT
    assert archive.sequence == before


def test_a_transaction_sees_its_own_writes_and_others_do_not(archive: Archive, path: Path) -> None:
    with archive.transaction(), Archive.open(path) as other:
        archive.add(BOOT)
        assert "boot" in archive
        assert "boot" not in other


def test_an_inner_transaction_that_fails_leaves_the_outer_one_whole(archive: Archive) -> None:
    with archive.transaction():
        archive.add(BOOT)
        with pytest.raises(ArchiveError, match="empty"):
            archive.put_many([WIFI, Question(title="no id")], batch=1)
        with pytest.raises(InterruptedError):
            fail_after_deleting(archive, "boot")
    assert [question.id for question in archive.questions()] == ["boot", "wifi"]
    assert changes(archive) == [(1, "boot"), (2, "wifi")]


def test_an_iterator_keeps_its_snapshot_while_the_archive_changes(archive: Archive) -> None:
    archive.put_many([BOOT, WIFI])
    reading = archive.questions()
    assert next(reading) == BOOT
    archive.delete("wifi")
    archive.add(Question(id="new", title="t"))
    assert list(reading) == [WIFI]


def test_an_iterator_that_was_given_up_holds_no_old_snapshot(archive: Archive) -> None:
    archive.put_many([BOOT, WIFI])
    reading = archive.questions()
    next(reading)
    reading.close()  # type: ignore[attr-defined]
    archive.delete("wifi")
    assert "wifi" not in archive


def test_a_closed_archive_says_so(path: Path) -> None:
    archive = Archive.open(path)
    archive.close()
    for use in (lambda: archive.get("boot"), lambda: archive.add(BOOT), lambda: list(archive.questions())):
        with pytest.raises(ArchiveError, match="was closed"):
            use()


def test_a_position_is_a_plain_value(archive: Archive) -> None:
    assert archive.sequence == Position(0, archive.sequence.token)
