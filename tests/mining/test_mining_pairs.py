"""Likely pairs: what is found, how they follow the archive, and what a page of them shows."""

from dataclasses import replace
from pathlib import Path

import pytest
from overlap_ranker import OverlapRanker, engine_of, finish, known, mined_in_memory, told

from askagain import Archive, Engine, Mark, Match, Question, Verdict
from askagain.errors import SettingsError
from askagain.mining.pairs import LikelyPair, LikelyPairs, Page, Progress


def test_pairs_are_told_most_likely_first_and_then_in_the_order_of_arrival(pairs: LikelyPairs) -> None:
    finish(pairs)

    assert pairs.page(0.0, 10).pairs == (
        LikelyPair("boot", "usb", 1.0),
        LikelyPair("start", "usb", 1.0),
        LikelyPair("boot", "start", 0.75),
        LikelyPair("rice", "pasta", 0.5),
    )


@pytest.mark.parametrize("ids", [("large", "small"), ("small", "large")])
@pytest.mark.parametrize("edited", ["large", "small"])
def test_of_both_sides_the_larger_probability_counts(
    tmp_path: Path, ids: tuple[str, str], edited: str
) -> None:
    titles = {"large": "start from usb stick please", "small": "boot from usb stick"}
    with Archive.open(tmp_path / "two.db") as archive:
        archive.put_many(Question(id=id_, title=titles[id_]) for id_ in ids)
        # The one that changed last is the last one to be searched for.
        archive.edit(Question(id=edited, title=titles[edited], body="edited"))
        ranker = OverlapRanker(archive)
        pairs = LikelyPairs.open(engine_of(archive, ranker))
        finish(pairs, 1)
        large, small = (Question(title=titles[id_]) for id_ in ("large", "small"))

        assert (ranker.score(small, [large]), ranker.score(large, [small])) == ([0.75], [0.6])
        assert known(pairs) == {ids: 0.75}


@pytest.mark.parametrize("ids", [("long", "short"), ("short", "long")])
@pytest.mark.parametrize("step", [1, 2])
def test_a_pair_that_only_one_side_finds_is_kept(tmp_path: Path, ids: tuple[str, str], step: int) -> None:
    titles = {"long": " ".join(f"word{number}" for number in range(100)), "short": "word1"}
    with Archive.open(tmp_path / "two.db") as archive:
        archive.put_many(Question(id=id_, title=titles[id_]) for id_ in ids)
        pairs = LikelyPairs.open(engine_of(archive))
        finish(pairs, step)

        assert known(pairs) == {ids: 1.0}


def test_more_is_looked_at_only_where_all_might_be_suggested(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "many.db") as archive:
        archive.put_many(Question(id=f"vim{number}", title="leave vim") for number in range(30))
        archive.put_many(Question(id=f"rice{number}", title=f"rice {number}") for number in range(5))
        ranker = OverlapRanker(archive)
        pairs = LikelyPairs.open(engine_of(archive, ranker))
        finish(pairs)

        assert len(pairs.page(0.9, 1000).pairs) == 30 * 29 / 2
        assert ranker.asked.count("vim7") == 2
        assert ranker.asked.count("rice3") == 1


def test_what_is_hardly_likely_is_not_kept(tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(99)]
    with Archive.open(tmp_path / "two.db") as archive:
        archive.add(Question(id="one", title=" ".join(["same", *words])))
        archive.add(Question(id="two", title=" ".join(["same", *(f"other{word}" for word in words)])))
        pairs = LikelyPairs.open(engine_of(archive))
        finish(pairs)

        assert known(pairs) == {}


@pytest.mark.parametrize("step", [1, 2, 3])
def test_the_size_of_the_steps_makes_no_difference(archive: Archive, pairs: LikelyPairs, step: int) -> None:
    finish(pairs, step)
    assert known(pairs) == mined_in_memory(archive)


def test_progress_counts_questions(pairs: LikelyPairs) -> None:
    assert pairs.progress() == Progress(0, 5)
    assert pairs.catch_up(2) == Progress(2, 5)
    assert pairs.catch_up(2) == Progress(4, 5)
    assert pairs.catch_up(2) == Progress(5, 5)


def test_an_empty_archive_has_no_pairs(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "empty.db") as archive:
        pairs = LikelyPairs.open(engine_of(archive))

        assert pairs.catch_up(10) == Progress(0, 0)
        assert pairs.page(0.0, 10) == Page((), None)


# Following the archive


def test_only_what_changed_is_searched_for(
    archive: Archive, pairs: LikelyPairs, ranker: OverlapRanker
) -> None:
    finish(pairs)
    ranker.asked.clear()
    archive.put(Question(id="new", title="rice"))
    archive.put(Question(id="boot", title="boot"))
    archive.delete("usb")
    archive.mark(Mark("rice", "pasta"))
    finish(pairs)

    assert ranker.asked == ["new", "boot"]


def test_a_new_question_is_found_together_with_the_old_ones(archive: Archive, pairs: LikelyPairs) -> None:
    finish(pairs)
    archive.add(Question(id="new", title="rice"))

    assert pairs.progress() == Progress(5, 6)
    assert pairs.catch_up(10) == Progress(6, 6)
    assert known(pairs)["rice", "new"] == 1.0


def test_an_edited_question_loses_its_old_pairs(archive: Archive, pairs: LikelyPairs) -> None:
    finish(pairs)
    archive.edit(Question(id="usb", title="rice"))

    assert pairs.progress() == Progress(4, 5)
    finish(pairs)
    assert {pair for pair in known(pairs) if "usb" in pair} == {("usb", "rice")}


def test_a_deleted_question_loses_its_pairs(archive: Archive, pairs: LikelyPairs) -> None:
    finish(pairs)
    archive.delete("usb")
    finish(pairs)

    assert set(known(pairs)) == {("boot", "start"), ("rice", "pasta")}
    assert pairs.progress() == Progress(4, 4)


def test_a_deleted_question_is_not_told_even_before_the_pairs_catch_up(
    archive: Archive, pairs: LikelyPairs
) -> None:
    finish(pairs)
    archive.delete("usb")

    assert told(pairs.page(0.0, 10).pairs) == [("boot", "start"), ("rice", "pasta")]


def test_a_deleted_question_can_come_back(archive: Archive, pairs: LikelyPairs) -> None:
    finish(pairs)
    before = known(pairs)
    archive.delete("usb")
    finish(pairs)
    archive.add(Question(id="usb", title="usb"))
    finish(pairs)

    assert known(pairs) == before


def test_a_change_during_the_search_is_not_missed_and_leaves_nothing_old(archive: Archive) -> None:
    class Editing(OverlapRanker):
        def search(self, question: Question, k: int = 10) -> list[Match]:
            matches = super().search(question, k)
            if question.id == "start":
                archive.put(Question(id="boot", title="sticky"))
            return matches

    pairs = LikelyPairs.open(engine_of(archive, Editing(archive)))
    finish(pairs)

    assert {pair for pair in known(pairs) if "boot" in pair} == {("boot", "rice"), ("boot", "pasta")}


def test_a_question_that_goes_away_during_the_search_is_no_error(archive: Archive) -> None:
    class Deleting(OverlapRanker):
        def search(self, question: Question, k: int = 10) -> list[Match]:
            matches = super().search(question, k)
            archive.delete("usb")
            return matches

    pairs = LikelyPairs.open(engine_of(archive, Deleting(archive)))
    finish(pairs)

    assert set(known(pairs)) == {("boot", "start"), ("rice", "pasta")}


def test_a_search_that_fails_leaves_everything_as_it_was(archive: Archive) -> None:
    class Failing(OverlapRanker):
        def search(self, question: Question, k: int = 10) -> list[Match]:
            if question.id == "usb":
                raise InterruptedError
            return super().search(question, k)

    pairs = LikelyPairs.open(engine_of(archive, Failing(archive)))
    pairs.catch_up(2)
    before = known(pairs)
    with pytest.raises(InterruptedError):
        pairs.catch_up(2)

    assert known(pairs) == before
    assert pairs.progress() == Progress(2, 5)


def test_gigantic_questions_are_taken_one_by_one(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "large.db") as archive:
        archive.put_many(Question(id=str(n), title="boot", body="x" * 4_999_000) for n in range(3))
        pairs = LikelyPairs.open(engine_of(archive))

        assert pairs.catch_up(10) == Progress(2, 3)
        assert pairs.catch_up(10) == Progress(3, 3)


# Pages


def test_marked_pairs_are_not_told_until_the_mark_is_taken_back(archive: Archive, pairs: LikelyPairs) -> None:
    finish(pairs)
    archive.mark(Mark("usb", "boot"))
    archive.mark(Mark("start", "usb", Verdict.NOT_DUPLICATE))

    assert told(pairs.page(0.0, 10).pairs) == [("boot", "start"), ("rice", "pasta")]
    assert pairs.count(0.0) == 2
    archive.withdraw("boot", "usb")
    assert told(pairs.page(0.0, 1).pairs) == [("boot", "usb")]
    assert pairs.count(0.0) == 3


def test_a_mark_is_nothing_to_search_for(archive: Archive, pairs: LikelyPairs) -> None:
    finish(pairs)
    archive.mark(Mark("usb", "boot"))

    assert pairs.progress() == Progress(5, 5)


def test_marked_pairs_are_among_all_pairs(archive: Archive, pairs: LikelyPairs) -> None:
    finish(pairs)
    archive.mark(Mark("usb", "boot"))

    assert told(list(pairs.all_pairs(0.0))) == [
        ("boot", "start"),
        ("boot", "usb"),
        ("start", "usb"),
        ("rice", "pasta"),
    ]


def test_pairs_below_the_least_probability_are_left_out(pairs: LikelyPairs) -> None:
    finish(pairs)

    assert told(pairs.page(0.75, 10).pairs) == [("boot", "usb"), ("start", "usb"), ("boot", "start")]
    assert pairs.count(0.75) == len(list(pairs.all_pairs(0.75))) == 3


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_pages_put_together_are_the_whole_list(pairs: LikelyPairs, limit: int) -> None:
    finish(pairs)
    every: list[LikelyPair] = []
    page = pairs.page(0.0, limit)
    while page.next is not None:
        assert len(page.pairs) == limit
        every += page.pairs
        page = pairs.page(0.0, limit, page.next)

    assert (*every, *page.pairs) == pairs.page(0.0, 100).pairs


def test_many_pairs_that_are_equally_likely_are_told_once_each(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "same.db") as archive:
        archive.put_many(Question(id=str(number), title="boot") for number in range(60))
        pairs = LikelyPairs.open(engine_of(archive))
        finish(pairs)
        every: list[tuple[str, str]] = []
        after: str | None = None
        while (page := pairs.page(0.5, 7, after)).next is not None:
            every += told(page.pairs)
            after = page.next
        every += told(page.pairs)

    assert len(every) == len(set(every)) > 300


def test_nothing_is_skipped_or_told_twice_while_pairs_come_and_go(
    archive: Archive, pairs: LikelyPairs
) -> None:
    finish(pairs)
    first = pairs.page(0.0, 2)
    archive.mark(Mark("boot", "usb"))
    archive.put(Question(id="stick", title="usb"))
    finish(pairs)
    rest = pairs.page(0.0, 100, first.next)

    assert told(first.pairs) == [("boot", "usb"), ("start", "usb")]
    assert not set(told(first.pairs)) & set(told(rest.pairs))
    assert {("boot", "start"), ("rice", "pasta")} <= set(told(rest.pairs))


@pytest.mark.parametrize("cursor", ["", "x", "no cursor", "f_gAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "é" * 32])
def test_a_broken_cursor_is_refused(pairs: LikelyPairs, cursor: str) -> None:
    with pytest.raises(SettingsError, match=r"the cursor .* is broken: take it from the page before"):
        pairs.page(0.0, 10, cursor)


@pytest.mark.parametrize(("least", "limit"), [(-0.1, 10), (1.1, 10), (float("nan"), 10), (0.5, 0)])
def test_impossible_wishes_are_refused(pairs: LikelyPairs, least: float, limit: int) -> None:
    with pytest.raises(SettingsError, match="it must be from"):
        pairs.page(least, limit)


def test_a_step_of_nothing_is_refused(pairs: LikelyPairs) -> None:
    with pytest.raises(SettingsError, match="most is 0: it must be from 1"):
        pairs.catch_up(0)


# Systems


def test_a_system_without_probabilities_is_refused(archive: Archive) -> None:
    with (
        Engine.open(archive.path, "bm25") as engine,
        pytest.raises(SettingsError, match=r"bm25 gives no probabilities.*askagain train best.*or use best"),
    ):
        LikelyPairs.open(engine)


def test_a_match_without_probability_is_refused(archive: Archive) -> None:
    class Unsure(OverlapRanker):
        def search(self, question: Question, k: int = 10) -> list[Match]:
            return [replace(match, probability=None) for match in super().search(question, k)]

    pairs = LikelyPairs.open(engine_of(archive, Unsure(archive)))
    with pytest.raises(SettingsError, match="overlap gives no probabilities"):
        pairs.catch_up(10)


def test_each_system_has_pairs_of_its_own(archive: Archive, pairs: LikelyPairs) -> None:
    class Retrained(OverlapRanker):
        threshold = 0.6

    finish(pairs)
    retrained = LikelyPairs.open(engine_of(archive, Retrained(archive)))

    assert retrained.progress() == Progress(0, 5)
    finish(retrained)
    assert pairs.progress() == Progress(5, 5)
