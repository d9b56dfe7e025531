"""Groups from likely pairs and marks, against a definition that tries everything."""

from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain.errors import SettingsError
from askagain.mining.groups import Group, IdPair, groups_of
from askagain.mining.pairs import LikelyPair

Probabilities = dict[IdPair, float]

LEAST = 0.4
IDS = "abcdefghij"
PAIRS = list(combinations(IDS[:7], 2))
probabilities = st.dictionaries(st.sampled_from(PAIRS), st.sampled_from([0.2, 0.4, 0.6, 0.6001, 0.9]))
some_pairs = st.lists(st.sampled_from(PAIRS), max_size=4)


def likely(pairs: Probabilities) -> list[LikelyPair]:
    return [LikelyPair(first, second, probability) for (first, second), probability in pairs.items()]


def members(groups: list[Group]) -> list[str]:
    return ["".join(group.members) for group in groups]


def ordered(first: str, second: str) -> IdPair:
    return (first, second) if first < second else (second, first)


class BruteForce:
    """Complete linkage as one would define it: compares all groups before every step."""

    def __init__(self, pairs: Probabilities, confirmed: list[IdPair], rejected: list[IdPair]) -> None:
        self.pairs = {pair: probability for pair, probability in pairs.items() if probability >= LEAST}
        self.rejected = {ordered(*pair) for pair in rejected}
        self.units = [frozenset(id_) for id_ in IDS]
        for first, second in confirmed:
            joined = frozenset().union(*(unit for unit in self.units if {first, second} & unit))
            self.units = [unit for unit in self.units if not unit & joined] + [joined]

    def groups(self) -> dict[frozenset[str], tuple[float, IdPair] | None]:
        """The members of each group, and its weakest link."""
        found: dict[frozenset[frozenset[str]], tuple[float, IdPair] | None] = {
            frozenset([unit]): None for unit in self.units
        }
        while True:
            possible = [
                (weakest, one, other)
                for one, other in combinations(found, 2)
                if (weakest := self.weakest(one, other)) is not None
            ]
            if not possible:
                break
            weakest, one, other = min(possible, key=lambda join: join[0])
            del found[one], found[other]
            found[one | other] = weakest
        flat = {frozenset().union(*group): weakest for group, weakest in found.items()}
        return {ids: weakest for ids, weakest in flat.items() if len(ids) > 1}

    def weakest(
        self, one: frozenset[frozenset[str]], other: frozenset[frozenset[str]]
    ) -> tuple[float, IdPair] | None:
        links = [self.link(unit, other_unit) for unit, other_unit in product(one, other)]
        present = [link for link in links if link is not None]
        return max(present) if len(present) == len(links) else None

    def link(self, unit: frozenset[str], other: frozenset[str]) -> tuple[float, IdPair] | None:
        between = [ordered(first, second) for first, second in product(unit, other)]
        if self.rejected & set(between):
            return None
        return min(((-self.pairs[pair], pair) for pair in between if pair in self.pairs), default=None)


def check(pairs: Probabilities, confirmed: list[IdPair], rejected: list[IdPair]) -> None:
    found = {
        frozenset(group.members): None if group.weakest is None else (-group.weakest, group.weakest_pair)
        for group in groups_of(likely(pairs), confirmed, rejected, LEAST)
    }

    assert found == BruteForce(pairs, confirmed, rejected).groups()


@given(probabilities, some_pairs, some_pairs)
def test_groups_are_those_of_complete_linkage(
    pairs: Probabilities, confirmed: list[IdPair], rejected: list[IdPair]
) -> None:
    check(pairs, confirmed, rejected)


@pytest.mark.parametrize("seed", range(20))
def test_so_are_large_groups(seed: int) -> None:
    chance = Random(seed)
    every = list(combinations(IDS, 2))
    check({pair: chance.uniform(0.35, 1.0) for pair in every}, chance.sample(every, 1), [])


@given(probabilities, some_pairs, some_pairs, st.randoms())
def test_the_order_of_what_is_given_makes_no_difference(
    pairs: Probabilities, confirmed: list[IdPair], rejected: list[IdPair], chance: Random
) -> None:
    expected = groups_of(likely(pairs), confirmed, rejected, LEAST)
    turned = [LikelyPair(pair.second, pair.first, pair.probability) for pair in likely(pairs)]
    for given_ in (turned, confirmed, rejected):
        chance.shuffle(given_)

    assert groups_of(turned, [pair[::-1] for pair in confirmed], rejected, LEAST) == expected


@given(probabilities, some_pairs, some_pairs)
def test_no_question_is_in_two_groups_and_no_rejected_pair_in_one_unless_it_is_reported(
    pairs: Probabilities, confirmed: list[IdPair], rejected: list[IdPair]
) -> None:
    groups = groups_of(likely(pairs), confirmed, rejected, LEAST)
    everybody = [id_ for group in groups for id_ in group.members]
    inside = {pair for group in groups for pair in combinations(group.members, 2)}

    assert len(everybody) == len(set(everybody))
    assert inside & set(rejected) == {pair for group in groups for pair in group.contradictions}


def test_a_chain_is_not_one_group() -> None:
    chain = likely({("a", "b"): 0.9, ("b", "c"): 0.8})
    assert members(groups_of(chain, (), (), 0.5)) == ["ab"]


def test_a_chain_whose_ends_are_likely_too_is_one_group() -> None:
    [group] = groups_of(likely({("a", "b"): 0.9, ("b", "c"): 0.8, ("a", "c"): 0.6}), (), (), 0.5)
    assert group == Group(("a", "b", "c"), 0.6, ("a", "c"))


def test_what_people_said_holds_over_others() -> None:
    [group] = groups_of((), [("a", "b"), ("b", "c")], (), 0.5)
    assert group == Group(("a", "b", "c"))
    assert group.confirmed


def test_one_likely_pair_is_enough_to_join_what_people_called_the_same() -> None:
    [group] = groups_of(likely({("c", "d"): 0.7}), [("a", "b"), ("b", "c")], (), 0.5)
    assert group == Group(("a", "b", "c", "d"), 0.7, ("c", "d"))
    assert not group.confirmed


def test_two_questions_must_be_alike_to_join_the_same_confirmed_ones() -> None:
    pairs = likely({("a", "x"): 0.9, ("b", "y"): 0.8})
    assert members(groups_of(pairs, [("a", "b")], (), 0.5)) == ["abx"]


def test_a_rejected_pair_keeps_all_apart_that_people_called_the_same() -> None:
    pairs = likely({("a", "x"): 0.9, ("b", "x"): 0.9})
    assert members(groups_of(pairs, [("a", "b")], [("x", "b")], 0.5)) == ["ab"]


def test_people_who_contradict_themselves_are_told_so() -> None:
    [group] = groups_of((), [("a", "b"), ("b", "c")], [("c", "a")], 0.5)
    assert group.members == ("a", "b", "c")
    assert group.contradictions == (("a", "c"),)


def test_groups_come_largest_first_then_the_surest_then_by_id() -> None:
    pairs = {
        ("c", "d"): 0.6,
        ("e", "f"): 0.9,
        ("a", "b"): 0.6,
        ("u", "v"): 0.5,
        ("v", "w"): 0.5,
        ("u", "w"): 0.5,
    }
    groups = groups_of(likely(pairs), [("y", "z")], (), 0.5)
    assert members(groups) == ["uvw", "yz", "ef", "ab", "cd"]


def test_what_is_less_likely_than_wished_counts_for_nothing() -> None:
    assert groups_of(likely({("a", "b"): 0.49}), (), (), 0.5) == []


def test_a_question_is_no_group_with_itself() -> None:
    assert groups_of([LikelyPair("a", "a", 1.0)], [("b", "b")], (), 0.5) == []


def test_an_impossible_probability_is_refused() -> None:
    with pytest.raises(SettingsError, match="least is 2: it must be from 0 to 1"):
        groups_of((), (), (), 2.0)


def test_a_question_that_is_like_thousands_of_others_takes_no_longer() -> None:
    # Seconds; more than the time that a test has if each step looked at all the others.
    others = 50_000
    star = [LikelyPair("hub", f"q{number}", 0.5) for number in range(others)]
    neighbours = [LikelyPair(f"q{number}", f"q{number + 1}", 0.9) for number in range(0, others, 2)]
    groups = groups_of(star + neighbours, (), (), 0.5)

    assert len(groups) == others // 2
    assert len(groups[0].members) == 3


def test_a_long_chain_of_confirmed_duplicates_is_one_group() -> None:
    chain = [(f"q{number}", f"q{number + 1}") for number in range(50_000)]
    assert [len(group.members) for group in groups_of((), chain[::-1], (), 0.5)] == [50_001]
