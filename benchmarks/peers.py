"""The search engines that the speed benchmarks compare with: BM25 over one field, in one thread.

Every peer gets the same tokens and is used the way that its authors recommend for speed. `search_many` is its
fastest road for a batch. Just-in-time compilers are warmed up before anything is timed, except Java's, which
needs some thousand queries: run a batch once before the one that counts.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lucene import JARS, java, lucene_available

K1, B = 1.2, 0.75
NO_TOKEN = " "  # tokens have no white space, so this one is in no vocabulary; bm25s refuses an empty query
Tokens = Sequence[str]


class Peer(ABC):
    """A search engine over token lists; documents are numbered from 0 in the order of the input."""

    name: str
    build_seconds = 0.0

    @staticmethod
    @abstractmethod
    def missing() -> str | None:
        """What to install before this peer can be used; None if nothing is missing."""

    @abstractmethod
    def build(self, documents: list[list[str]]) -> None:
        """Indexes the documents; `build_seconds` says how long that took, start-up and compilation aside."""

    def search(self, query_tokens: Tokens, k: int) -> list[int]:
        """The numbers of at most `k` documents that share a token with the query, best first."""
        return self.search_many([query_tokens], k)[0]

    @abstractmethod
    def search_many(self, queries: Sequence[Tokens], k: int) -> list[list[int]]:
        """The result of `search` for every query."""

    @abstractmethod
    def memory_bytes(self) -> int:
        """The size of the index, as well as it can be known."""


class Bm25s(Peer):
    """bm25s with its numba backend: all scores computed at indexing time, summed at query time."""

    name = "bm25s"

    @staticmethod
    def missing() -> str | None:
        """What to install before this peer can be used; None if nothing is missing."""
        return None if importlib.util.find_spec("bm25s") else "pip install bm25s"

    def build(self, documents: list[list[str]]) -> None:
        """Indexes the documents after a tiny index that makes numba compile what it needs."""
        import bm25s

        self._bm25 = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numba")
        self._bm25.index([["warm"], ["up"]], show_progress=False)
        self.search(["warm"], k=1)
        start = time.perf_counter()
        self._bm25.index(documents, show_progress=False)
        self.build_seconds = time.perf_counter() - start

    def search_many(self, queries: Sequence[Tokens], k: int) -> list[list[int]]:
        """One compiled loop over all queries; the zero scores with which bm25s fills up are left out."""
        found = self._bm25.retrieve(
            [list(query) or [NO_TOKEN] for query in queries],
            k=min(k, self._bm25.scores["num_docs"]),
            show_progress=False,
            n_threads=1,
        )
        hits = (found.scores > 0).sum(axis=1).tolist()
        return [row[:count] for row, count in zip(found.documents.tolist(), hits, strict=True)]

    def memory_bytes(self) -> int:
        """The score arrays and the vocabulary's dictionary with its strings."""
        arrays = sum(value.nbytes for value in self._bm25.scores.values() if isinstance(value, np.ndarray))
        vocabulary = self._bm25.vocab_dict
        return arrays + sys.getsizeof(vocabulary) + sum(map(sys.getsizeof, vocabulary))


class Tantivy(Peer):
    """tantivy, Lucene's younger relative in Rust: a block-max index in files that are mapped into memory."""

    name = "tantivy"
    HEAP = 1_000_000_000

    @staticmethod
    def missing() -> str | None:
        """What to install before this peer can be used; None if nothing is missing."""
        return None if importlib.util.find_spec("tantivy") else "pip install tantivy"

    def build(self, documents: list[list[str]]) -> None:
        """Indexes the documents with one thread and memory enough for a single segment in most cases."""
        import tantivy

        self._query, self._should = tantivy.Query, tantivy.Occur.Should
        self._folder = tempfile.TemporaryDirectory()
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("number", fast=True)
        builder.add_text_field("text", tokenizer_name="whitespace", index_option="freq")
        self._schema = builder.build()
        index = tantivy.Index(self._schema, path=self._folder.name)
        start = time.perf_counter()
        writer = index.writer(heap_size=self.HEAP, num_threads=1)
        for number, tokens in enumerate(documents):
            writer.add_document(tantivy.Document(number=number, text=" ".join(tokens)))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self.build_seconds = time.perf_counter() - start
        self._searcher: Any = index.searcher()
        self._numbers = self._numbers_by_address()

    def search_many(self, queries: Sequence[Tokens], k: int) -> list[list[int]]:
        """One query after the other: tantivy's Python interface has no batches."""
        return [self.search(query, k) for query in queries]

    def search(self, query_tokens: Tokens, k: int) -> list[int]:
        """A disjunction of term queries; no query parser, so no token is taken for syntax."""
        terms = [
            (self._should, self._query.term_query(self._schema, "text", token, "freq"))
            for token in query_tokens
        ]
        hits = self._searcher.search(self._query.boolean_query(terms), limit=k, count=False).hits
        return [self._numbers[address.segment_ord, address.doc] for _, address in hits]

    def memory_bytes(self) -> int:
        """The size of the index folder."""
        return _folder_bytes(self._folder.name)

    def _numbers_by_address(self) -> dict[tuple[int, int], int]:
        """Where every document stands, so that a search need not look its number up in the index."""
        everything = self._searcher.search(self._query.all_query(), limit=max(1, self._searcher.num_docs))
        addresses = [address for _, address in everything.hits]
        numbers = self._searcher.fast_field_values("number", addresses)
        places = [(address.segment_ord, address.doc) for address in addresses]
        return dict(zip(places, map(int, numbers), strict=True))


class Lucene(Peer):
    """Lucene 8 with the loop over a batch in Java; only `search` pays for the way between the languages."""

    name = "lucene"

    @staticmethod
    def missing() -> str | None:
        """What to install before this peer can be used; None if nothing is missing."""
        if shutil.which("javac") is None:
            return "apt-get install openjdk-17-jdk-headless"
        return lucene_available()

    def build(self, documents: list[list[str]]) -> None:
        """Indexes the documents into one segment, in files that Lucene maps into memory."""
        compiled = _compiled_java()
        text = _lines(documents)
        self._folder = tempfile.TemporaryDirectory()
        start = time.perf_counter()
        self._peer = compiled(text, self._folder.name, K1, B)
        self.build_seconds = time.perf_counter() - start

    def search_many(self, queries: Sequence[Tokens], k: int) -> list[list[int]]:
        """Queries go over as one string, results come back as one array in which -1 ends a query's hits."""
        rows = np.asarray(self._peer.search(_lines(queries), k)).reshape(len(queries), k)
        hits = (rows >= 0).sum(axis=1).tolist()
        return [row[:count] for row, count in zip(rows.tolist(), hits, strict=True)]

    def memory_bytes(self) -> int:
        """The size of the index folder."""
        return _folder_bytes(self._folder.name)


def _folder_bytes(folder: str) -> int:
    return sum(file.stat().st_size for file in Path(folder).iterdir())


def _lines(token_lists: Sequence[Tokens]) -> str:
    return "\n".join(" ".join(tokens) for tokens in token_lists)


def _compiled_java() -> Any:
    find = java()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "LucenePeer.java")
        source.write_text(LUCENE_PEER, encoding="utf-8")
        jars = ":".join(str(jar) for jar in JARS.glob("lucene-*.jar"))
        subprocess.run(["javac", "-cp", jars, "-d", folder, str(source)], check=True)
        loader = find("java.net.URLClassLoader")([find("java.net.URL")(f"{source.parent.as_uri()}/")])
        return find(loader.loadClass("LucenePeer"))


LUCENE_PEER = """
import java.io.StringReader;
import java.nio.file.Paths;
import java.util.Arrays;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.*;

public final class LucenePeer {
    private final IndexSearcher searcher;

    public LucenePeer(String documents, String folder, float k1, float b) throws Exception {
        Directory directory = FSDirectory.open(Paths.get(folder));
        IndexWriterConfig config = new IndexWriterConfig()
            .setMergePolicy(new LogDocMergePolicy())
            .setMergeScheduler(new SerialMergeScheduler())
            .setRAMBufferSizeMB(256);
        FieldType type = new FieldType();
        type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            WhitespaceTokenizer tokenizer = new WhitespaceTokenizer(1 << 20);
            Document document = new Document();
            document.add(new Field("text", tokenizer, type));
            for (String text : documents.split("\\n", -1)) {
                tokenizer.setReader(new StringReader(text));
                writer.addDocument(document);
            }
            writer.forceMerge(1);
        }
        searcher = new IndexSearcher(DirectoryReader.open(directory));
        searcher.setSimilarity(new BM25Similarity(k1, b));
    }

    public int[] search(String queries, int k) throws Exception {
        String[] lines = queries.split("\\n", -1);
        int[] found = new int[lines.length * k];
        Arrays.fill(found, -1);
        for (int line = 0; line < lines.length; line++) {
            ScoreDoc[] hits = searcher.search(disjunction(lines[line]), k).scoreDocs;
            for (int rank = 0; rank < hits.length; rank++) found[line * k + rank] = hits[rank].doc;
        }
        return found;
    }

    private static Query disjunction(String line) {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        for (String token : line.split(" "))
            query.add(new TermQuery(new Term("text", token)), BooleanClause.Occur.SHOULD);
        return query.build();
    }
}
"""

PEERS: tuple[type[Peer], ...] = (Bm25s, Tantivy, Lucene)
