"""Small benchmarks, written out so that their figures can be worked out by hand."""

import gzip
import json
from pathlib import Path

import pytest
from fixed_ranker import MakeLists

from askagain.evaluation.benchmarks import Protocol, RerankingBenchmark, RetrievalBenchmark
from askagain.question import Question
from askagain.sources.lists import Candidate, CandidateList


@pytest.fixture
def retrieval() -> RetrievalBenchmark:
    """Six questions; a, b and c are duplicates of each other, and d and e."""
    questions = tuple(Question(f"Title of {id_}", id=id_) for id_ in "abcdef")
    relevant = {"a": "bc", "b": "ac", "c": "ab", "d": "e", "e": "d"}
    return RetrievalBenchmark(
        "letters", "test", ("title",), questions, {id_: frozenset(ids) for id_, ids in relevant.items()}
    )


@pytest.fixture
def make_lists() -> MakeLists:
    """Makes a re-ranking benchmark from one word of labels per query: `+` relevant, `-` not, `?` withheld."""

    def make(*labels: str, protocol: Protocol = "semeval") -> RerankingBenchmark:
        lists = []
        for number, word in enumerate(labels, start=1):
            candidates = tuple(
                Candidate(
                    Question(f"Candidate {number}.{rank}", id=f"Q{number}_R{rank}"),
                    rank,
                    {"+": True, "-": False, "?": None}[label],
                )
                for rank, label in enumerate(word, start=1)
            )
            lists.append(CandidateList(Question(f"Query {number}", id=f"Q{number}"), candidates))
        return RerankingBenchmark("tiny", "dev", ("title",), protocol, tuple(lists))

    return make


@pytest.fixture
def set_folder(tmp_path: Path) -> Path:
    """A retrieval set on disk with the splits dev and test."""
    rows = [{"id": id_, "title": f"Title of {id_}", "body": f"body {id_}", "tags": ["t"]} for id_ in "abcdef"]
    with gzip.open(tmp_path / "questions.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "duplicates.test.tsv").write_text("a\tb\nc\ta\n")
    (tmp_path / "duplicates.dev.tsv").write_text("d\te\n")
    return tmp_path
