"""Networks that match words, taught by labelled lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from askagain.encoders.vectors import Floats
from askagain.encoders.wordvectors import WordVectors
from askagain.question import Question
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.judges.base import Learned
from askagain.rerank.judges.reading import WordReader
from askagain.rerank.matching.alignment import align_pairs
from askagain.rerank.matching.decomposition_network import DecompositionNetwork
from askagain.rerank.matching.fitting import fit
from askagain.rerank.matching.pairs import FeaturedPairs, Inputs, WordPairs, word_pairs
from askagain.rerank.matching.unimelb_network import UnimelbNetwork
from askagain.rerank.recipe import DecompositionJudgeSettings, UnimelbJudgeSettings
from askagain.sources.base import Progress
from askagain.sources.lists import CandidateList
from askagain.training.finetune import OnEpoch


def fit_network(
    lists: Sequence[CandidateList],
    settings: UnimelbJudgeSettings | DecompositionJudgeSettings,
    reader: WordReader,
    extractor: FeatureExtractor,
    seed: int,
    on_epoch: OnEpoch,
    progress: Progress,
) -> Learned:
    """The network of UniMelb or SCIR-QA over all pairs of the lists."""
    features, labels = _features(lists, extractor), _labels(lists)
    network, inputs = _network_and_inputs(settings, _pairs(lists, reader), reader.vectors, features, seed)
    network.features.measure(features)
    if isinstance(network, DecompositionNetwork) and features.shape[1]:
        network.start_from_features(*_logistic(network.features(features).numpy(), labels))
    fit(network, inputs, labels, settings.fitting, seed, on_epoch=on_epoch, progress=progress)
    return _learned(network, reader)


def _network_and_inputs(
    settings: UnimelbJudgeSettings | DecompositionJudgeSettings,
    pairs: WordPairs,
    vectors: WordVectors,
    features: Floats,
    seed: int,
) -> tuple[UnimelbNetwork | DecompositionNetwork, Inputs[Any]]:
    sizes = vectors.dimension, features.shape[1]
    if isinstance(settings, UnimelbJudgeSettings):
        inputs = FeaturedPairs(pairs, vectors.matrix, features)
        return UnimelbNetwork(settings.network, *sizes, seed), inputs
    aligned = align_pairs(pairs, vectors.matrix, features, settings.network.neighbours)
    return DecompositionNetwork(settings.network, *sizes, seed), aligned


def _logistic(features: Floats, labels: Sequence[bool]) -> tuple[Floats, float]:
    """The weights and the bias of a logistic regression.

    A network that has to find the weight of a good feature by small steps has learned its pairs by heart
    through their words before it gets there.
    """
    # Imported here: what was learned is used without scikit-learn.
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression().fit(features, labels)
    return fitted.coef_[0].astype(np.float32), float(fitted.intercept_[0])


def _features(lists: Sequence[CandidateList], extractor: FeatureExtractor) -> Floats:
    return np.concatenate([extractor.floats(list_.query, _questions(list_)) for list_ in lists])


def _questions(list_: CandidateList) -> list[Question]:
    return [entry.question for entry in list_.candidates]


def _labels(lists: Sequence[CandidateList]) -> list[bool]:
    return [bool(entry.relevant) for list_ in lists for entry in list_.candidates]


def questions_of(lists: Sequence[CandidateList]) -> list[Question]:
    """Every question of the lists once."""
    return list(dict.fromkeys(question for list_ in lists for question in (list_.query, *_questions(list_))))


def _pairs(lists: Sequence[CandidateList], reader: WordReader) -> WordPairs:
    questions = questions_of(lists)
    words = dict(zip(questions, map(reader.numbers, reader.words_of_all(questions)), strict=True))
    return word_pairs(
        (words[list_.query], words[question]) for list_ in lists for question in _questions(list_)
    )


def _learned(network: nn.Module, reader: WordReader) -> Learned:
    arrays = {f"network.{name}": weight.numpy() for name, weight in network.state_dict().items()}
    return Learned({"words": reader.vectors.matrix, **arrays}, reader.vectors.words)


def restored(network: nn.Module, learned: Learned) -> nn.Module:
    """A network with the weights that it had; a ValueError tells what does not fit."""
    state = {
        name.removeprefix("network."): torch.from_numpy(np.array(array))
        for name, array in learned.arrays.items()
        if name.startswith("network.")
    }
    try:
        network.load_state_dict(state)
    except RuntimeError as error:
        raise ValueError(str(error).splitlines()[-1].strip()) from error
    return network.eval()
