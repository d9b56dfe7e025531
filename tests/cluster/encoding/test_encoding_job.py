"""Encoding on a real cluster: the same as in one process, whatever happens to workers."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from askagain import Archive, Question
from askagain.cluster.connecting import connected
from askagain.cluster.encoding import job
from askagain.cluster.encoding.folder import encoded_parts
from askagain.cluster.encoding.kinds import feature_encoding, vector_encoding
from askagain.cluster.encoding.models import encoding_system, load, received, sent
from askagain.encoders.folder import load_model
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.shipped import shipped_encoder
from askagain.errors import ClusterError, ModelError, SettingsError
from askagain.rerank.extraction import FeatureExtractor
from askagain.sample import forum
from askagain.sources.jsonl import dump_record
from askagain.training.data import from_archive

pytestmark = pytest.mark.usefixtures("ray_cluster")

encode = partial(job.encode, connect=partial(connected, None))


def refused() -> Any:
    raise AssertionError("nothing is left to do, and yet Ray is asked for")


def array(folder: Path, name: str) -> NDArray[Any]:
    return np.concatenate([arrays[name] for _, arrays in encoded_parts(folder)])


def ids(folder: Path) -> list[str]:
    return [row["id"] for rows, _ in encoded_parts(folder) for row in rows]


def shipped_vectors(questions: Sequence[Question]) -> NDArray[Any]:
    return shipped_encoder().encode(questions).dense


def times(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in (folder / "parts").glob("*.safetensors")}


def test_vectors_are_those_of_one_process(archive: Archive, tmp_path: Path) -> None:
    encoding = vector_encoding("shipped", None, [archive.path])

    report = encode(encoding, [archive.path], tmp_path / "out", rows_per_part=100)

    questions = list(archive.questions())
    assert ids(tmp_path / "out") == [question.id for question in questions]
    np.testing.assert_array_equal(array(tmp_path / "out", "dense"), shipped_vectors(questions))
    assert (report.rows, len(report.parts), report.made) == (357, 4, 4)


def test_what_is_there_is_not_made_again(archive: Archive, tmp_path: Path) -> None:
    encoding, out = vector_encoding("shipped", None, [archive.path]), tmp_path / "out"
    encode(encoding, [archive.path], out, rows_per_part=100)
    before = times(out)

    report = encode(encoding, [archive.path], out, rows_per_part=100, connect=refused)

    assert (report.rows, report.made) == (357, 0)
    assert times(out) == before


def test_after_changes_only_their_parts_are_made_again(archive: Archive, tmp_path: Path) -> None:
    encoding, out = vector_encoding("shipped", None, [archive.path]), tmp_path / "out"
    encode(encoding, [archive.path], out, rows_per_part=100)
    before = times(out)
    first = next(archive.questions())
    archive.edit(replace(first, title="Something else"))
    for number in archive.numbers([question.id for question in archive.questions()]).items():
        if number[1] > 300:
            archive.delete(number[0])

    report = encode(encoding, [archive.path], out, rows_per_part=100)

    after = times(out)
    assert {name for name in after if before[name] != after[name]} == {
        "forum.db-0000000001-0000000100.safetensors"
    }
    assert len(after) == report.rows / 100 == 3
    np.testing.assert_array_equal(array(out, "dense"), shipped_vectors(list(archive.questions())))


def test_bad_rows_are_written_down_with_file_and_line(tmp_path: Path) -> None:
    source = tmp_path / "q.jsonl"
    source.write_text('{"id": "a", "title": "One"}\n{"id": "b"}\n{"id": "c", "title": "Three"}\n')

    report = encode(vector_encoding("shipped", None, [source]), [source], tmp_path / "out", rows_per_part=2)

    assert ids(tmp_path / "out") == ["a", "c"]
    [line] = (tmp_path / "out" / "skipped.jsonl").read_text().splitlines()
    assert json.loads(line) == {"file": str(source), "line": 2, "reason": "question 'b' has no title"}
    assert report.skipped == 1


def test_a_node_that_is_killed_costs_nothing(ray_cluster: Any, tmp_path: Path) -> None:
    many = [
        replace(question, id=f"{question.id}-{copy}", title=f"{question.title} {copy}")
        for copy in range(10)
        for question in forum.questions()
    ]
    source = tmp_path / "many.jsonl"
    source.write_text("".join(dump_record(question) + "\n" for question in many))
    node = ray_cluster.add_node(num_cpus=2, object_store_memory=100_000_000)
    read = count()

    def kill_node_after_a_while(what: str, done: int, total: int) -> None:
        if next(read) == 6:
            ray_cluster.remove_node(node, allow_graceful=False)

    encode(
        vector_encoding("shipped", None, [source]), [source], tmp_path / "out",
        rows_per_part=100, progress=kill_node_after_a_while,
    )  # fmt: skip

    assert next(read) > 6
    assert ids(tmp_path / "out") == [question.id for question in many]
    np.testing.assert_array_equal(array(tmp_path / "out", "dense"), shipped_vectors(many))


def test_a_trained_model_with_sparse_vectors_is_sent_to_workers(archive: Archive, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from askagain.training.train import train

    small = {"training.epochs": 0, "parts.words.dimension": 8, "parts.hidden": 8}
    system = encoding_system("bow-cnn-small")
    assert isinstance(system, EncoderSystem)
    model = train(system.with_parameters(small), from_archive(archive, 0), tmp_path / "model")
    encoding = vector_encoding("bow-cnn-small", model, [archive.path])

    encode(encoding, [archive.path], tmp_path / "out", rows_per_part=200)

    alone = load_model(model).encode(list(archive.questions()))
    np.testing.assert_allclose(array(tmp_path / "out", "dense"), alone.dense, atol=1e-6)
    np.testing.assert_array_equal(array(tmp_path / "out", "columns"), alone.columns)
    np.testing.assert_allclose(array(tmp_path / "out", "values"), alone.values, atol=1e-6)
    sizes = np.concatenate([np.diff(arrays["offsets"]) for _, arrays in encoded_parts(tmp_path / "out")])
    np.testing.assert_array_equal(sizes, np.diff(alone.offsets))


def test_features_are_those_of_one_process(archive: Archive, tmp_path: Path) -> None:
    encoding = feature_encoding(["title.jaccard.words", "both.jaccard.words"])

    encode(encoding, [archive.path], tmp_path / "out", rows_per_part=100)

    extractor = FeatureExtractor(["title.jaccard.words", "both.jaccard.words"], {})
    pairs = [(archive.get(mark.first), archive.get(mark.second)) for mark in archive.marks()]
    alone = [extractor.matrix(first, [second]) for first, second in pairs if first and second]
    np.testing.assert_array_equal(array(tmp_path / "out", "features"), np.concatenate(alone))


def test_parts_that_fail_are_told_and_the_others_are_kept(archive: Archive, tmp_path: Path) -> None:
    encoding = vector_encoding("shipped", None, [archive.path])
    other = replace(encoding, shared=replace(encoding.shared, identity="another version"))

    with pytest.raises(ClusterError, match=r"4 of 4 parts have failed, the first one forum\.db-0.* another"):
        encode(other, [archive.path], tmp_path / "out", rows_per_part=100)


def test_two_sources_of_one_name_are_refused(tmp_path: Path) -> None:
    sources = [tmp_path / "a" / "q.jsonl", tmp_path / "b" / "q.jsonl"]
    encoding = vector_encoding("shipped", None, [])

    with pytest.raises(SettingsError, match=r"two sources are named q\.jsonl"):
        job.encode(encoding, sources, tmp_path / "out", rows_per_part=5, connect=nullcontext)


def test_a_system_without_vectors_of_its_own_is_refused() -> None:
    with pytest.raises(SettingsError, match="bm25 has no vectors of its own"):
        vector_encoding("bm25", None, [])


def test_a_trained_system_needs_its_model(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--model DIR"):
        vector_encoding("rcnn", None, [])
    with pytest.raises(ModelError, match="there is no model at"):
        vector_encoding("rcnn", tmp_path / "nowhere", [])


def test_a_worker_with_another_model_says_so() -> None:
    system = encoding_system("shipped")
    assert load(system, None).identity == shipped_encoder().identity

    with pytest.raises(ModelError, match="another shipped than the command has"):
        received(sent(system, None, "another version"))
