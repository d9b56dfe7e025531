"""What an explanation tells about two questions."""

import math
import time
from pathlib import Path

import numpy as np
import pytest

from askagain import Archive, Match, Question, Reason
from askagain.analysis import AnalyzerSettings
from askagain.encoders.wordvectors import WordVectors
from askagain.explanations.explainer import MOST_WORDS, Explainer
from askagain.lexical.view import LexicalView
from askagain.question import WeightedWord

ASKED = Question("Booting Windows from USB", "My laptop is new.")
FOUND = Question("How do I boot Ubuntu from a USB stick?", "It is an old laptop.")


def words(weighed: tuple[WeightedWord, ...]) -> list[str]:
    return [word.word for word in weighed]


def test_words_are_compared_by_stem_and_told_as_the_asker_wrote_them(explainer: Explainer) -> None:
    assert words(explainer.explain(ASKED, FOUND).shared) == ["usb", "booting", "laptop"]


def test_each_question_has_words_that_the_other_one_lacks(explainer: Explainer) -> None:
    explanation = explainer.explain(ASKED, FOUND)

    assert words(explanation.only_asked) == ["windows", "new"]
    assert words(explanation.only_found) == ["stick", "ubuntu", "old"]


def test_words_of_titles_come_first_whatever_they_weigh(explainer: Explainer) -> None:
    shared = explainer.explain(Question("ubuntu", "zebra"), Question("ubuntu", "zebra")).shared

    assert words(shared) == ["ubuntu", "zebra"]
    assert shared[0].weight < shared[1].weight


def test_the_rarer_a_word_is_in_the_archive_the_more_it_weighs(explainer: Explainer) -> None:
    question = Question("ubuntu laptop stick zebra")

    weights = {word.word: word.weight for word in explainer.explain(question, question).shared}

    assert sorted(weights, key=weights.__getitem__) == ["ubuntu", "laptop", "stick", "zebra"]
    assert weights["ubuntu"] == pytest.approx(math.log(1 + 11 / 7)), "6 of 10 questions have it"
    assert weights["zebra"] == pytest.approx(math.log(12)), "no question has it"


def test_weights_follow_the_archive(tmp_path: Path) -> None:
    question = Question("sourdough")
    with Archive.open(tmp_path / "live.db") as archive:
        archive.put_many([Question("rice", id="1"), Question("bread", id="2")])
        explainer = Explainer(LexicalView.open(archive, durable=False))
        before = explainer.explain(question, question).shared[0].weight
        archive.put_many([Question("sourdough", id="3"), Question("sourdough bread", id="4")])

        assert explainer.explain(question, question).shared[0].weight < before


def test_an_empty_archive_has_weights_too(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "empty.db") as archive:
        explainer = Explainer(LexicalView.open(archive, durable=False))

        assert explainer.explain(ASKED, FOUND).shared[0].weight > 0


def test_function_words_are_told_where_nothing_else_is_shared(explainer: Explainer) -> None:
    asked, found = Question("How is it done?"), Question("What is it?")

    assert explainer.explain(asked, found).shared == (WeightedWord("is", 0.0), WeightedWord("it", 0.0))


def test_function_words_are_not_told_beside_others(explainer: Explainer) -> None:
    explanation = explainer.explain(Question("Is rice in it?"), Question("Is it rice or bread?"))

    assert words(explanation.shared) == ["rice"]
    assert (words(explanation.only_asked), words(explanation.only_found)) == ([], ["bread"])


def test_long_bodies_give_no_more_words_than_people_read(explainer: Explainer) -> None:
    many = " ".join(f"word{number}" for number in range(200))

    assert len(explainer.explain(Question("a", many), Question("b", many)).shared) == MOST_WORDS


def test_the_systems_own_reasons_are_kept(explainer: Explainer) -> None:
    reasons = [Reason("boot", "title", 1.5)]

    assert explainer.explain(ASKED, FOUND, reasons).let_in == (Reason("boot", "title", 1.5),)


def test_matches_are_explained_together_as_one_by_one(explainer: Explainer) -> None:
    matches = [
        Match(str(number), 1.0, question=FOUND, reasons=(Reason("a", "b", number),)) for number in (1, 2)
    ]

    explained = explainer.explained(ASKED, matches)

    assert [match.explanation for match in explained] == [
        explainer.explain(ASKED, FOUND, match.reasons) for match in matches
    ]


def test_a_match_without_its_question_cannot_be_explained(explainer: Explainer) -> None:
    [match] = explainer.explained(ASKED, [Match("gone", 1.0)])

    assert match == Match("gone", 1.0)


def test_an_index_without_stop_words_and_with_pairs_of_words_explains_single_words(tmp_path: Path) -> None:
    settings = AnalyzerSettings(stop_words="english", ngrams=2)
    with Archive.open(tmp_path / "pairs.db") as archive:
        archive.add(FOUND)
        explainer = Explainer(LexicalView.open(archive, settings=settings, durable=False))
        explanation = explainer.explain(ASKED, FOUND)

    assert sorted(words(explanation.shared)) == ["booting", "laptop", "usb"]
    assert explanation.line.startswith("same: ")


VECTORS = WordVectors(
    ("stick", "drive", "windows", "ubuntu", "12.04", "14.04", "nothing"),
    np.array([[2, 0, 0], [3, 1, 0], [0, 1, 0], [0, 5, 1], [0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=np.float32),
)


def test_words_with_similar_vectors_are_aligned_and_not_missing(view: LexicalView) -> None:
    explanation = Explainer(view, VECTORS.units).explain(Question("usb stick"), Question("usb drive"))

    [pair] = explanation.aligned
    assert (pair.asked, pair.found) == ("stick", "drive")
    assert pair.similarity == pytest.approx(3 / np.sqrt(10))
    assert (explanation.only_asked, explanation.only_found) == ((), ())


def test_the_weight_of_a_pair_is_the_mean_of_both(view: LexicalView) -> None:
    alone = Explainer(view).explain(Question("usb stick"), Question("usb drive"))
    [pair] = Explainer(view, VECTORS.units).explain(Question("usb stick"), Question("usb drive")).aligned

    assert pair.weight == (alone.only_asked[0].weight + alone.only_found[0].weight) / 2


def test_without_vectors_nothing_is_aligned(explainer: Explainer) -> None:
    assert explainer.explain(Question("usb stick"), Question("usb drive")).aligned == ()


def test_ten_matches_with_bodies_are_explained_before_anybody_notices(explainer: Explainer) -> None:
    def body(number: int) -> str:
        return " ".join(f"word{number * 50 + place} laptop of" for place in range(35))

    matches = [Match(str(n), 1.0, question=Question(f"Boot from USB {n}", body(n))) for n in range(10)]
    seconds = []
    for attempt in range(8):
        started = time.perf_counter()
        explainer.explained(Question(f"Boot from USB, attempt {attempt}", body(attempt)), matches)
        seconds.append(time.perf_counter() - started)

    assert min(seconds) < 0.05
