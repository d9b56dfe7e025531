"""The bridge to the real Lucene: what goes in comes out as Lucene's own numbers, in Lucene's own order."""

import math

import pytest

from lucene import LuceneIndex, lucene_available, lucene_version, similarity
from support import require


@pytest.fixture(autouse=True, scope="module")
def _lucene() -> None:
    missing = lucene_available()
    require(missing is None, str(missing))


@pytest.fixture(scope="module")
def usb() -> LuceneIndex:
    return LuceneIndex(
        [
            {"title": ["boot", "usb"], "body": ["usb", "usb", "stick"]},
            {"title": ["usb", "sound"], "body": []},
            {"title": ["boot", "usb"]},
        ]
    )


def test_the_code_is_lucene_8() -> None:
    assert lucene_version().startswith("8.")


def test_bm25_has_no_k1_plus_1(usb: LuceneIndex) -> None:
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    [(doc, score)] = usb.search([("title", "sound", 1.0)], similarity("bm25", k1=1.2, b=0.75), 10)
    assert doc == 1
    assert score == pytest.approx(idf * 1 / (1 + 1.2), rel=1e-6)


def test_a_document_with_an_empty_field_does_not_count_for_that_field(usb: LuceneIndex) -> None:
    idf = math.log((1 + 1) / (1 + 1)) + 1
    [(_, score)] = usb.search([("body", "usb", 1.0)], similarity("tfidf"), 10)
    assert score == pytest.approx(math.sqrt(2) * idf / math.sqrt(3), rel=1e-6)


def test_equal_scores_come_in_document_order(usb: LuceneIndex) -> None:
    hits = usb.search([("title", "usb", 1.0)], similarity("bm25"), 10)
    assert [doc for doc, _ in hits] == [0, 1, 2]
    assert len({score for _, score in hits}) == 1


def test_only_the_k_best_come_back(usb: LuceneIndex) -> None:
    assert len(usb.search([("title", "usb", 1.0)], similarity("bm25"), 2)) == 2


def test_a_boost_multiplies_its_clause(usb: LuceneIndex) -> None:
    [(_, once)] = usb.search([("title", "sound", 1.0)], similarity("lmj", lam=0.7), 1)
    [(_, boosted)] = usb.search([("title", "sound", 2.5)], similarity("lmj", lam=0.7), 1)
    assert boosted == pytest.approx(2.5 * once, rel=1e-6)


def test_clauses_of_several_fields_add_up(usb: LuceneIndex) -> None:
    bm25 = similarity("bm25")
    title = dict(usb.search([("title", "usb", 1.0)], bm25, 10))
    body = dict(usb.search([("body", "usb", 1.0)], bm25, 10))
    both = dict(usb.search([("title", "usb", 1.0), ("body", "usb", 1.0)], bm25, 10))
    assert both[0] == pytest.approx(title[0] + body[0], rel=1e-6)


def test_an_unknown_term_matches_nothing(usb: LuceneIndex) -> None:
    assert usb.search([("title", "floppy", 1.0)], similarity("bm25"), 10) == []


def test_more_than_1024_clauses_are_allowed(usb: LuceneIndex) -> None:
    clauses = [("title", f"w{number}", 1.0) for number in range(2000)]
    assert len(usb.search([*clauses, ("title", "sound", 1.0)], similarity("bm25"), 10)) == 1


def test_document_numbers_follow_the_order_of_the_input() -> None:
    index = LuceneIndex({"body": [f"doc{number}"]} for number in range(3000))
    hits = [
        index.search([("body", f"doc{number}", 1.0)], similarity("bm25"), 1) for number in (0, 1234, 2999)
    ]
    assert [hit[0][0] for hit in hits] == [0, 1234, 2999]


def test_tokens_arrive_unchanged() -> None:
    tokens = ["x" * 300, "no\u00a0break", "c++", "日本語", "\U0001f600"]
    index = LuceneIndex([{"title": tokens}])
    assert all(index.search([("title", token, 1.0)], similarity("bm25"), 1) for token in tokens)


@pytest.mark.parametrize("length", [40, 41])
def test_lengths_are_exact_up_to_40_and_coarse_above(length: int) -> None:
    index = LuceneIndex([{"title": ["word", *["other"] * (length - 1)]}])
    [(_, score)] = index.search([("title", "word", 1.0)], similarity("tfidf"), 1)
    assert score == pytest.approx(1 / math.sqrt(40), rel=1e-6)


@pytest.mark.parametrize("normalization", ["H1", "H2", "H3", "Z", "NO"])
@pytest.mark.parametrize("lam", ["DF", "TTF"])
@pytest.mark.parametrize("distribution", ["LL", "SPL"])
def test_every_component_of_ib_exists(
    usb: LuceneIndex, distribution: str, lam: str, normalization: str
) -> None:
    model = similarity("ib", distribution=distribution, lam=lam, normalization=normalization)
    assert usb.search([("title", "sound", 1.0)], model, 1)[0][1] > 0


@pytest.mark.parametrize("after_effect", ["B", "L"])
@pytest.mark.parametrize("model", ["G", "IF", "IN", "INE"])
def test_every_component_of_dfr_exists(usb: LuceneIndex, model: str, after_effect: str) -> None:
    dfr = similarity("dfr", model=model, after_effect=after_effect, normalization="H2", parameter=3.0)
    assert usb.search([("title", "sound", 1.0)], dfr, 1)[0][1] > 0


def test_dirichlet_never_goes_below_zero_and_still_matches(usb: LuceneIndex) -> None:
    hits = usb.search([("title", "usb", 1.0)], similarity("lmd", mu=1.0), 10)
    assert hits == [(0, 0.0), (1, 0.0), (2, 0.0)]


def test_explain_shows_the_arithmetic(usb: LuceneIndex) -> None:
    text = usb.explain(1, [("title", "sound", 1.0)], similarity("bm25"))
    assert "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5))" in text
