import tempfile
from pathlib import Path

from askagain.sources.answers import temporary_answers


def test_the_accepted_answer_wins_over_the_best_scored_one():
    with temporary_answers() as answers:
        answers.add(question="1", id="2", score=10, text="popular")
        answers.add(question="1", id="3", score=-4, text="accepted")
        answers.add(question="9", id="4", score=99, text="elsewhere")
        answers.sort()
        assert answers.best("1", accepted="3") == "accepted"
        assert answers.best("1", accepted="") == "popular"
        assert answers.best("1", accepted="77") == "popular"
        assert answers.best("5", accepted="") == ""


def test_the_earliest_of_equally_scored_answers_is_the_best():
    with temporary_answers() as answers:
        answers.add(question="1", id="2", score=0, text="early")
        answers.add(question="1", id="3", score=0, text="late")
        answers.sort()
        assert answers.best("1", accepted="") == "early"


def test_nothing_is_left_on_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with temporary_answers() as answers:
        answers.add(question="1", id="2", score=0, text="x")
        assert list(Path(tmp_path).iterdir())
    assert not list(Path(tmp_path).iterdir())
