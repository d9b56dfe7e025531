"""SemEval-2016/2017 Task 3: original questions with the related ones that a search engine gave for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from askagain.question import Mark, Question, Verdict
from askagain.sources.base import Progress, Record, no_progress
from askagain.sources.fields import checked_mark, checked_question
from askagain.sources.files import read_head, text_lines
from askagain.sources.lists import Candidate, CandidateList
from askagain.sources.rows import all_or_error, convert_rows
from askagain.sources.semeval_pairs import Pair, pairs_of_line, pairs_of_piece, xml_pieces

_XML_ELEMENT = re.compile(rb"\s*<(?:.*<)?OrgQuestion[\s>]", re.DOTALL)
_JSON_ROW = re.compile(rb'\s*\{[^\n]*"orgq_id"')


class SemevalSource:
    """The official XML files, and the same data as JSON Lines."""

    name = "semeval"

    def recognises(self, path: Path, head: bytes) -> bool:
        """The element `<OrgQuestion>`, or JSON with its `orgq_id`."""
        return _XML_ELEMENT.match(head) is not None or _JSON_ROW.match(head) is not None

    def records(self, path: Path, progress: Progress = no_progress) -> Iterator[Record]:
        """Each original and related question once, and a mark for every label."""
        seen: set[str] = set()
        if _JSON_ROW.match(read_head(path)):
            lines = text_lines(path, progress)
            return convert_rows(lines, path, lambda line: _records_of(pairs_of_line(line), seen))
        pieces = xml_pieces(path, progress)
        return convert_rows(pieces, path, lambda piece: _records_of(pairs_of_piece(piece), seen))


def read_lists(path: Path) -> list[CandidateList]:
    """The candidate lists of an official XML file, in the file's order."""
    return _lists(all_or_error(convert_rows(xml_pieces(path), path, pairs_of_piece)))


def read_jsonl_lists(path: Path) -> list[CandidateList]:
    """The candidate lists of a JSON Lines file with one pair per line, in the file's order."""
    return _lists(all_or_error(convert_rows(text_lines(path), path, pairs_of_line)))


def _lists(pairs: Iterable[Pair]) -> list[CandidateList]:
    queries: dict[str, Question] = {}
    candidates: dict[str, list[Candidate]] = {}
    for pair in pairs:
        queries.setdefault(pair.original.id, pair.original)
        entry = Candidate(pair.related, rank=pair.rank, relevant=pair.relevant)
        candidates.setdefault(pair.original.id, []).append(entry)
    return [CandidateList(query, tuple(candidates[id])) for id, query in queries.items()]


def _records_of(pairs: Iterable[Pair], seen: set[str]) -> Iterator[Question | Mark]:
    for pair in pairs:
        for question in (pair.original, pair.related):
            if question.id not in seen:
                yield checked_question(question)
                seen.add(question.id)
        if pair.relevant is not None:
            verdict = Verdict.DUPLICATE if pair.relevant else Verdict.NOT_DUPLICATE
            yield checked_mark(Mark(pair.original.id, pair.related.id, verdict))
