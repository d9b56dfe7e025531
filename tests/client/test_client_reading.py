"""Replies are checked member by member before anybody relies on them."""

from typing import Any

import pytest

from askagain.client import UnexpectedReplyError
from askagain.client.reading import read
from askagain.client.results import Brief, Reasons, SimilarWords, Suggestion
from askagain.question import WeightedWord

REASONS = {
    "line": "same: rice",
    "shared": [{"word": "rice", "weight": 4}],
    "only_yours": [],
    "only_theirs": [],
    "similar": [{"yours": "boil", "theirs": "cook", "similarity": 0.7}],
}
BRIEF = {"id": "1", "title": "Rice", "excerpt": "", "url": None, "created": "", "answer": "Rinse it."}


def test_objects_in_objects_become_values() -> None:
    assert read(Reasons, REASONS) == Reasons(
        "same: rice", (WeightedWord("rice", 4.0),), (), (), (SimilarWords("boil", "cook", 0.7),)
    )


def test_a_suggestion_has_the_members_of_a_brief_question_and_its_own() -> None:
    suggestion = read(Suggestion, {**BRIEF, "probability": 0.5, "score": 1.25, "reasons": None})

    assert (suggestion.title, suggestion.probability, suggestion.reasons) == ("Rice", 0.5, None)


def test_members_of_a_later_version_are_passed_over() -> None:
    assert read(Brief, {**BRIEF, "votes": 3}) == read(Brief, BRIEF)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"line": 3}, r"Reasons\.line should be of type str and is '3'"),
        ({"line": None}, r"Reasons\.line"),
        ({"shared": {}}, r"Reasons\.shared should be an array"),
        ({"shared": [{"word": "rice"}]}, r"Reasons\.shared\[0\]\.weight should be of type float"),
        ({"similar": ["boil"]}, r"Reasons\.similar\[0\] should be an object"),
        ({"shared": [{"word": "rice", "weight": True}]}, r"weight should be of type float and is 'True'"),
    ],
)
def test_a_member_of_another_type_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(UnexpectedReplyError, match=said):
        read(Reasons, {**REASONS, **change})
