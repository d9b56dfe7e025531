"""The search that cannot be wrong: every question scored by the formulas, then sorted."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log

import numpy as np

from askagain.lexical import formulas
from askagain.lexical.index import Hits, LexicalIndex, Scoring
from askagain.lexical.lengths import seen_lengths
from askagain.lexical.similarities import Bm25, FieldStatistics

MOST_FREQUENT = 255
LONGEST = 65_535

Texts = Sequence[Sequence[str]]
Ranking = list[tuple[int, float]]

BM25 = Scoring(Bm25(), (1.0,))


def ranking(hits: Hits) -> Ranking:
    """Hits as pairs, which compare with ==."""
    return list(zip(hits.numbers.tolist(), hits.scores.tolist(), strict=True))


def search(index: LexicalIndex, query: Sequence[str], scoring: Scoring = BM25, k: int = 10) -> Ranking:
    """One query, answered by the index."""
    [hits] = index.search([query], scoring, k)
    return ranking(hits)


class BruteForce:
    """A collection of questions by number, each with one list of terms per field."""

    def __init__(self, fields: int, questions: Mapping[int, Texts]) -> None:
        self.postings: list[dict[str, list[tuple[int, int]]]] = [defaultdict(list) for _ in range(fields)]
        self.lengths: list[dict[int, int]] = [{} for _ in range(fields)]
        for number, texts in questions.items():
            for f, terms in enumerate(texts):
                self.lengths[f][number] = min(len(terms), LONGEST)
                for term, tf in Counter(terms).items():
                    self.postings[f][term].append((number, min(tf, MOST_FREQUENT)))
        self.statistics = [
            FieldStatistics(sum(length > 0 for length in lengths.values()), sum(lengths.values()))
            for lengths in self.lengths
        ]

    def search(self, query: Sequence[str], scoring: Scoring, k: int) -> Ranking:
        """The k best: by score, highest first, then by number."""
        totals = self._totals(query, scoring).items()
        return sorted(((n, s) for n, s in totals if s > 0), key=lambda hit: (-hit[1], hit[0]))[:k]

    def _totals(self, query: Sequence[str], scoring: Scoring) -> dict[int, float]:
        said = self._read(query, scoring.most_terms)
        totals: dict[int, float] = defaultdict(float)
        for f, boost in enumerate(scoring.boosts):
            factors = self._length_factors(f, scoring)
            for term, times in said.items():
                if boost > 0 and term in self.postings[f]:
                    first, second, shift = self._term_factors(f, term, scoring)
                    for number, tf in self.postings[f][term]:
                        factor = factors[self.lengths[f][number]]
                        weight = formulas.weight(
                            scoring.similarity.shape, float(tf), factor, first, second, shift
                        )
                        totals[number] += boost * times * weight
        return totals

    def _read(self, query: Sequence[str], most_terms: int) -> Counter[str]:
        """How often the query says each term, without terms that no question holds; only the most telling."""
        said = Counter(term for term in query if self._holding(term))
        questions = max(field.questions for field in self.statistics)
        telling = {
            term: times * log((questions + 1) / (self._holding(term) + 0.5)) for term, times in said.items()
        }
        kept = set(sorted(said, key=lambda term: -telling[term])[:most_terms])
        return Counter({term: times for term, times in said.items() if term in kept})

    def _holding(self, term: str) -> int:
        """How many questions hold a term, in the field where most do."""
        return max(len(postings.get(term, ())) for postings in self.postings)

    def _term_factors(self, f: int, term: str, scoring: Scoring) -> tuple[float, float, float]:
        n, F = len(self.postings[f][term]), sum(tf for _, tf in self.postings[f][term])
        N, T = self.statistics[f].questions, self.statistics[f].terms
        numbers = np.array(scoring.similarity.numbers(), dtype=np.float64)
        return formulas.term_factors(
            scoring.similarity.shape, numbers, float(n), float(F), float(N), float(T)
        )

    def _length_factors(self, f: int, scoring: Scoring) -> list[float]:
        lengths = seen_lengths(max(self.lengths[f].values(), default=0), coarse=scoring.coarse_lengths)
        factors: list[float] = scoring.similarity.length_factors(lengths, self.statistics[f]).tolist()
        return factors
