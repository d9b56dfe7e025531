"""Benchmarks: questions with marks (retrieval) or labelled lists (re-ranking), read from a set's folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from askagain.errors import BenchmarkError
from askagain.evaluation.metrics import LEI_METRICS, RETRIEVAL_METRICS, SEMEVAL_METRICS, Metric
from askagain.question import Mark, Question
from askagain.sources import askubuntu, semeval
from askagain.sources.jsonl import JsonlSource
from askagain.sources.lists import CandidateList
from askagain.sources.pairs import PairsSource
from askagain.sources.rows import all_or_error

Fields = tuple[str, ...]
Protocol = Literal["semeval", "lei"]

TITLE_ONLY: Fields = ("title",)
TITLE_AND_BODY: Fields = ("title", "body")
UNDIVIDED = "all"
LEI_CORPUS = "text_tokenized.txt.gz"

_QUESTIONS = "questions.jsonl"
_SEMEVAL_SPLITS = ("train", "dev", "test2016", "test2017")
_LEI_SPLITS = ("dev", "test")


@dataclass(frozen=True)
class RetrievalBenchmark:
    """Find the questions in `relevant` for each of its queries, among all questions but the query itself."""

    name: str
    split: str
    fields: Fields
    questions: tuple[Question, ...]
    relevant: dict[str, frozenset[str]]

    metrics = RETRIEVAL_METRICS
    labelled = True

    @cached_property
    def by_id(self) -> dict[str, Question]:
        """Every question by its id."""
        return {question.id: question for question in self.questions}

    @cached_property
    def queries(self) -> tuple[Question, ...]:
        """Every question of the split's pairs, in the order of the pairs."""
        return tuple(self.by_id[id_] for id_ in self.relevant)

    @cached_property
    def data_hash(self) -> str:
        """SHA-256 of the benchmark's content: equal for equal questions and marks, wherever they lie."""
        marks = ([id_, *sorted(others)] for id_, others in sorted(self.relevant.items()))
        return _sha256([*map(_content, self.questions), *marks])


@dataclass(frozen=True)
class RerankingBenchmark:
    """Order each list so that its relevant candidates come first.

    `collection` holds the questions that the candidates were taken from, where they are known.
    """

    name: str
    split: str
    fields: Fields
    protocol: Protocol
    lists: tuple[CandidateList, ...]
    collection: tuple[Question, ...] = ()

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The figures that the protocol reports."""
        return SEMEVAL_METRICS if self.protocol == "semeval" else LEI_METRICS

    @cached_property
    def labelled(self) -> bool:
        """Whether every candidate has a label; without them a run can be written but not judged."""
        return all(entry.relevant is not None for list_ in self.lists for entry in list_.candidates)

    @cached_property
    def by_id(self) -> dict[str, Question]:
        """Every candidate by its id."""
        return {entry.question.id: entry.question for list_ in self.lists for entry in list_.candidates}

    def counts(self, list_: CandidateList) -> bool:
        """Whether a list enters the averages: Lei et al. leave out those without a relevant candidate."""
        return self.protocol == "semeval" or any(entry.relevant for entry in list_.candidates)

    @cached_property
    def queries(self) -> tuple[Question, ...]:
        """The queries of the lists that enter the averages; of all lists where the labels are withheld."""
        return tuple(list_.query for list_ in self.lists if not self.labelled or self.counts(list_))

    @cached_property
    def data_hash(self) -> str:
        """SHA-256 of the benchmark's content: equal for equal lists and labels, wherever they lie."""
        return _sha256(
            [
                [
                    _content(list_.query),
                    *([*_content(c.question), c.rank, c.relevant] for c in list_.candidates),
                ]
                for list_ in self.lists
            ]
        )


Benchmark = RetrievalBenchmark | RerankingBenchmark


def available_splits(folder: Path) -> dict[str, Path]:
    """The splits that a set's folder offers, with the file that holds each one's marks or lists."""
    if _questions_file(folder).is_file():
        divided = {
            path.name.split(".", 1)[1].removesuffix(".tsv"): path
            for path in sorted(folder.glob("duplicates.*.tsv"))
        }
        found = divided or {UNDIVIDED: folder / "duplicates.tsv"}
    else:
        found = {split: folder / f"{split}.jsonl.gz" for split in _SEMEVAL_SPLITS}
        if not any(path.is_file() for path in found.values()):
            found = {split: folder / f"{split}.txt" for split in _LEI_SPLITS}
    splits = {split: path for split, path in found.items() if path.is_file()}
    if not splits:
        raise BenchmarkError(
            f"{folder}: not a question set; expected {_QUESTIONS} or {_QUESTIONS}.gz with duplicates.tsv or "
            "duplicates.SPLIT.tsv, SemEval lists (dev.jsonl.gz, …) or AskUbuntu lists (dev.txt, test.txt)"
        )
    return splits


def _questions_file(folder: Path) -> Path:
    packed = folder / f"{_QUESTIONS}.gz"
    return packed if packed.is_file() else folder / _QUESTIONS


def load(folder: Path, split: str, fields: Fields = TITLE_AND_BODY) -> Benchmark:
    """The benchmark of one split; what kind of set it is shows in the folder's file names.

    Questions keep their id and the named fields, nothing else, so no system sees more than the report says.
    """
    if fields not in (TITLE_ONLY, TITLE_AND_BODY):
        raise BenchmarkError(f"fields {','.join(fields)!r} do not exist; use title or title,body")
    splits = available_splits(folder)
    if split not in splits:
        raise BenchmarkError(f"{folder}: no split {split!r}; available: {', '.join(splits)}")
    name, path = folder.resolve().name, splits[split]
    if path.suffix == ".tsv":
        return _load_retrieval(name, split, fields, _questions_file(folder), path)
    return _load_lists(name, split, fields, "lei" if path.suffix == ".txt" else "semeval", path)


def _load_retrieval(
    name: str, split: str, fields: Fields, questions_path: Path, pairs_path: Path
) -> RetrievalBenchmark:
    questions = _read_questions(questions_path, fields)
    relevant: dict[str, set[str]] = {}
    for first, second in _read_pairs(pairs_path, questions):
        relevant.setdefault(first, set()).add(second)
        relevant.setdefault(second, set()).add(first)
    if not relevant:
        raise BenchmarkError(f"{pairs_path}: no duplicate pairs, so there is nothing to evaluate")
    frozen = {query: frozenset(others) for query, others in relevant.items()}
    return RetrievalBenchmark(name, split, fields, tuple(questions.values()), frozen)


def _read_questions(path: Path, fields: Fields) -> dict[str, Question]:
    questions: dict[str, Question] = {}
    for record in all_or_error(JsonlSource().records(path)):
        if isinstance(record, Question):
            if record.id in questions:
                raise BenchmarkError(f"{path}: two questions have the id {record.id!r}")
            questions[record.id] = _only(fields, record)
    return questions


def _read_pairs(path: Path, questions: Container[str]) -> Iterator[tuple[str, str]]:
    for record in all_or_error(PairsSource().records(path)):
        if isinstance(record, Mark):
            for id_ in (record.first, record.second):
                if id_ not in questions:
                    raise BenchmarkError(f"{path}: question {id_[:80]!r} is not in {_QUESTIONS}")
            yield record.first, record.second


def _load_lists(name: str, split: str, fields: Fields, protocol: Protocol, path: Path) -> RerankingBenchmark:
    lists = semeval.read_jsonl_lists(path) if protocol == "semeval" else _read_lei_lists(path)
    narrowed = tuple(_list_with_only(fields, list_) for list_ in lists)
    benchmark = RerankingBenchmark(name, split, fields, protocol, narrowed)
    if not benchmark.queries:
        raise BenchmarkError(f"{path}: no list enters the averages, so there is nothing to evaluate")
    return benchmark


def _read_lei_lists(path: Path) -> list[CandidateList]:
    """The lists, with texts if the corpus lies beside them; without it they still have ids and labels."""
    lists = askubuntu.read_lists(path)
    corpus = path.with_name(LEI_CORPUS)
    if not corpus.is_file():
        return lists
    wanted = {entry.question.id for list_ in lists for entry in list_.candidates}
    wanted.update(list_.query.id for list_ in lists)
    records = askubuntu.AskubuntuSource().records(corpus)
    texts = {record.id: record for record in records if isinstance(record, Question) and record.id in wanted}
    return askubuntu.read_lists(path, texts)


def _list_with_only(fields: Fields, list_: CandidateList) -> CandidateList:
    candidates = tuple(replace(c, question=_only(fields, c.question)) for c in list_.candidates)
    return CandidateList(_only(fields, list_.query), candidates)


def _only(fields: Fields, question: Question) -> Question:
    return Question(question.title, question.body if "body" in fields else "", question.id)


def _content(question: Question) -> list[str]:
    return [question.id, question.title, question.body]


def _sha256(rows: Iterable[object]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(json.dumps(row, ensure_ascii=True).encode() + b"\n")
    return digest.hexdigest()
