"""The marked questions of the sample forum and what a search returns for them."""

from askagain import Archive
from askagain.fusion.examples import Asked
from askagain.fusion.gathering import Gatherer
from askagain.question import Mark, Verdict
from askagain.reporting.candidates import Candidates, Marked, candidates_of, marked_questions


def test_no_more_questions_are_asked_than_allowed(archive: Archive, marks: list[Mark]) -> None:
    assert len(marked_questions(marks, archive.questions(), 17, seed=0).asked) == 17


def test_the_seed_draws_the_questions(archive: Archive, marks: list[Mark]) -> None:
    first, again, other = (
        [each.question.id for each in marked_questions(marks, archive.questions(), 17, seed).asked]
        for seed in (0, 0, 1)
    )

    assert first == again != other


def test_labels_are_the_marks(candidates: Candidates, marks: list[Mark]) -> None:
    duplicates = {frozenset((m.first, m.second)) for m in marks if m.verdict is Verdict.DUPLICATE}
    pairs = _pairs(candidates)

    assert candidates.examples.labels.tolist() == [pair in duplicates for pair in pairs]


def test_an_unmarked_candidate_beside_duplicates_counts_as_different(candidates: Candidates) -> None:
    examples = candidates.examples

    assert (candidates.judged[candidates.unmarked]).all()
    assert not examples.labels[candidates.unmarked].any()


def test_the_rest_of_a_list_without_duplicates_says_nothing(candidates: Candidates) -> None:
    owners = [candidates.asked[number] for number in candidates.examples.lists.tolist()]
    judged = [
        id_
        for owner, id_, is_judged in zip(owners, candidates.ids, candidates.judged, strict=True)
        if is_judged and not owner.duplicates and id_ not in owner.rejected
    ]

    assert any(not owner.duplicates for owner in owners)
    assert judged == []


def test_a_duplicate_of_a_duplicate_is_not_held_against_the_system(
    candidates: Candidates, gatherer: Gatherer
) -> None:
    question = candidates.asked[0].question
    marked, related, other = candidates.ids[:3]
    asked = Asked(question, frozenset({marked}), frozenset(), group=7)

    found = candidates_of(gatherer, Marked([asked], {question.id: 7, marked: 7, related: 7}))

    unmarked = [id_ for id_, is_unmarked in zip(found.ids, found.unmarked, strict=True) if is_unmarked]
    assert related in found.ids
    assert related not in unmarked
    assert not found.judged[list(found.ids).index(related)]
    assert other in unmarked


def _pairs(candidates: Candidates) -> list[frozenset[str]]:
    owners = [candidates.asked[number].question.id for number in candidates.examples.lists.tolist()]
    return [frozenset(pair) for pair in zip(owners, candidates.ids, strict=True)]
