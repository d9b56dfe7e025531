"""Judges with networks, from what they have learned."""

from __future__ import annotations

from askagain.encoders.wordvectors import WordVectors
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.fit.networks import restored
from askagain.rerank.judges.base import Learned
from askagain.rerank.judges.decomposition import DecompositionJudge
from askagain.rerank.judges.reading import WordReader, WordsOf, all_words, content_words, keywords_with
from askagain.rerank.judges.unimelb import UnimelbJudge
from askagain.rerank.keywords.cachedparser import cached_parser
from askagain.rerank.matching.decomposition_network import DecompositionNetwork
from askagain.rerank.matching.unimelb_network import UnimelbNetwork
from askagain.rerank.recipe import DecompositionJudgeSettings, UnimelbJudgeSettings
from askagain.sources.base import Progress, no_progress


def reader_of(
    settings: UnimelbJudgeSettings | DecompositionJudgeSettings,
    vectors: WordVectors,
    progress: Progress = no_progress,
) -> WordReader:
    """What the network reads of a question."""
    words_of: WordsOf = all_words if settings.reads == "words" else content_words
    if settings.reads == "keywords":
        words_of = keywords_with(cached_parser(settings.parser, progress), vectors)
    return WordReader(words_of, vectors, settings.longest)


def unimelb_judge(
    settings: UnimelbJudgeSettings, learned: Learned, reader: WordReader, extractor: FeatureExtractor
) -> UnimelbJudge:
    """A ValueError tells which weights do not fit."""
    network = UnimelbNetwork(settings.network, reader.vectors.dimension, len(extractor.names))
    restored(network, learned)
    return UnimelbJudge(network, reader, extractor)


def decomposition_judge(
    settings: DecompositionJudgeSettings, learned: Learned, reader: WordReader, extractor: FeatureExtractor
) -> DecompositionJudge:
    """A ValueError tells which weights do not fit."""
    network = DecompositionNetwork(settings.network, reader.vectors.dimension, len(extractor.names))
    restored(network, learned)
    return DecompositionJudge(network, reader, extractor)
