"""The engine: an archive that is searched while it changes, with reasons."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from askagain import Archive, Engine, Match, Question, Reason
from askagain.analysis import AnalyzerSettings
from askagain.errors import ArchiveError, SettingsError
from askagain.lexical.recipe import LexicalSystem
from askagain.systems import DEFAULT_SYSTEM, LEXICAL_SYSTEMS
from askagain.views import Views

FORUM = [
    Question(id="boot", title="How do I boot from a USB stick?", body="My laptop ignores the stick."),
    Question(id="format", title="How do I format a USB stick?", body="It says it is read-only."),
    Question(id="rice", title="Why is my rice sticky?", body="It always clumps."),
]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Engine.open(tmp_path / "forum.db", "bm25", create=True) as engine:
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


def test_every_match_tells_what_is_the_same_and_what_differs(engine: Engine) -> None:
    [boot, format] = engine.search(Question(title="booting from sticks"))

    assert boot.reason == "same: booting, sticks; only theirs: usb"
    assert format.reason == "same: sticks; only yours: booting; only theirs: format, usb"


@pytest.mark.parametrize("system", LEXICAL_SYSTEMS)
def test_every_system_has_the_same_explanation(system: str, engine: Engine) -> None:
    asked = Question(title="sticky rice")
    [expected] = engine.search(asked, k=1)

    with Engine.open(engine.archive.path, system) as other:
        [match] = other.search(asked, k=1)

    assert expected.explanation is not None
    assert match.explanation == expected.explanation


def test_words_are_compared_as_the_systems_own_index_compares_them(tmp_path: Path) -> None:
    plain = LexicalSystem(
        "plain", "", {"name": "bm25"}, {"title": 1.0}, AnalyzerSettings(stemmer="none", stop_words="english")
    )
    with Engine.open(tmp_path / "forum.db", plain, create=True) as engine:
        engine.archive.put_many(FORUM)
        [match] = engine.search(Question(title="boot sticks"))

    assert match.reason == "same: boot; similar: sticks ~ stick; only theirs: usb"
    assert len(list(tmp_path.glob("*.lexical"))) == 1


def test_shares_of_the_score_are_there_for_those_who_want_all(engine: Engine) -> None:
    [match, _] = engine.search(Question(title="booting sticks"), explain="all")

    assert {reason.term for reason in match.reasons} == {"booting", "sticks"}
    assert match.explanation is not None
    assert match.explanation.let_in == match.reasons


def test_shares_add_up_to_the_score(engine: Engine) -> None:
    for match in engine.search(Question(title="boot a stick", body="laptop"), explain="all"):
        assert sum(reason.share for reason in match.reasons) == pytest.approx(match.score, rel=1e-12)


def test_a_search_is_explained_by_words_alone_unless_told_otherwise(engine: Engine) -> None:
    [match] = engine.search(Question(title="rice"))

    assert (match.explanation is not None, match.reasons) == (True, ())


def test_explanations_can_be_left_out(engine: Engine) -> None:
    [match] = engine.search(Question(title="rice"), explain="none")

    assert (match.explanation, match.reasons) == (None, ())


def test_another_degree_of_explanation_is_an_error(engine: Engine) -> None:
    with pytest.raises(SettingsError, match="explain is True: choose one of none, words, all"):
        engine.search(Question(title="rice"), explain=True)  # type: ignore[arg-type]


class Everything:
    """A ranker of somebody else, which finds all questions and gives no reasons."""

    name = "everything"

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def search(self, question: Question, k: int = 10) -> list[Match]:
        return [Match(found.id, 1.0, question=found) for found in self._archive.questions()][:k]

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        return [1.0 for _ in candidates]

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        return []


def test_matches_of_any_ranker_are_explained(engine: Engine) -> None:
    other = Engine(engine.archive, Everything(engine.archive), Views(engine.archive, durable=False))

    told = [match.reason for match in other.search(Question(title="sticky bread"))]

    assert told == [
        "similar: sticky ~ stick; only yours: bread; only theirs: boot, usb",
        "similar: sticky ~ stick; only yours: bread; only theirs: format, usb",
        "same: sticky; only yours: bread; only theirs: rice",
    ]


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


def test_without_a_choice_the_default_system_searches_and_leaves_nothing_out(tmp_path: Path) -> None:
    with Engine.open(tmp_path / "forum.db", create=True) as engine:
        engine.archive.put_many(FORUM)
        matches = engine.search(Question(title="boot from a stick"))

    assert engine.ranker.name == DEFAULT_SYSTEM
    assert engine.threshold == 0
    assert matches[0].id == "boot"
    assert len(matches) == len(FORUM)
    assert all(match.probability is not None for match in matches)


def test_an_unknown_system_leaves_no_file_behind(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="bm26"):
        Engine.open(tmp_path / "forum.db", "bm26", create=True)
    assert list(tmp_path.iterdir()) == []
