"""On real questions, our scores are Lucene's own: the same documents, the same numbers.

Both engines get the same terms. With `coarse_lengths` they must agree; with exact lengths, which Lucene does
not have, the order must stay close to Lucene's. `pytest -rP` shows how close, one line per test.
"""

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from askagain.analysis import Analyzer
from askagain.lexical.index import Hits, LexicalIndex, Scoring
from askagain.lexical.normalisations import NORMALISATIONS
from askagain.lexical.similarities import (
    AFTER_EFFECTS,
    BASIC_MODELS,
    DISTRIBUTIONS,
    RATES,
    SIMILARITIES,
    Bm25,
    DivergenceFromRandomness,
    InformationBased,
    LmDirichlet,
    LmJelinekMercer,
    Similarity,
    TfIdf,
)
from lucene import LuceneIndex, java, lucene_available
from lucene import similarity as lucene_similarity
from support import require

SHORT_QUERIES = 200
LONG_QUERIES = 40
"""Lucene takes ten times as long for one: it scores most of the archive for its hundred terms."""

TOP = 20
DEPTH = 60
"""So deep are lists read for the score that one engine gives to a document of the other's top."""

SAME = 1e-4
TIED = 1e-6
SAME_ORDER = 0.98

LuceneHits = list[tuple[int, float]]

# Both sets.
ON_LONG_AND_SHORT_QUERIES: list[Similarity] = [
    TfIdf(),
    Bm25(),
    LmDirichlet(),
    LmJelinekMercer(),
    InformationBased(),
    InformationBased(distribution="spl", rate="ttf", normalisation="h1", parameter=3.0),
    InformationBased(rate="ttf", normalisation="z", parameter=0.2),
    DivergenceFromRandomness(),
    DivergenceFromRandomness(basic_model="g", after_effect="b", normalisation="h3"),
    DivergenceFromRandomness(basic_model="if", after_effect="b", normalisation="z"),
]
# Lucene takes seconds per setting for long queries: the rest is compared on titles alone.
ON_SHORT_QUERIES: list[Similarity] = [
    Bm25(k1=2.0, b=0.3),
    LmDirichlet(mu=50.0),
    LmJelinekMercer(smoothing=0.7),
    InformationBased(distribution="spl", normalisation="h3", parameter=300.0),
    InformationBased(normalisation="none"),
    InformationBased(distribution="spl", rate="ttf", normalisation="none"),
    InformationBased(distribution="spl", normalisation="h2", parameter=7.0),
    DivergenceFromRandomness(after_effect="b", normalisation="h1", parameter=0.5),
    DivergenceFromRandomness(basic_model="g", normalisation="h2", parameter=5.0),
    DivergenceFromRandomness(basic_model="ine", normalisation="none"),
    DivergenceFromRandomness(basic_model="ine", after_effect="b", normalisation="h3", parameter=300.0),
    DivergenceFromRandomness(basic_model="if", normalisation="h1"),
]


class Engines:
    """A set of questions in our index and in Lucene's, and queries for both."""

    def __init__(
        self, boosts: dict[str, float], questions: Sequence[Sequence[Sequence[str]]], queries: int
    ) -> None:
        self.boosts = boosts
        self.ours = LexicalIndex(tuple(boosts))
        self.ours.add(enumerate(questions))
        self.lucene = LuceneIndex(dict(zip(boosts, texts, strict=True)) for texts in questions)
        asked = random.Random(1).sample(questions, queries)
        self.queries = [[term for terms in texts for term in terms] for texts in asked]
        self._found: dict[Similarity, list[LuceneHits]] = {}

    def search(self, similarity: Similarity, k: int, *, coarse_lengths: bool) -> list[Hits]:
        scoring = Scoring(similarity, tuple(self.boosts.values()), coarse_lengths=coarse_lengths)
        return self.ours.search(self.queries, scoring, k)

    def search_lucene(self, similarity: Similarity) -> list[LuceneHits]:
        """Asked once per similarity; without the hits that have a total of 0, which we do not return."""
        if similarity not in self._found:
            theirs = as_lucene_has_it(similarity)
            found = (self.lucene.search(self._clauses(query), theirs, DEPTH) for query in self.queries)
            self._found[similarity] = [[hit for hit in hits if hit[1] > 0.0] for hits in found]
        return self._found[similarity]

    def _clauses(self, query: Sequence[str]) -> list[tuple[str, str, float]]:
        said = Counter(query)
        return [(f, term, boost * said[term]) for f, boost in self.boosts.items() for term in said]


def as_lucene_has_it(chosen: Similarity) -> Any:
    """The Java object with the same parameters and components; those that we leave open, Lucene chooses."""
    match chosen:
        case TfIdf():
            return lucene_similarity("tfidf")
        case Bm25(k1=k1, b=b):
            return lucene_similarity("bm25", k1=k1, b=b)
        case LmDirichlet(mu=mu):
            return lucene_similarity("lmd", mu=mu)
        case LmJelinekMercer(smoothing=smoothing):
            return lucene_similarity("lmj", lam=smoothing)
        case InformationBased(distribution=distribution, rate=rate):
            components = {"distribution": distribution.upper(), "lam": rate.upper()}
            return lucene_similarity("ib", **components, **_lucene_normalisation(chosen))
        case DivergenceFromRandomness(basic_model=model, after_effect=effect):
            components = {"model": model.upper(), "after_effect": effect.upper()}
            return lucene_similarity("dfr", **components, **_lucene_normalisation(chosen))
    raise NotImplementedError(chosen)


def _lucene_normalisation(chosen: InformationBased | DivergenceFromRandomness) -> dict[str, Any]:
    name = "NO" if chosen.normalisation == "none" else chosen.normalisation.upper()
    return {"normalization": name, "parameter": chosen.parameter}


class Question(NamedTuple):
    title: str
    body: str


def questions_of(folder: Path) -> Iterator[Question]:
    with gzip.open(folder / "questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield Question(row["title"], row.get("body", ""))


@pytest.fixture(autouse=True, scope="module")
def _lucene() -> None:
    missing = lucene_available()
    require(missing is None, str(missing))


@pytest.fixture(scope="module")
def cooking(data_dir: Path) -> Engines:
    """Titles and bodies, and queries of about a hundred terms."""
    terms = Analyzer().terms
    questions = [(terms(title), terms(body)) for title, body in questions_of(data_dir / "cooking")]
    return Engines({"title": 2.0, "body": 1.0}, questions, LONG_QUERIES)


@pytest.fixture(scope="module")
def askubuntu(data_dir: Path) -> Engines:
    """Titles, and queries of about ten terms."""
    terms = Analyzer().terms
    questions = [(terms(title),) for title, _ in questions_of(data_dir / "askubuntu-titles")]
    return Engines({"title": 1.0}, questions, SHORT_QUERIES)


on_both_sets = pytest.mark.parametrize(
    ("engines", "similarity"),
    [
        pytest.param(engines, similarity, id=f"{engines}-{similarity}")
        for engines, similarities in (
            ("cooking", ON_LONG_AND_SHORT_QUERIES),
            ("askubuntu", ON_LONG_AND_SHORT_QUERIES + ON_SHORT_QUERIES),
        )
        for similarity in similarities
    ],
)


@on_both_sets
def test_documents_and_scores_are_lucenes(
    engines: str, similarity: Similarity, request: pytest.FixtureRequest
) -> None:
    both: Engines = request.getfixturevalue(engines)
    ours = both.search(similarity, TOP, coarse_lengths=True)
    pairs = zip(ours, both.search_lucene(similarity), strict=True)
    worst = max(score_difference(hits, theirs[:TOP]) for hits, theirs in pairs)
    print(f"{engines} {similarity}: largest relative difference {worst:.1e}")
    assert worst <= SAME


def score_difference(ours: Hits, theirs: LuceneHits) -> float:
    """The largest relative difference between two top lists, which must hold the same documents.

    Where scores tie at the end of the list, rounding decides which of the tied documents are on it: one
    that is on one list only is accepted if its score is within TIED of Lucene's last.
    """
    mine = dict(zip(ours.numbers.tolist(), ours.scores.tolist(), strict=True))
    lucenes = dict(theirs)
    assert len(mine) == len(lucenes)
    for document in mine.keys() ^ lucenes.keys():
        assert (mine | lucenes)[document] == pytest.approx(theirs[-1][1], rel=TIED)
    common = mine.keys() & lucenes.keys()
    return max((abs(mine[document] / lucenes[document] - 1.0) for document in common), default=0.0)


@on_both_sets
def test_exact_lengths_keep_lucenes_order(
    engines: str, similarity: Similarity, request: pytest.FixtureRequest
) -> None:
    both: Engines = request.getfixturevalue(engines)
    ours = both.search(similarity, DEPTH, coarse_lengths=False)
    pairs = zip(ours, both.search_lucene(similarity), strict=True)
    mean = float(np.mean([order_correlation(hits, theirs) for hits, theirs in pairs]))
    print(f"{engines} {similarity}: rank correlation {mean:.4f}")
    assert mean > SAME_ORDER


def order_correlation(ours: Hits, theirs: LuceneHits) -> float:
    """Spearman's ρ between our scores and Lucene's of all documents in either top 20.

    Scores come from lists that are DEPTH deep, and a document that is missing there counts as the last.
    Ours are rounded to 32 bits, as Lucene's are, so that what ties in one engine ties in the other.
    """
    mine = dict(zip(ours.numbers.tolist(), ours.scores.astype(np.float32).tolist(), strict=True))
    lucenes = dict(theirs)
    union = sorted({*ours.numbers[:TOP].tolist(), *(document for document, _ in theirs[:TOP])})
    our_ranks = ranks([mine.get(document, 0.0) for document in union])
    lucene_ranks = ranks([lucenes.get(document, 0.0) for document in union])
    if np.array_equal(our_ranks, lucene_ranks):
        return 1.0
    return float(np.corrcoef(our_ranks, lucene_ranks)[0, 1])


def ranks(scores: list[float]) -> NDArray[np.float64]:
    """Ascending ranks; equal scores share the middle one."""
    column = np.array(scores)[:, None]
    return (column > column.T).sum(axis=1) + (column == column.T).sum(axis=1) / 2


def test_every_component_is_compared() -> None:
    compared = ON_LONG_AND_SHORT_QUERIES + ON_SHORT_QUERIES
    assert {similarity.name for similarity in compared} == set(SIMILARITIES)
    ib = [similarity for similarity in compared if isinstance(similarity, InformationBased)]
    dfr = [similarity for similarity in compared if isinstance(similarity, DivergenceFromRandomness)]
    for similarities in (ib, dfr):
        assert len(similarities) >= 6
        assert {similarity.normalisation for similarity in similarities} == set(NORMALISATIONS)
    assert {(s.distribution, s.rate) for s in ib} == {(d, rate) for d in DISTRIBUTIONS for rate in RATES}
    assert {(s.basic_model, s.after_effect) for s in dfr} == {
        (m, e) for m in BASIC_MODELS for e in AFTER_EFFECTS
    }


def test_default_parameters_are_lucenes() -> None:
    package = "org.apache.lucene.search.similarities"
    lucene_bm25 = java()(f"{package}.BM25Similarity")()
    lucene_lmd = java()(f"{package}.LMDirichletSimilarity")()
    assert (Bm25().k1, Bm25().b) == pytest.approx((lucene_bm25.getK1(), lucene_bm25.getB()))
    assert LmDirichlet().mu == lucene_lmd.getMu()
