"""What SCIR-QA's judge says of a pair: what the candidate covers of the question, and what it lacks."""

import numpy as np

from askagain.encoders.wordvectors import WordVectors
from askagain.question import Question, Reason
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.judges.decomposition import CoveredWord, DecompositionJudge
from askagain.rerank.judges.reading import WordReader, all_words
from askagain.rerank.matching.decomposition_network import DecompositionNetwork
from askagain.rerank.matching.settings import DecompositionSettings

WORDS = ("rice", "pan", "pot", "wok")
# A pot is partly like a pan; a wok is like nothing else.
VECTORS = WordVectors(WORDS, np.array([[1, 0, 0], [0, 1, 0], [0, 0.8, 0.6], [0, 0, 1]], dtype=np.float32))


def judge() -> DecompositionJudge:
    settings = DecompositionSettings(filters=4, neighbours=0, channels="separate")
    reader = WordReader(all_words, VECTORS, longest=100)
    return DecompositionJudge(DecompositionNetwork(settings, 3), reader, FeatureExtractor([], {}))


def test_each_word_of_the_question_has_the_word_that_covers_it() -> None:
    covered = judge().coverage(Question("rice pan"), Question("pot of rice"))

    assert [(word.word, word.partner) for word in covered] == [("rice", "rice"), ("pan", "pot")]
    assert np.allclose([word.covered for word in covered], [1.0, 0.8])


def test_a_word_that_is_like_no_other_is_not_covered() -> None:
    assert judge().coverage(Question("wok"), Question("rice")) == [CoveredWord("wok", "", 0.0)]


def test_reasons_are_what_is_covered_and_what_is_lacking() -> None:
    reasons = judge().explain(Question("rice wok"), Question("rice"))

    assert reasons == [Reason("rice ~ rice", "covered", 1.0), Reason("wok", "lacking", -1.0)]


def test_scores_are_probabilities_one_per_candidate() -> None:
    scores = judge().score(Question("rice pan"), [Question("rice"), Question(""), Question("???")])

    assert len(scores) == 3
    assert all(0 < score < 1 for score in scores)
