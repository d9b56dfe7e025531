"""The sample forum from end to end, with the default system: pairs, groups, redirects."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest
from overlap_ranker import finish, known, told

from askagain import Engine, Question, Verdict
from askagain.mining.groups import Group, IdPair, groups_of
from askagain.mining.pairs import FLOOR, LikelyPairs, likely_matches
from askagain.mining.redirects import redirects
from askagain.sample import forum


@dataclass
class Mined:
    engine: Engine
    pairs: LikelyPairs

    def marked(self, verdict: Verdict) -> set[IdPair]:
        return {(mark.first, mark.second) for mark in self.engine.archive.marks(verdict)}

    def found(self, question: Question) -> dict[str, float]:
        """The probabilities of what is found when many are searched for, as these pairs were."""
        [matches] = likely_matches(self.engine.ranker, [question])
        return {match.id: match.probability for match in matches}

    def groups(self, least: float) -> list[Group]:
        confirmed, rejected = map(self.marked, Verdict)
        return groups_of(self.pairs.all_pairs(least), confirmed, rejected, least)


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mined]:
    with Engine.open(tmp_path_factory.mktemp("sample") / "forum.db", create=True) as engine:
        forum.load_into(engine.archive)
        with LikelyPairs.open(engine) as pairs:
            finish(pairs, 100)
            yield Mined(engine, pairs)


def test_pairs_are_what_the_searches_for_both_questions_find(mined: Mined) -> None:
    question = forum.questions()[0]
    expected = mined.found(question)
    found = {
        second if first == question.id else first: probability
        for (first, second), probability in known(mined.pairs).items()
        if question.id in (first, second)
    }

    assert expected
    assert expected.keys() <= found.keys()
    for id_, probability in found.items():
        other = mined.engine.archive.get(id_)
        assert other is not None
        back = mined.found(other)
        assert probability == pytest.approx(max(expected.get(id_, 0.0), back.get(question.id, 0.0)), abs=1e-5)


def test_most_duplicates_of_the_forum_are_likely_pairs(mined: Mined) -> None:
    duplicates = mined.marked(Verdict.DUPLICATE)
    assert len(duplicates & known(mined.pairs).keys()) > len(duplicates) / 2


def test_nothing_is_left_to_judge_that_people_have_judged(mined: Mined) -> None:
    queue = set(told(mined.pairs.page(0.0, 1000).pairs))
    marked = mined.marked(Verdict.DUPLICATE) | mined.marked(Verdict.NOT_DUPLICATE)

    assert queue == known(mined.pairs).keys() - marked
    assert mined.pairs.count(0.0) == len(queue) > 100


@pytest.mark.parametrize("least", [0.02, 0.1, 0.5])
def test_groups_are_what_people_said_and_more(mined: Mined, least: float) -> None:
    groups = mined.groups(least)
    inside = {pair for group in groups for pair in combinations(group.members, 2)}

    assert {tuple(sorted(pair)) for pair in mined.marked(Verdict.DUPLICATE)} <= inside
    assert not {tuple(sorted(pair)) for pair in mined.marked(Verdict.NOT_DUPLICATE)} & inside


def test_groups_stay_small_where_a_chain_would_join_nearly_everything(mined: Mined) -> None:
    chained = groups_of((), known(mined.pairs), (), 0.0)

    assert len(chained[0].members) > 200
    assert len(mined.groups(FLOOR)[0].members) < 15


def test_every_confirmed_duplicate_leads_to_a_question_that_leads_nowhere(mined: Mined) -> None:
    table = {one.from_question.id: one.to_question.id for one in redirects(mined.engine.archive)}
    questions = {id_ for pair in mined.marked(Verdict.DUPLICATE) for id_ in pair}

    assert table.keys() | set(table.values()) == questions
    assert not table.keys() & set(table.values())


def test_what_is_asked_all_the_time_is_found_whole(tmp_path: Path) -> None:
    """Searches give ten matches, and of equal ones always the same ten."""
    same = [Question("How do I leave vim?", id=f"vim-{number}") for number in range(60)]
    with Engine.open(tmp_path / "forum.db", create=True) as engine:
        forum.load_into(engine.archive)
        engine.archive.put_many(same)
        with LikelyPairs.open(engine) as pairs:
            finish(pairs)
            likely = [pair for pair in pairs.all_pairs(0.5) if pair.first.startswith("vim-")]
            [group] = groups_of(likely, (), (), 0.5)

    assert len(group.members) == len(same)
