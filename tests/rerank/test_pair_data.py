"""Lists to learn from, out of an archive's marks."""

import pytest

from askagain.errors import TrainingError
from askagain.question import Question
from askagain.rerank.data import LIST_LENGTH, PairData, from_marks
from askagain.sources.lists import Candidate, CandidateList
from askagain.training.data import TrainingData, assembled

TITLES = ["boot from usb", "usb boot fails", "start a stick", "slow wifi", "usb boot menu", "wifi drops"]


def marked(*pairs: tuple[str, str]) -> TrainingData:
    return assembled([Question(title, id=str(row)) for row, title in enumerate(TITLES)], pairs, [])


def labels(list_: CandidateList) -> dict[str, bool | None]:
    return {entry.question.id: entry.relevant for entry in list_.candidates}


def test_every_marked_question_asks_for_its_duplicates_among_bm25s_candidates() -> None:
    data = from_marks(marked(("0", "1")))
    assert [list_.query.id for list_ in data.lists] == ["0", "1"]
    assert labels(data.lists[0]) == {"1": True, "4": False}


def test_a_duplicate_that_bm25_does_not_find_comes_last() -> None:
    data = from_marks(marked(("0", "2")))
    last = data.lists[0].candidates[-1]
    assert (last.question.id, last.relevant) == ("2", True)
    assert [entry.rank for entry in data.lists[0].candidates] == [1, 2, 3]


def test_duplicates_of_duplicates_are_not_taken_for_different() -> None:
    data = from_marks(marked(("0", "2"), ("2", "4")))
    assert labels(data.lists[0])["4"] is True


def test_lists_are_of_limited_length() -> None:
    questions = [Question("usb boot", id=str(row)) for row in range(50)]
    data = from_marks(assembled(questions, [("0", "1")], []))
    assert all(len(list_.candidates) <= LIST_LENGTH + 1 for list_ in data.lists)


def test_without_marks_there_is_nothing_to_learn() -> None:
    with pytest.raises(TrainingError, match="mark some duplicates first"):
        from_marks(marked())


def test_lists_without_labels_teach_nothing() -> None:
    list_ = CandidateList(Question("a"), (Candidate(Question("b"), 1, None),))
    with pytest.raises(TrainingError, match="without a label"):
        PairData((list_,))


def test_the_hash_depends_on_texts_and_labels() -> None:
    first, second = from_marks(marked(("0", "1"))), from_marks(marked(("0", "2")))
    assert first.hash != second.hash
    assert first.hash == from_marks(marked(("0", "1"))).hash
