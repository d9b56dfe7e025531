"""Keywords: the most important words of each sub-sentence, in the order of the text.

As in the paper (Qi, Zhang & Liu 2017, section 2.1): each sub-sentence has a graph of its own, in which all of
its candidates share edges; TextRank orders them; a third is kept, and the keywords of all sub-sentences are
joined. Where the paper is silent: the third is one of the different candidate words, rounded to the nearest
number and at least one; of equal scores, which any two words have that are alone, the one wins that is nearer
to the root of the parse, then the earlier one; a word that two sub-sentences choose is there twice, one that
is twice in a sub-sentence is there once, at its first place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from askagain.encoders.wordvectors import WordVectors
from askagain.question import Question
from askagain.rerank.keywords.candidates import candidates, count_words
from askagain.rerank.keywords.graph import Graph, build_graph
from askagain.rerank.keywords.parsing import Parse, Parser
from askagain.rerank.keywords.settings import PAPER, KeywordSettings
from askagain.rerank.keywords.subsentences import sub_sentences
from askagain.rerank.keywords.textrank import textrank

# Scores that differ by less are equal: TextRank ends when they change by less.
_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class RankedWord:
    """A candidate, its TextRank score in its sub-sentence, and whether it is a keyword."""

    word: str
    score: float
    is_keyword: bool


@dataclass(frozen=True, slots=True)
class RankedSubSentence:
    """A sub-sentence, its candidates in text order, and the graph that ranked them."""

    text: str
    words: tuple[RankedWord, ...]
    graph: Graph


@dataclass(frozen=True, slots=True)
class Keywords:
    """All sub-sentences of a question, ranked."""

    sub_sentences: tuple[RankedSubSentence, ...]

    @property
    def ranked(self) -> list[RankedWord]:
        """The keywords with their scores, in text order."""
        return [word for part in self.sub_sentences for word in part.words if word.is_keyword]

    @property
    def words(self) -> list[str]:
        """The keywords in text order, joined over the sub-sentences."""
        return [keyword.word for keyword in self.ranked]


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The sub-sentences of a question and their parses."""

    texts: tuple[str, ...]
    parses: tuple[Parse, ...]

    @property
    def frequencies(self) -> Counter[str]:
        """How often each candidate is there; its keys are all the words that need a vector."""
        counts: Counter[str] = Counter()
        for parse in self.parses:
            counts.update({word: len(places) for word, places in candidates(parse).items()})
        return counts


def parsed(contents: Sequence[Question | str], parser: Parser) -> list[ParsedText]:
    """Questions, or posts, as parses; the parser gets all sub-sentences at once."""
    split = [sub_sentences(content) for content in contents]
    parses = iter(parser.parse([text for texts in split for text in texts]))
    return [ParsedText(tuple(texts), tuple(islice(parses, len(texts)))) for texts in split]


def ranked(text: ParsedText, vectors: WordVectors | None, settings: KeywordSettings = PAPER) -> Keywords:
    """The candidates of each sub-sentence with their scores; without vectors all distances are 1."""
    frequencies = text.frequencies
    parts = []
    for piece, parse in zip(text.texts, text.parses, strict=True):
        graph = build_graph(parse, frequencies, vectors, settings.base)
        parts.append(RankedSubSentence(piece, _ranked_words(graph, count_words(parse), settings), graph))
    return Keywords(tuple(parts))


def _ranked_words(graph: Graph, words: int, settings: KeywordSettings) -> tuple[RankedWord, ...]:
    scores = textrank(graph.weights, settings.damping).tolist()
    best = sorted(range(len(scores)), key=lambda place: (-round(scores[place], _DIGITS), graph.depths[place]))
    kept = set(best[: max(1, round(settings.share * words))])
    return tuple(
        RankedWord(word, score, place in kept)
        for place, (word, score) in enumerate(zip(graph.words, scores, strict=True))
    )


def extract(
    content: Question | str,
    parser: Parser,
    vectors: WordVectors | None = None,
    settings: KeywordSettings = PAPER,
) -> Keywords:
    """The keywords of one question or post."""
    (text,) = parsed([content], parser)
    return ranked(text, vectors, settings)
