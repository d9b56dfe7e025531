"""Networks that match words, taught by lists: what is at hand beside the words counts from the start."""

import numpy as np

from askagain.encoders.wordvectors import WordVectors
from askagain.question import Question
from askagain.rerank.extraction import RANK, FeatureExtractor
from askagain.rerank.fit.networks import fit_network
from askagain.rerank.judges.base import Learned
from askagain.rerank.judges.reading import WordReader, all_words
from askagain.rerank.matching.settings import DecompositionSettings, FittingSettings
from askagain.rerank.recipe import DecompositionJudgeSettings
from askagain.sources.lists import Candidate, CandidateList

VECTORS = WordVectors(("rice", "pan"), np.eye(2, dtype=np.float32))


def best_first(query: str) -> CandidateList:
    """The search engine's first candidate is the duplicate, whatever the words."""
    ranks = range(1, 5)
    candidates = [Candidate(Question("rice pan"), rank, relevant=rank == 1) for rank in ranks]
    return CandidateList(Question(query), tuple(candidates))


def taught(*features: str) -> Learned:
    settings = DecompositionJudgeSettings(
        features=features, network=DecompositionSettings(filters=4), fitting=FittingSettings(epochs=0)
    )
    reader, extractor = WordReader(all_words, VECTORS, 100), FeatureExtractor(features, {})
    lists = [best_first("rice"), best_first("pan")]
    return fit_network(lists, settings, reader, extractor, 0, lambda epoch: None, lambda *done: None)


def test_the_engine_s_rank_has_its_weight_before_words_are_learned() -> None:
    weights = taught(RANK).arrays["network.output.weight"][0]

    assert len(weights) == 2 * 4 + 1
    assert weights[-1] > 1


def test_without_features_there_are_words_alone() -> None:
    assert taught().arrays["network.output.weight"].shape == (1, 2 * 4)
