"""The fused system as a Ranker: gather, judge, calibrate, explain."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from forum_of_words import FORUM, HOSTILE, made_up_judge

from askagain.archive import Archive
from askagain.errors import ModelError
from askagain.fusion.folder import Fused, save_fused
from askagain.fusion.gathering import Gatherer
from askagain.fusion.judge import FusedJudge
from askagain.fusion.making import fused_ranker, gatherer_of
from askagain.fusion.ranker import FusedRanker
from askagain.fusion.recipe import FusedSystem
from askagain.question import Question
from askagain.ranker import Ranker
from askagain.rerank.fit.boosting import fit_trees
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.settings import TreeSettings
from askagain.views import Views

ASKED = Question("booting from usb", "my laptop does nothing")


@pytest.fixture
def judge(gatherer: Gatherer) -> FusedJudge:
    return made_up_judge(gatherer.signals.names)


@pytest.fixture
def ranker(best: FusedSystem, views: Views, judge: FusedJudge) -> FusedRanker:
    ranker: Ranker = fused_ranker(Fused(best, judge, {}), views)
    assert isinstance(ranker, FusedRanker)
    return ranker


def test_a_ranker_has_the_name_of_its_system(ranker: FusedRanker) -> None:
    assert ranker.name == "best"


def test_matches_stand_by_score_with_probabilities(ranker: FusedRanker) -> None:
    matches = ranker.search(ASKED)
    scores = [match.score for match in matches]
    assert len(matches) >= 3
    assert scores == sorted(scores, reverse=True)
    assert all(match.probability is not None and 0 < match.probability < 1 for match in matches)


def test_the_nearest_question_comes_first_with_its_text(ranker: FusedRanker) -> None:
    [match] = ranker.search(Question(FORUM[4].title), k=1)
    assert match.question == FORUM[4]


@pytest.mark.parametrize("k", [0, 1, 3])
def test_no_more_than_k_are_found_and_these_are_the_best(k: int, ranker: FusedRanker) -> None:
    assert ranker.search(ASKED, k) == ranker.search(ASKED, 100)[:k]


def test_more_than_the_depth_can_be_asked_for(best: FusedSystem, views: Views, judge: FusedJudge) -> None:
    shallow = best.with_parameters({"fusion.depth": 1})
    assert len(fused_ranker(Fused(shallow, judge, {}), views).search(ASKED, 5)) == 5


def test_many_questions_find_what_each_finds_alone(ranker: FusedRanker) -> None:
    together = ranker.search_many(FORUM, len(FORUM))
    alone = [ranker.search(question, len(FORUM)) for question in FORUM]
    assert [[match.id for match in matches] for matches in together] == [
        [match.id for match in matches] for matches in alone
    ]
    assert [match.probability for match in together[0]] == pytest.approx(
        [match.probability for match in alone[0]], abs=1e-5
    )


def test_a_question_does_not_find_itself(ranker: FusedRanker) -> None:
    assert "usb" not in {match.id for match in ranker.search(FORUM[0], 100)}


def test_a_question_that_was_added_is_found_at_once(ranker: FusedRanker, archive: Archive) -> None:
    archive.add(replace(ASKED, id="new"))
    assert ranker.search(ASKED)[0].id == "new"


def test_an_empty_archive_has_no_matches(best: FusedSystem, judge: FusedJudge, tmp_path: Path) -> None:
    with Archive.open(tmp_path / "empty.db") as archive:
        assert fused_ranker(Fused(best, judge, {}), Views(archive, durable=False)).search(ASKED) == []


def test_foreign_candidates_are_scored_in_their_order(ranker: FusedRanker) -> None:
    foreign = [Question("sticky rice"), Question("booting from usb"), Question("")]
    rice, boot, empty = ranker.score(ASKED, foreign)
    assert boot > rice
    assert np.isfinite(empty)


def test_no_candidates_have_no_scores(ranker: FusedRanker) -> None:
    assert ranker.score(ASKED, []) == []


def test_a_candidate_is_a_duplicate_from_even_odds_on(ranker: FusedRanker) -> None:
    assert ranker.is_duplicate(ASKED, FORUM[:3], [0.1, 0.0, -0.1]) == [True, True, False]


def test_the_threshold_and_its_origin_are_those_of_the_calibration(
    ranker: FusedRanker, judge: FusedJudge
) -> None:
    assert ranker.threshold == judge.calibration.threshold == 0.9
    assert not ranker.is_calibrated


# Reasons


def of_lists(judge: FusedJudge, gatherer: Gatherer, candidate: Question) -> float:
    """What a judge makes of a candidate's place in a list, here one of its own."""
    shares = judge.shares(gatherer.given(ASKED, [candidate]).matrix[0]).tolist()
    return sum(
        share for name, share in zip(judge.names, shares, strict=True) if name.endswith((".behind", ".place"))
    )


def test_the_shares_of_a_logistic_judge_are_its_score_without_the_bias_and_what_lists_add(
    ranker: FusedRanker, judge: FusedJudge, gatherer: Gatherer
) -> None:
    reasons = ranker.explain(ASKED, FORUM[1])
    [score] = ranker.score(ASKED, [FORUM[1]])

    rest = score - judge.arrays["bias"][0] - of_lists(judge, gatherer, FORUM[1])
    assert sum(reason.share for reason in reasons) == pytest.approx(rest, abs=1e-5)
    assert not any(reason.term.endswith((".behind", ".place")) for reason in reasons)


def test_the_shares_of_trees_are_their_score_without_what_all_have_and_what_lists_add(
    best: FusedSystem, views: Views, gatherer: Gatherer
) -> None:
    chance, names = np.random.default_rng(0), gatherer.signals.names
    matrix = chance.normal(size=(200, len(names)))
    examples = Examples(matrix, matrix[:, 0] > 0, np.repeat(np.arange(20), 10))
    learned = fit_trees(examples, TreeSettings(trees=5), seed=0)
    judge = replace(made_up_judge(names), method="trees", arrays=learned.arrays)
    ranker = fused_ranker(Fused(best, judge, {}), views)

    [score] = ranker.score(ASKED, [FORUM[1]])

    shares = sum(reason.share for reason in ranker.explain(ASKED, FORUM[1]))
    rest = score - learned.arrays["baseline"][0] - of_lists(judge, gatherer, FORUM[1])
    assert shares == pytest.approx(rest)


def test_the_largest_share_comes_first(ranker: FusedRanker) -> None:
    shares = [reason.share for reason in ranker.explain(ASKED, FORUM[0])]
    assert shares == sorted(shares, reverse=True)
    assert all(shares)


def test_reasons_name_the_signal_and_its_field(ranker: FusedRanker) -> None:
    named = {(reason.term, reason.field) for reason in ranker.explain(ASKED, FORUM[0])}
    assert {("covered", "title"), ("overlap", "body"), ("bm25", "both"), ("aligned.asked", "both")} <= named


# What people write, and what does not fit


@pytest.mark.timeout(60)
@pytest.mark.parametrize("question", HOSTILE, ids=lambda question: repr(question.title[:10]))
def test_everything_is_finite_whatever_people_write(question: Question, ranker: FusedRanker) -> None:
    assert np.isfinite([match.score for match in ranker.search(question)]).all()
    assert np.isfinite(ranker.score(question, HOSTILE)).all()
    assert np.isfinite([reason.share for reason in ranker.explain(question, HOSTILE[-2])]).all()


def test_a_judge_of_other_signals_is_refused(best: FusedSystem, views: Views, judge: FusedJudge) -> None:
    other = replace(judge, names=("moonlight", *judge.names[1:]))
    with pytest.raises(ModelError, match="best has learned from other signals than this askagain has"):
        fused_ranker(Fused(best, other, {}), views)


def test_a_search_imports_nothing_that_only_training_needs(
    best: FusedSystem, archive: Archive, judge: FusedJudge, tmp_path: Path
) -> None:
    save_fused(tmp_path / "model", Fused(best, judge, {}), {})
    program = f"""
import sys
from pathlib import Path
from askagain import Archive, Question
from askagain.fusion.folder import load_fused
from askagain.fusion.making import fused_ranker
from askagain.views import Views
with Archive.open(Path({str(archive.path)!r})) as archive:
    ranker = fused_ranker(load_fused(Path({str(tmp_path / "model")!r})), Views(archive, durable=False))
    assert ranker.search(Question("booting from usb"))
print([name for name in ("torch", "transformers", "sklearn", "gensim") if name in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_encoders_bring_their_own_signals(best: FusedSystem, views: Views, tmp_path: Path) -> None:
    recipe = tmp_path / "mine.toml"
    recipe.write_text('name = "mine"\n[ready]\nkind = "shipped"\n')
    both = best.with_parameters({"fusion.encoders": f"shipped+{recipe}"})
    assert f"{recipe}.place" in gatherer_of(both, views, {}).signals.names
