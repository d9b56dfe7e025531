"""Approximate search: close to exact, with exact scores, and as live."""

import logging
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from word_model import WordModel, use_small_chunks

from askagain.archive import Archive
from askagain.encoders.vectors import QuestionVectors
from askagain.errors import MissingExtraError
from askagain.neighbours import exact
from askagain.neighbours.approximate import ApproximateIndex
from askagain.neighbours.exact import Hits
from askagain.neighbours.rows import Rows, selected
from askagain.neighbours.view import VectorView, default_path
from askagain.question import Question
from support import require

try:
    import faiss  # noqa: F401
except ImportError:
    require(False, "faiss is missing: pip install 'askagain[neural]'")

COUNT, DIMENSION, COLUMNS = 20_000, 32, 300


def clustered(seed: int, count: int, sparse: int = 0) -> QuestionVectors:
    """Unit vectors around 200 centres, with so many sparse values each."""
    chance = np.random.default_rng(seed)
    centres = np.random.default_rng(0).normal(size=(200, DIMENSION))
    dense = centres[chance.integers(0, 200, count)] + 0.6 * chance.normal(size=(count, DIMENSION))
    dense /= np.linalg.norm(dense, axis=1, keepdims=True)
    columns = np.sort(chance.random((count, COLUMNS)).argsort(axis=1)[:, :sparse], axis=1)
    values = chance.random(count * sparse) / max(1, sparse)
    return QuestionVectors(
        dense.astype(np.float32),
        columns.reshape(-1).astype(np.int32),
        values.astype(np.float32),
        np.arange(count + 1, dtype=np.int64) * sparse,
    )


def recall(found: list[Hits], wanted: list[Hits]) -> float:
    shared = [np.intersect1d(a.numbers, b.numbers).size for a, b in zip(found, wanted, strict=True)]
    return sum(shared) / sum(hits.numbers.size for hits in wanted)


@pytest.fixture(scope="module", params=[0, 8], ids=["dense", "dense and sparse"])
def searched(request: pytest.FixtureRequest) -> tuple[Rows, ApproximateIndex, QuestionVectors]:
    """Many rows, their index, and queries."""
    rows = Rows(DIMENSION)
    rows.append(range(COUNT), clustered(1, COUNT, request.param))
    return rows, ApproximateIndex.build(rows), clustered(2, 100, request.param)


def columns_of(vectors: QuestionVectors) -> int:
    return COLUMNS if len(vectors.columns) else 0


def test_nearly_all_of_the_ten_nearest_are_found(
    searched: tuple[Rows, ApproximateIndex, QuestionVectors],
) -> None:
    rows, index, queries = searched
    columns = columns_of(queries)
    found = index.search(queries, 10, columns)
    wanted = exact.search(rows, queries, 10, columns)
    assert index.partition.probes < len(index.partition.centroids) / 4
    assert recall(found, wanted) >= 0.95


def test_scores_are_exact(searched: tuple[Rows, ApproximateIndex, QuestionVectors]) -> None:
    rows, index, queries = searched
    columns = columns_of(queries)
    [found] = index.search(queries.row(5), 10, columns)
    [wanted] = exact.search(rows, queries.row(5), COUNT, columns)
    scores = dict(zip(wanted.numbers.tolist(), wanted.scores.tolist(), strict=True))
    assert [scores[number] for number in found.numbers.tolist()] == found.scores.tolist()
    assert sorted(found.scores, reverse=True) == found.scores.tolist()


def test_more_than_the_usual_candidates_can_be_asked_for(
    searched: tuple[Rows, ApproximateIndex, QuestionVectors],
) -> None:
    _, index, queries = searched
    [found] = index.search(queries.row(0), 1000, columns_of(queries))
    assert len(set(found.numbers.tolist())) == 1000


def test_added_and_removed_rows_hold_at_once() -> None:
    rows, vectors = Rows(DIMENSION), clustered(1, 9000)
    rows.append(range(9000), vectors)
    index = ApproximateIndex.build(rows)
    queries = selected(vectors, np.arange(70, 90))
    gone = np.unique(np.concatenate([hits.numbers for hits in index.search(queries, 10, 0)]))
    rows.remove(gone.tolist())
    rows.append(range(50_000, 50_020), queries)
    after = index.search(queries, 10, 0)
    assert set(range(70, 90)) <= set(gone.tolist())
    assert [int(hits.numbers[0]) for hits in after] == list(range(50_000, 50_020))
    assert not np.isin(np.concatenate([hits.numbers for hits in after]), gone).any()
    assert recall(after, exact.search(rows, queries, 10, 0)) >= 0.95


def test_as_many_rows_as_asked_for_are_found_even_where_most_were_removed() -> None:
    rows, vectors = Rows(DIMENSION), clustered(1, 8192)
    rows.append(range(8192), vectors)
    index = ApproximateIndex.build(rows)
    [nearest] = index.search(vectors.row(77), 1000, 0)
    rows.remove(nearest.numbers.tolist())
    [found] = index.search(vectors.row(77), 10, 0)
    assert found.numbers.size == 10


def test_a_row_that_is_best_by_its_sparse_part_alone_is_found() -> None:
    rows = Rows(DIMENSION)
    vectors = clustered(1, 9000, 8)
    values = vectors.values.copy()
    values[8 * 123 : 8 * 124] = 100.0
    rows.append(range(9000), QuestionVectors(vectors.dense, vectors.columns, values, vectors.offsets))
    index = ApproximateIndex.build(rows)
    query = QuestionVectors(-vectors.dense[123:124], *sparse_part(vectors.row(123)))
    [found] = index.search(query, 1, COLUMNS)
    assert found.numbers.tolist() == [123]


def sparse_part(vectors: QuestionVectors) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return vectors.columns, vectors.values, vectors.offsets


def test_a_partition_is_outdated_when_more_than_a_tenth_of_the_rows_came_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_small_chunks(monkeypatch, 64)
    rows, vectors = Rows(DIMENSION), clustered(1, 1000)
    rows.append(range(640), selected(vectors, np.arange(640)))
    partition = ApproximateIndex.build(rows).partition
    rows.append(range(640, 704), selected(vectors, np.arange(640, 704)))
    assert not partition.is_outdated(rows)
    rows.append(range(704, 768), selected(vectors, np.arange(704, 768)))
    assert partition.is_outdated(rows)


# In a view


class Numbered(WordModel):
    """The vector of a question is the one whose number its title says."""

    def __init__(self) -> None:
        super().__init__(DIMENSION, 0)
        self.vectors = clustered(3, 9000)

    def encode(self, questions: Sequence[Question], progress: object = None) -> QuestionVectors:
        self.encoded += len(questions)
        return selected(self.vectors, np.array([int(question.title) for question in questions]))

    def as_queries(self, vectors: QuestionVectors) -> QuestionVectors:
        return vectors


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """An archive of so many questions that there is a full chunk."""
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many(Question(str(number), id=str(number)) for number in range(5000))
        yield archive


def found(live: VectorView, vector: int) -> list[str]:
    [hits] = live.search(live.model.vectors.row(vector), 5)
    questions = live.archive.by_numbers(hits.numbers.tolist())
    return [questions[number].title for number in hits.numbers.tolist()]


def lists_files(archive: Archive) -> list[Path]:
    return list(default_path(archive.path, Numbered()).glob("*.lists"))


def test_a_view_of_more_questions_than_are_searched_exactly_is_partitioned(archive: Archive) -> None:
    VectorView.open(archive, Numbered(), exact_up_to=5000)
    assert lists_files(archive) == []
    VectorView.open(archive, Numbered(), exact_up_to=4999)
    assert len(lists_files(archive)) == 1


def test_adds_edits_and_deletes_are_in_the_next_approximate_search(archive: Archive) -> None:
    live = VectorView.open(archive, Numbered(), method="approximate")
    assert found(live, 8000)[0] != "8000"
    archive.add(Question("8000", id="new"))
    assert found(live, 8000)[0] == "8000"
    archive.edit(Question("8001", id="3"))
    assert found(live, 8001)[0] == "8001"
    assert found(live, 3)[0] != "3"
    archive.delete("4")
    assert found(live, 4)[0] != "4"


def test_a_saved_partition_is_used_again(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    before = found(VectorView.open(archive, Numbered(), method="approximate"), 1234)
    monkeypatch.delattr("askagain.neighbours.approximate.make_partition")
    live = VectorView.open(archive, Numbered(), method="approximate")
    assert found(live, 1234) == before
    assert live.model.encoded == 0


def test_a_damaged_partition_is_made_anew_and_nothing_is_encoded(
    archive: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    before = found(VectorView.open(archive, Numbered(), method="approximate"), 1234)
    [file] = lists_files(archive)
    file.write_bytes(file.read_bytes()[:-1])
    live = VectorView.open(archive, Numbered(), method="approximate")
    assert found(live, 1234) == before
    assert live.model.encoded == 0
    [warning] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "partitioning the vectors anew" in warning.getMessage()


def test_random_changes_keep_an_approximate_view_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_small_chunks(monkeypatch, 128)
    chance = np.random.default_rng(7)
    with Archive.open(tmp_path / "forum.db") as archive:
        live = VectorView.open(archive, Numbered(), method="approximate")
        for _ in range(4):
            ids, titles = chance.integers(0, 900, 250), chance.integers(0, 9000, 250)
            archive.put_many(Question(str(t), id=str(i)) for i, t in zip(ids, titles, strict=True))
            for id in chance.integers(0, 900, 80).tolist():
                archive.delete(str(id))
            fresh = VectorView.open(archive, Numbered(), durable=False, method="exact")
            queries = clustered(int(chance.integers(100)), 50)
            assert recall(live.search(queries, 10), fresh.search(queries, 10)) >= 0.9
            live.close()
            live = VectorView.open(archive, Numbered(), method="approximate")


# Without faiss


def test_approximate_search_without_faiss_is_refused_with_the_remedy(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'askagain\[neural\]'"):
        VectorView.open(archive, Numbered(), method="approximate")


def test_a_large_archive_is_searched_exactly_without_faiss(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    live = VectorView.open(archive, Numbered(), exact_up_to=100)
    assert found(live, 77)[0] == "77"
    [warning] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "5000 questions are searched exactly" in warning.getMessage()
