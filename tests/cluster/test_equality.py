"""The same rankings and scores on any number of shards as on one machine, whatever is written."""

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from clusters import make_archive, told

from askagain import Archive, Engine, Match, Question
from askagain.cluster.building import create_cluster
from askagain.cluster.desk import Desk
from askagain.cluster.gateway import Asked, ShardedEngine
from askagain.cluster.log import Delete
from askagain.cluster.near import NearShards
from askagain.systems import LEXICAL_SYSTEMS

SHARDS = (1, 2, 4, 7)
FEW_TERMS = """name = "few"
description = "Searches with the most telling words of a question only"
[similarity]
name = "bm25"
[fields]
title = 1.0
[analyzer]
[options]
most_terms = 3
"""


class Both:
    """One machine, and clusters with the same questions, which follow the same writes."""

    def __init__(self, alone: Engine, engines: list[ShardedEngine], desks: list[Desk]) -> None:
        self._alone = alone
        self._engines = engines
        self._desks = desks

    def write(self, writes: Sequence[Question | Delete]) -> None:
        for write in writes:
            if isinstance(write, Delete):
                self._alone.archive.delete(write.id)
            else:
                self._alone.archive.put(write)
        for desk in self._desks:
            desk.put_many(writes)

    def results(self, query: Question) -> tuple[list[Match], list[list[Match]]]:
        """Of the one machine, and of the clusters."""
        answers = [engine.search(Asked(query, 20)) for engine in self._engines]
        assert all(answer.missing == () for answer in answers)
        return self._alone.search(query, 20, explain="none"), [answer.matches for answer in answers]

    def results_of(self, system: str, query: Question) -> tuple[list[Match], list[list[Match]]]:
        """The same with another system that needs the same indexes."""
        engines = [self._alone, *(engine.engine for engine in self._engines)]
        alone, *many = (each.with_system(system).search(query, 20, explain="none") for each in engines)
        return alone, many


@contextmanager
def made(archive: Path, folder: Path, system: str) -> Iterator[Both]:
    """Clusters of 1, 2, 4 and 7 shards."""
    with ExitStack() as stack:
        engines, desks = [], []
        for shards in SHARDS:
            cluster = create_cluster(folder / f"{shards}.cluster", archive, shards, system=system)
            near = stack.enter_context(NearShards(cluster, cluster.current, folder / "copies"))
            engines.append(ShardedEngine(cluster, cluster.current, near))
            desks.append(Desk(cluster, cluster.current, near))
        yield Both(stack.enter_context(Engine.open(archive, system)), engines, desks)


class Random:
    """Random writes (puts, edits, deletes and revivals) and queries of real titles."""

    def __init__(self, titles: list[str], seed: int) -> None:
        self._chance = random.Random(seed)
        self._titles = titles

    def writes(self, many: int = 40) -> list[Question | Delete]:
        return [self._write() for _ in range(many)]

    def queries(self, many: int) -> list[Question]:
        some = [Question(title=title) for title in self._chance.sample(self._titles, many)]
        long = " ".join(question.title for question in some)
        return [*some, Question(title=some[0].title, body=long), Question(title=long)]

    def _write(self) -> Question | Delete:
        id = f"q/{self._chance.randrange(len(self._titles) // 2)}"
        if self._chance.random() < 0.4:
            return Delete(id)
        words = " ".join(self._chance.choice(self._titles) for _ in range(self._chance.randrange(3)))
        return Question(id=id, title=self._chance.choice(self._titles), body=words)


@pytest.fixture(scope="module")
def titles(data_dir: Path) -> list[str]:
    with gzip.open(data_dir / "askubuntu-titles" / "questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(next(lines))["title"] for _ in range(4000)]


def real_archive(path: Path, titles: list[str]) -> Path:
    """Some questions were deleted, so that numbers have gaps."""
    questions = [Question(id=f"q/{number}", title=title) for number, title in enumerate(titles)]
    with Archive.open(make_archive(path, questions)) as archive:
        for question in questions[::50]:
            archive.delete(question.id)
    return path


@pytest.fixture(scope="module")
def lexical(titles: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    folder = tmp_path_factory.mktemp("lexical")
    with made(real_archive(folder / "forum.db", titles[:2000]), folder, "bm25") as both:
        yield both


def test_bm25_is_equal_to_the_last_bit_after_all_writes(lexical: Both, titles: list[str]) -> None:
    chance = Random(titles, seed=1)
    for _ in range(5):
        for query in chance.queries(6):
            alone, many = lexical.results(query)
            assert [told(matches) for matches in many] == [told(alone)] * len(SHARDS), query
        lexical.write(chance.writes())


@pytest.mark.parametrize("system", LEXICAL_SYSTEMS)
def test_lexical_systems_are_equal_to_the_last_bit(lexical: Both, titles: list[str], system: str) -> None:
    chance = Random(titles, seed=LEXICAL_SYSTEMS.index(system))
    lexical.write(chance.writes(10))
    for query in chance.queries(25):
        alone, many = lexical.results_of(system, query)
        assert [told(matches) for matches in many] == [told(alone)] * len(SHARDS), query


def test_words_that_nobody_uses_any_more_do_not_count(tmp_path: Path) -> None:
    """They were telling when they were searched for; now they must not push others out of a query."""
    recipe = tmp_path / "few.toml"
    recipe.write_text(FEW_TERMS)
    words = ["boot", "format", "mount"]
    forum = [Question(id=f"{word}-{n}", title=f"{word} {word}{n}") for word in words for n in range(9)]
    rare = Question(id="rare", title="zebra quagga okapi")
    query = Question(title="zebra quagga okapi boot format mount")
    archive = make_archive(tmp_path / "forum.db", [*forum, rare])
    with made(archive, tmp_path, str(recipe)) as both:
        alone, many = both.results(query)
        assert [told(matches) for matches in many] == [told(alone)] * len(SHARDS)

        both.write([Delete("rare")])

        alone, many = both.results(query)
        assert [match.id for match in alone][:9] == [question.id for question in forum[:9]]
        assert [told(matches) for matches in many] == [told(alone)] * len(SHARDS)


def test_vectors_are_equal_after_all_writes(titles: list[str], tmp_path: Path) -> None:
    chance = Random(titles[:1000], seed=2)
    with made(real_archive(tmp_path / "forum.db", titles[:500]), tmp_path, "shipped") as both:
        for _ in range(2):
            for query in chance.queries(15):
                check_close(*both.results(query), tolerance=1e-6)
            both.write(chance.writes())


def check_close(alone: list[Match], many: list[list[Match]], tolerance: float) -> None:
    for matches in many:
        assert [match.id for match in matches] == [match.id for match in alone]
        assert [match.score for match in matches] == pytest.approx(
            [match.score for match in alone], abs=tolerance
        )
        assert [match.probability for match in matches] == pytest.approx(
            [match.probability for match in alone], abs=tolerance
        )


def test_the_default_system_is_equal_after_all_writes(titles: list[str], tmp_path: Path) -> None:
    chance = Random(titles[:600], seed=3)
    with made(real_archive(tmp_path / "forum.db", titles[:300]), tmp_path, "best") as both:
        for _ in range(2):
            for query in chance.queries(10):
                check_close(*both.results(query), tolerance=1e-9)
            both.write(chance.writes())
