"""The engine: an archive that is searched while it changes, with reasons."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from askagain import Engine, Question
from askagain.errors import ArchiveError, SettingsError

FORUM = [
    Question(id="boot", title="How do I boot from a USB stick?", body="My laptop ignores the stick."),
    Question(id="format", title="How do I format a USB stick?", body="It says it is read-only."),
    Question(id="rice", title="Why is my rice sticky?", body="It always clumps."),
]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Engine.open(tmp_path / "forum.db", create=True) as engine:
        engine.archive.put_many(FORUM)
        yield engine


def ids(engine: Engine, title: str, **more: str) -> list[str]:
    return [match.id for match in engine.search(Question(title=title, **more))]


def test_the_most_similar_question_comes_first(engine: Engine) -> None:
    assert ids(engine, "booting from USB") == ["boot", "format"]


def test_a_match_brings_its_question(engine: Engine) -> None:
    [match] = engine.search(Question(title="sticky rice"), k=1)
    assert match.question == FORUM[2]


def test_a_question_of_the_archive_does_not_find_itself(engine: Engine) -> None:
    assert ids(engine, FORUM[0].title, id="boot") == ["format"]


def test_reasons_are_the_shared_words_as_they_were_asked(engine: Engine) -> None:
    [match, _] = engine.search(Question(title="booting sticks"))
    assert {reason.term for reason in match.reasons} == {"booting", "sticks"}
    assert match.reason == "matched by: sticks, booting"


def test_shares_add_up_to_the_score(engine: Engine) -> None:
    for match in engine.search(Question(title="boot a stick", body="laptop")):
        assert sum(reason.share for reason in match.reasons) == pytest.approx(match.score, rel=1e-12)


def test_reasons_can_be_left_out(engine: Engine) -> None:
    assert engine.search(Question(title="rice"), explain=False)[0].reasons == ()


def test_a_new_question_is_found_by_the_next_search(engine: Engine) -> None:
    engine.archive.add(Question(id="new", title="Booting from USB does nothing"))
    assert "new" in ids(engine, "booting from usb")


def test_an_edited_question_is_found_by_its_new_words_only(engine: Engine) -> None:
    engine.archive.put(Question(id="rice", title="Why is my pasta sticky?"))
    assert ids(engine, "pasta") == ["rice"]
    assert ids(engine, "rice") == []


def test_a_deleted_question_is_not_found(engine: Engine) -> None:
    engine.archive.delete("boot")
    assert ids(engine, "boot") == []


def test_a_question_without_known_words_finds_nothing(engine: Engine) -> None:
    assert ids(engine, "quantum chromodynamics") == []


@pytest.mark.parametrize("k", [0, -3])
def test_nobody_asked_for_gives_nobody(engine: Engine, k: int) -> None:
    assert engine.search(Question(title="usb"), k=k) == []


def test_scores_of_questions_outside_the_archive_follow_its_statistics(engine: Engine) -> None:
    stranger = Question(title=FORUM[0].title, body=FORUM[0].body)
    asked = Question(title="boot from usb")
    [best, *_] = engine.search(asked)
    assert engine.ranker.score(asked, [stranger]) == [best.score]


def test_an_archive_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"nowhere\.db"):
        Engine.open(tmp_path / "nowhere.db")


def test_an_unknown_system_leaves_no_file_behind(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="bm26"):
        Engine.open(tmp_path / "forum.db", "bm26", create=True)
    assert list(tmp_path.iterdir()) == []
