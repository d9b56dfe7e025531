"""Every method of the client, with the real service at the other end."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice

import pytest

from askagain.client import (
    AlreadyExistsError,
    ChangedMeanwhileError,
    Client,
    Deletion,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    TooLargeError,
    UnauthorizedError,
)
from askagain.question import Question, Verdict
from running_service import RunningService

QUESTION = Question(
    id="café/1?x=#1",
    title="Which espresso pot for an induction hob?",
    body="<p>Mine is made of aluminium &amp; stays cold.</p>",
    tags=("coffee", "kitchen"),
    created="2024-05-01T10:00:00Z",
    url="https://forum.example.org/t/1",
    answer="One with a steel base.",
)
HOSTILE_IDS = [
    "a/b",
    "..",
    ".",
    "a b+c%20",
    "x?y#z&w",
    "日本語",
    "100%",
    "<script>",
    "a\\b",
    "a//b",
    "a/",
    "bulk",
]


@pytest.fixture
def reader(service: RunningService) -> Iterator[Client]:
    with service.reading() as client:
        yield client


@pytest.fixture
def writer(service: RunningService) -> Iterator[Client]:
    with service.writing() as client:
        yield client


@pytest.fixture
def moderator(service: RunningService) -> Iterator[Client]:
    with service.moderating() as client:
        yield client


@pytest.fixture
def kept(writer: Client) -> Iterator[Question]:
    """A question that is in the archive for the length of a test."""
    writer.put(QUESTION)
    yield QUESTION
    writer.delete(QUESTION.id)


def test_similar_finds_earlier_questions_with_a_probability_and_reasons(reader: Client) -> None:
    best = reader.similar("Rice stood out overnight", "Can I still eat it?")[0]

    assert best.id == "cooking-10"
    assert best.probability is not None
    assert best.reasons is not None
    assert "rice" in [word.word for word in best.reasons.shared]


def test_similar_gives_as_many_as_asked_for_the_likeliest_first(reader: Client) -> None:
    found = reader.similar("Rice stood out overnight", k=7, min_probability=0.0, tags=["rice"])

    probabilities = [match.probability or 0.0 for match in found]
    assert len(found) == 7
    assert probabilities == sorted(probabilities, reverse=True)


def test_similar_without_explanation_has_no_reasons(reader: Client) -> None:
    found = reader.similar("Rice stood out overnight", explain=False)

    assert [match.reasons for match in found] == [None] * len(found)


def test_similar_searches_with_another_system(reader: Client) -> None:
    found = reader.similar("Rice stood out overnight", system="bm25", min_probability=0.0)

    assert [match.probability for match in found] == [None] * len(found)


def test_broken_text_is_searched_all_the_same(reader: Client) -> None:
    assert reader.similar("Rice stood out overnight \ud800\0", min_probability=0.0)


def test_related_is_about_a_question_of_the_archive_without_itself(reader: Client) -> None:
    found = [match.id for match in reader.related("cooking-1", k=10, min_probability=0.0)]

    assert "cooking-41" in found
    assert "cooking-1" not in found


def test_what_was_put_can_be_got(writer: Client, kept: Question) -> None:
    assert writer.get(kept.id).question == kept


def test_what_was_put_is_found(writer: Client, reader: Client, kept: Question) -> None:
    best = reader.similar(kept.title, kept.body)[0]

    assert (best.id, best.url, best.answer) == (kept.id, kept.url, kept.answer)
    assert best.excerpt == "Mine is made of aluminium & stays cold."


def test_put_tells_whether_anything_changed(writer: Client, kept: Question) -> None:
    again = writer.put(kept)
    edited = writer.put(replace(kept, title="Which moka pot for induction?"))

    assert (again.changed, edited.changed) == (False, True)
    assert edited.sequence > again.sequence
    assert edited.etag != again.etag


def test_put_with_an_etag_refuses_to_overwrite_what_somebody_else_wrote(
    writer: Client, kept: Question
) -> None:
    seen = writer.get(kept.id).etag
    writer.put(replace(kept, title="Edited by somebody else"))

    with pytest.raises(ChangedMeanwhileError) as caught:
        writer.put(replace(kept, title="Edited by me"), if_match=seen)

    assert caught.value.status == 412
    assert writer.get(kept.id).question.title == "Edited by somebody else"


def test_put_with_the_present_etag_goes_through(writer: Client, kept: Question) -> None:
    written = writer.put(replace(kept, title="Edited once"), if_match=writer.get(kept.id).etag)

    assert writer.put(replace(kept, title="Edited twice"), if_match=written.etag).changed


def test_add_makes_up_an_id_where_there_is_none(writer: Client) -> None:
    added = writer.add(Question("Is this new?"))

    assert writer.get(added.id).question.title == "Is this new?"
    writer.delete(added.id)


def test_add_does_not_replace(writer: Client, kept: Question) -> None:
    assert writer.add(kept).changed is False
    with pytest.raises(AlreadyExistsError):
        writer.add(replace(kept, title="Another one"))


def test_a_deleted_question_is_gone_and_may_be_deleted_again(writer: Client, kept: Question) -> None:
    writer.delete(kept.id)
    writer.delete(kept.id)

    with pytest.raises(NotFoundError):
        writer.get(kept.id)


def test_delete_with_an_old_etag_is_refused(writer: Client, kept: Question) -> None:
    seen = writer.get(kept.id).etag
    writer.put(replace(kept, title="Edited"))

    with pytest.raises(ChangedMeanwhileError):
        writer.delete(kept.id, if_match=seen)


@pytest.mark.parametrize("id", HOSTILE_IDS)
def test_ids_may_hold_anything(writer: Client, id: str) -> None:
    writer.put(Question("Hostile id", id=id))

    assert writer.get(id).question.id == id
    writer.delete(id)
    with pytest.raises(NotFoundError):
        writer.get(id)


def test_an_id_that_ends_like_another_path_is_still_an_id(writer: Client) -> None:
    writer.put(Question("Hostile id", id="cooking-1/similar"))

    assert writer.get("cooking-1/similar").question.title == "Hostile id"
    writer.delete("cooking-1/similar")


def test_put_many_takes_what_is_good_and_names_what_is_not(writer: Client) -> None:
    many = (Question(f"Bulk question {number}", id=f"bulk-{number}") for number in range(450))
    first = writer.put_many(many)
    second = writer.put_many(
        [
            Question("Bulk question 0", id="bulk-0"),
            Question("Edited", id="bulk-1"),
            Question("x" * 2_000, id="bulk-2"),
            *(Deletion(f"bulk-{number}") for number in range(450)),
            Question("", id="bulk-0"),
        ]
    )

    assert (first.added, first.rejected) == (450, ())
    assert (second.unchanged, second.changed, second.deleted) == (1, 1, 450)
    assert [rejected.line for rejected in second.rejected] == [3, 454]


def test_put_many_of_nothing_asks_for_nothing(writer: Client) -> None:
    assert writer.put_many([]).sequence is None


def test_a_mark_is_set_once_and_taken_back(moderator: Client) -> None:
    pair = ("travel-1", "cooking-2")

    assert moderator.mark(*pair, Verdict.NOT_DUPLICATE).changed is True
    assert moderator.mark(*pair, Verdict.NOT_DUPLICATE).changed is False
    moderator.withdraw(*pair)
    assert moderator.mark(*pair, Verdict.NOT_DUPLICATE).changed is True
    moderator.withdraw(*pair)


def test_a_mark_needs_questions_that_exist(moderator: Client) -> None:
    with pytest.raises(NotFoundError, match="nowhere"):
        moderator.mark("cooking-1", "nowhere")


def test_feedback_is_counted(writer: Client) -> None:
    before = writer.insight().feedback.duplicate

    writer.feedback("Rice stood out overnight", "cooking-10", Verdict.DUPLICATE, body="Is it safe?")

    assert writer.insight().feedback.duplicate == before + 1


def test_duplicates_come_page_by_page_the_likeliest_first(moderator: Client) -> None:
    while len(pairs := list(islice(moderator.duplicates(page=2), 5))) < 5:
        time.sleep(0.5)  # the service looks for them when it has nothing else to do

    assert [pair.probability for pair in pairs] == sorted((pair.probability for pair in pairs), reverse=True)
    assert len({(pair.first.id, pair.second.id) for pair in pairs}) == len(pairs)


def test_groups_come_page_by_page_the_largest_first(moderator: Client) -> None:
    groups = list(islice(moderator.groups(page=2), 5))

    assert len(groups) == 5
    assert [group.size for group in groups] == sorted((group.size for group in groups), reverse=True)


def test_redirects_lead_from_confirmed_duplicates_to_the_canonical_question(moderator: Client) -> None:
    leads = {redirect.from_id: redirect.to_id for redirect in moderator.redirects()}

    assert {leads.get("cooking-1"), leads.get("cooking-41")} in ({None, "cooking-1"}, {None, "cooking-41"})


def test_about_says_what_is_served(reader: Client) -> None:
    about = reader.about()

    assert (about.name, about.system, about.reads) == ("askagain", "best", "open")
    assert about.questions >= 300
    assert "best" in [system.name for system in about.systems]


def test_insight_counts_marks(reader: Client) -> None:
    insight = reader.insight()

    assert insight.marks.duplicate > 0
    assert len(insight.groups) <= 10


def test_writing_needs_a_key(reader: Client) -> None:
    with pytest.raises(UnauthorizedError):
        reader.put(QUESTION)


def test_an_unknown_key_is_refused(service: RunningService) -> None:
    with Client(service.url, "ask_" + "x" * 43) as stranger, pytest.raises(UnauthorizedError):
        stranger.put(QUESTION)


def test_a_moderators_key_does_not_write_questions(moderator: Client) -> None:
    with pytest.raises(ForbiddenError):
        moderator.put(QUESTION)


def test_a_refused_member_is_named(writer: Client) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        writer.put(replace(QUESTION, title="x" * 2_000))

    assert [fault.path for fault in caught.value.faults] == ["body.title"]
    assert caught.value.request_id


def test_a_request_of_more_than_a_megabyte_is_refused(writer: Client) -> None:
    with pytest.raises(TooLargeError):
        writer.put(replace(QUESTION, body="x" * 3_000_000))


def test_threads_may_share_a_client(writer: Client) -> None:
    ids = [f"thread-{number}" for number in range(20)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda id: writer.put(Question(f"Question {id}", id=id)), ids))
        found = list(threads.map(lambda id: writer.get(id).question.id, ids))

    assert found == ids
    assert writer.put_many(map(Deletion, ids)).deleted == 20
