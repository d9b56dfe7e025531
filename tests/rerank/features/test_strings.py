"""String measures: worked examples, what holds for all texts, and slow but plain references."""

from collections import Counter
from collections.abc import Callable
from math import sqrt

import pytest
from Bio.Align import PairwiseAligner
from hypothesis import given
from hypothesis import strategies as st

from askagain.rerank.features.strings import (
    GAP,
    MATCH,
    MISMATCH,
    character_profiles,
    greedy_string_tiling,
    jaro_winkler,
    levenshtein,
    longest_common_subsequence,
    longest_common_substring,
    smith_waterman,
)

OF_CHARACTERS = [
    longest_common_substring,
    longest_common_subsequence,
    jaro_winkler,
    levenshtein,
    lambda first, second: character_profiles(first, second, 2),
    lambda first, second: character_profiles(first, second, 3),
    lambda first, second: character_profiles(first, second, 4),
]
OF_WORDS = [
    longest_common_subsequence,
    smith_waterman,
    lambda first, second: greedy_string_tiling(first, second, 1),
    lambda first, second: greedy_string_tiling(first, second, 2),
]

# Few different characters and words, so that texts have something in common; and a few strange ones.
TEXTS = st.text(st.sampled_from("aab c日é😀\u200b\ud800\x00"), max_size=30)
WORDS = st.lists(st.sampled_from(["how", "to", "boot", "usb", "日"]), max_size=12)

Measure = Callable[..., float]


def test_the_longest_common_substring_counts_twice_against_the_sum_of_lengths() -> None:
    assert longest_common_substring("abcd", "xbcy") == 2 * 2 / 8


def test_a_common_subsequence_may_have_gaps() -> None:
    assert longest_common_subsequence("abcde", "ace") == 2 * 3 / 8


def test_a_common_subsequence_of_words() -> None:
    assert longest_common_subsequence(["how", "to", "boot"], ["how", "boot"]) == 2 * 2 / 5


def test_smith_waterman_aligns_the_part_that_is_worth_it() -> None:
    score = 2 - 1 + 2  # boot, the against nothing, usb

    assert smith_waterman(["how", "to", "boot", "usb"], ["boot", "the", "usb"]) == score / (2 * 3)


def test_tiles_may_stand_in_another_order() -> None:
    assert greedy_string_tiling(list("abcdef"), list("defabc")) == 1.0


def test_the_longest_tile_is_laid_first() -> None:
    first, second = list("abcxab"), list("ababc")

    assert greedy_string_tiling(first, second, 3) == 2 * 3 / 11
    assert greedy_string_tiling(first, second, 2) == 2 * 5 / 11


def test_what_a_tile_leaves_of_a_run_is_a_run_too() -> None:
    first, second = list("abcd"), list("bcdxabc")

    assert greedy_string_tiling(first, second, 2) == 2 * 3 / 11
    assert greedy_string_tiling(first, second, 1) == 2 * 4 / 11


@pytest.mark.parametrize(
    ("first", "second", "value"), [("martha", "marhta", 0.9611), ("dixon", "dicksonx", 0.8133)]
)
def test_jaro_winkler_has_the_values_of_winklers_examples(first: str, second: str, value: float) -> None:
    assert jaro_winkler(first, second) == pytest.approx(value, abs=5e-5)


def test_levenshtein_is_one_less_the_share_of_edits() -> None:
    assert levenshtein("kitten", "sitting") == pytest.approx(1 - 3 / 7)


def test_profiles_are_compared_by_their_cosine() -> None:
    assert character_profiles("abab", "abc", 2) == pytest.approx(2 * 1 / (sqrt(5) * sqrt(2)))


def test_profiles_tell_emoji_apart() -> None:
    assert character_profiles("😀😁", "😁😀", 2) == 0.0


def test_a_text_shorter_than_the_runs_of_a_profile_has_none() -> None:
    assert character_profiles("abc", "abc", 4) == 0.0


@pytest.mark.parametrize("measure", OF_CHARACTERS)
@given(first=TEXTS, second=TEXTS)
def test_measures_of_characters_are_symmetric_and_from_0_to_1(
    measure: Measure, first: str, second: str
) -> None:
    value = measure(first, second)

    assert 0.0 <= value <= 1.0
    assert value == pytest.approx(measure(second, first))


@pytest.mark.parametrize("measure", OF_WORDS)
@given(first=WORDS, second=WORDS)
def test_measures_of_words_are_from_0_to_1(measure: Measure, first: list[str], second: list[str]) -> None:
    assert 0.0 <= measure(first, second) <= 1.0


@pytest.mark.parametrize("measure", [longest_common_subsequence, smith_waterman])
@given(first=WORDS, second=WORDS)
def test_alignments_are_symmetric(measure: Measure, first: list[str], second: list[str]) -> None:
    assert measure(first, second) == measure(second, first)


@pytest.mark.parametrize("measure", OF_CHARACTERS)
@given(text=TEXTS.filter(lambda text: len(text) >= 4))
def test_a_text_is_like_itself(measure: Measure, text: str) -> None:
    assert measure(text, text) == pytest.approx(1.0)


@pytest.mark.parametrize("measure", OF_WORDS)
@given(words=WORDS.filter(lambda words: len(words) >= 2))
def test_a_list_of_words_is_like_itself(measure: Measure, words: list[str]) -> None:
    assert measure(words, words) == 1.0


@pytest.mark.parametrize("measure", OF_CHARACTERS + OF_WORDS)
@pytest.mark.parametrize(("first", "second"), [("", ""), ("", "text"), ("text", "")])
def test_nothing_is_like_no_text(measure: Measure, first: str, second: str) -> None:
    assert measure(first, second) == 0.0


@given(first=WORDS.filter(bool), second=WORDS.filter(bool))
def test_smith_waterman_has_the_score_of_biopython(first: list[str], second: list[str]) -> None:
    numbers = {word: number for number, word in enumerate({*first, *second})}
    aligner = PairwiseAligner(
        mode="local", match_score=MATCH, mismatch_score=MISMATCH, open_gap_score=GAP, extend_gap_score=GAP
    )
    codes = [[numbers[word] for word in words] for words in (first, second)]

    score = smith_waterman(first, second) * MATCH * min(len(first), len(second))

    assert score == pytest.approx(aligner.score(*codes))


@given(first=TEXTS.filter(bool), second=TEXTS.filter(bool))
def test_the_longest_common_substring_is_one(first: str, second: str) -> None:
    parts = {first[start:end] for start in range(len(first)) for end in range(start, len(first) + 1)}

    length = longest_common_substring(first, second) * (len(first) + len(second)) / 2

    assert length == pytest.approx(max(len(part) for part in parts if part in second))


@given(first=WORDS.filter(bool), second=WORDS.filter(bool), least=st.integers(1, 3))
def test_tiles_are_those_of_wises_algorithm(first: list[str], second: list[str], least: int) -> None:
    covered = greedy_string_tiling(first, second, least) * (len(first) + len(second)) / 2

    assert covered == pytest.approx(covered_by_wise(first, second, least))


def covered_by_wise(first: list[str], second: list[str], least: int) -> int:
    """Wise's figure 3, step by step: all maximal matches of a pass, then marking those not occluded."""
    marked, marked_second = [False] * len(first), [False] * len(second)
    covered = 0
    while True:
        longest, matches = least, []
        for p in range(len(first)):
            for t in range(len(second)):
                size = 0
                while (
                    p + size < len(first)
                    and t + size < len(second)
                    and first[p + size] == second[t + size]
                    and not marked[p + size]
                    and not marked_second[t + size]
                ):
                    size += 1
                if size > longest:
                    longest, matches = size, [(p, t)]
                elif size == longest:
                    matches.append((p, t))
        for p, t in matches:
            if not any(marked[p : p + longest]) and not any(marked_second[t : t + longest]):
                marked[p : p + longest] = marked_second[t : t + longest] = [True] * longest
                covered += longest
        if not matches:
            return covered


@given(first=TEXTS, second=TEXTS, size=st.integers(2, 4))
def test_profiles_have_the_cosine_of_plain_counts(first: str, second: str, size: int) -> None:
    one, other = (Counter(t[i : i + size] for i in range(len(t) - size + 1)) for t in (first, second))
    lengths = [sqrt(sum(n * n for n in counts.values())) for counts in (one, other)]
    product = sum(one[run] * other[run] for run in one)

    expected = product / (lengths[0] * lengths[1]) if product else 0.0

    assert character_profiles(first, second, size) == pytest.approx(expected)
