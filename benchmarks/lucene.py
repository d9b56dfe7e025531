"""The real Lucene 8 inside this process (JPype), over tokens that were analysed elsewhere."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

JARS = Path("/usr/share/java")
NEEDED_JARS = ("lucene-core-[0-9]*.jar", "lucene-analyzers-common-[0-9]*.jar")
INSTALL_LUCENE = "apt-get install liblucene8-java openjdk-17-jre-headless"
INSTALL_JPYPE = "pip install JPype1"
# Larger than any term that Lucene accepts (32,766 bytes): a longer token is an error, never cut in two.
LONGEST_TOKEN = 1 << 20

Clause = tuple[str, str, float]
Hit = tuple[int, float]


def lucene_available() -> str | None:
    """What to install before the bridge can be used; None if nothing is missing."""
    missing = []
    if not all(any(JARS.glob(pattern)) for pattern in NEEDED_JARS) or shutil.which("java") is None:
        missing.append(INSTALL_LUCENE)
    if importlib.util.find_spec("jpype") is None:
        missing.append(INSTALL_JPYPE)
    return f"real Lucene is missing: {' && '.join(missing)}" if missing else None


@cache
def java() -> Callable[[str], Any]:
    """Starts the virtual machine on first use; the result finds a Java class by its name."""
    import jpype

    jars = [str(jar) for pattern in NEEDED_JARS for jar in JARS.glob(pattern)]
    if not jpype.isJVMStarted():
        jpype.startJVM("-XX:+UseSerialGC", classpath=jars, convertStrings=False)
    jpype.JClass("org.apache.lucene.search.BooleanQuery").setMaxClauseCount(2**31 - 1)
    find: Callable[[str], Any] = jpype.JClass
    return find


def lucene_version() -> str:
    """The version that the code gives itself, whatever the names of the jars say."""
    return str(java()("org.apache.lucene.util.Version").LATEST)


def similarity(name: str, **components: Any) -> Any:
    """A Java similarity; what is not given is Lucene's own default, or the first of the listed choices.

    `tfidf`  ClassicSimilarity
    `bm25`   BM25Similarity: k1=1.2, b=0.75
    `lmd`    LMDirichletSimilarity: mu=2000
    `lmj`    LMJelinekMercerSimilarity: lam (required by Lucene, in (0, 1])
    `ib`     IBSimilarity: distribution LL | SPL, lam DF | TTF, normalization
    `dfr`    DFRSimilarity: model G | IF | IN | INE, after_effect L | B, normalization

    `normalization` is H2 | H1 (parameter c=1), H3 (mu=800), Z (z=0.3) or NO, with its `parameter`.
    Lucene 8 has no others: the basic models Be, D and P and the empty after-effect left with version 8.0.
    """
    return _BUILDERS[name](**components)


def _similarity_class(name: str) -> Any:
    return java()(f"org.apache.lucene.search.similarities.{name}")


def _normalization(name: str, parameter: float | None) -> Any:
    if name == "NO":
        return _similarity_class("Normalization$NoNormalization")()
    arguments = () if parameter is None else (parameter,)
    return _similarity_class(f"Normalization{name}")(*arguments)


def _tfidf() -> Any:
    return _similarity_class("ClassicSimilarity")()


def _bm25(k1: float = 1.2, b: float = 0.75) -> Any:
    return _similarity_class("BM25Similarity")(k1, b)


def _lmd(mu: float = 2000.0) -> Any:
    return _similarity_class("LMDirichletSimilarity")(mu)


def _lmj(lam: float) -> Any:
    return _similarity_class("LMJelinekMercerSimilarity")(lam)


def _ib(
    distribution: str = "LL", lam: str = "DF", normalization: str = "H2", parameter: float | None = None
) -> Any:
    return _similarity_class("IBSimilarity")(
        _similarity_class(f"Distribution{distribution}")(),
        _similarity_class(f"Lambda{lam}")(),
        _normalization(normalization, parameter),
    )


def _dfr(
    model: str = "G", after_effect: str = "L", normalization: str = "H2", parameter: float | None = None
) -> Any:
    java_model = {"IN": "In", "INE": "Ine"}.get(model, model)
    return _similarity_class("DFRSimilarity")(
        _similarity_class(f"BasicModel{java_model}")(),
        _similarity_class(f"AfterEffect{after_effect}")(),
        _normalization(normalization, parameter),
    )


_BUILDERS: dict[str, Callable[..., Any]] = {
    "tfidf": _tfidf,
    "bm25": _bm25,
    "ib": _ib,
    "dfr": _dfr,
    "lmd": _lmd,
    "lmj": _lmj,
}


class LuceneIndex:
    """Documents in memory, in one segment, numbered from 0 in the order in which they were given.

    Every similarity stores the same one-byte length, so one index serves all of them.
    """

    def __init__(self, documents: Iterable[Mapping[str, Sequence[str]]]) -> None:
        self._directory = java()("org.apache.lucene.store.ByteBuffersDirectory")()
        self._write(documents)
        reader = java()("org.apache.lucene.index.DirectoryReader").open(self._directory)
        self._searcher = java()("org.apache.lucene.search.IndexSearcher")(reader)

    def search(self, clauses: Sequence[Clause], similarity: Any, k: int) -> list[Hit]:
        """The `k` best documents for any of the (field, term, boost); equal scores by document number."""
        every_hit_counts = 2**31 - 1
        collector = java()("org.apache.lucene.search.TopScoreDocCollector").create(k, every_hit_counts)
        self._searcher.setSimilarity(similarity)
        self._searcher.search(_disjunction(clauses), collector)
        return [(int(hit.doc), float(hit.score)) for hit in collector.topDocs().scoreDocs]

    def explain(self, doc: int, clauses: Sequence[Clause], similarity: Any) -> str:
        """Lucene's own account of how a document's score comes about."""
        self._searcher.setSimilarity(similarity)
        return str(self._searcher.explain(_disjunction(clauses), doc))

    def _write(self, documents: Iterable[Mapping[str, Sequence[str]]]) -> None:
        config = java()("org.apache.lucene.index.IndexWriterConfig")()
        # The default policy may merge segments that are not neighbours and so renumber the documents.
        config.setMergePolicy(java()("org.apache.lucene.index.LogDocMergePolicy")())
        writer = java()("org.apache.lucene.index.IndexWriter")(self._directory, config)
        for document in documents:
            writer.addDocument(_java_document(document))
        writer.forceMerge(1)
        writer.close()


def _java_document(document: Mapping[str, Sequence[str]]) -> Any:
    java_document = java()("org.apache.lucene.document.Document")()
    for field, tokens in document.items():
        if tokens:
            stream = java()("org.apache.lucene.analysis.core.WhitespaceTokenizer")(LONGEST_TOKEN)
            stream.setReader(java()("java.io.StringReader")(" ".join(tokens)))
            java_document.add(java()("org.apache.lucene.document.Field")(field, stream, _field_type()))
    return java_document


@cache
def _field_type() -> Any:
    field_type = java()("org.apache.lucene.document.FieldType")()
    field_type.setIndexOptions(java()("org.apache.lucene.index.IndexOptions").DOCS_AND_FREQS)
    field_type.freeze()
    return field_type


def _disjunction(clauses: Sequence[Clause]) -> Any:
    query = java()("org.apache.lucene.search.BooleanQuery$Builder")()
    should = java()("org.apache.lucene.search.BooleanClause$Occur").SHOULD
    for field, term, boost in clauses:
        term_query = java()("org.apache.lucene.search.TermQuery")(
            java()("org.apache.lucene.index.Term")(field, term)
        )
        query.add(java()("org.apache.lucene.search.BoostQuery")(term_query, boost), should)
    return query.build()
