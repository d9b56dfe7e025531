"""A shard follows the log, whatever happens to its process, and answers at one position."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from clusters import FORUM

from askagain import Archive, Question
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.log import Delete, Entry, Put, Write
from askagain.cluster.placing import shard_of
from askagain.cluster.shard import Answer, Call, Shard
from askagain.errors import ClusterError
from askagain.lexical.index import Whole

FOLLOWER = Path(__file__).with_name("shard_follower.py")
HERE = [question for question in FORUM if shard_of(question.id, 3) == 0]
ELSEWHERE = next(question for question in FORUM if shard_of(question.id, 3) != 0)
NEW = next(f"new-{number}" for number in range(99) if shard_of(f"new-{number}", 3) == 0)


@pytest.fixture
def copy(cluster: ClusterFolder, tmp_path: Path) -> Path:
    return Path(shutil.copytree(cluster.current.snapshot.shard(0), tmp_path / "copy"))


@pytest.fixture
def shard(cluster: ClusterFolder, copy: Path) -> Iterator[Shard]:
    """Of three the first one."""
    with opened(cluster, copy) as shard:
        yield shard


def opened(cluster: ClusterFolder, copy: Path) -> Shard:
    return Shard.open(cluster.current, 0, copy, cluster.log)


def append(cluster: ClusterFolder, *writes: Write) -> int:
    position = cluster.log.end(0) + 1
    assert cluster.log.append(Entry(position, 100 + position, writes))
    return position


def asked(shard: Shard, position: int, method: str, *arguments: Any) -> Any:
    answer = shard.answer(position, [Call(method, arguments)])
    assert answer.position == position
    return answer.results[0]


def counted(parts: list[Whole]) -> dict[str, list[int]]:
    """The sum of counts, by term."""
    sums: dict[str, Any] = {"": 0}
    for part in parts:
        sums[""] = sums[""] + np.array([part.size, *part.questions, *part.totals])
        for place, term in enumerate(part.terms):
            row = np.concatenate([part.holding[:, place], part.occurrences[:, place]])
            sums[term] = sums.get(term, 0) + row
    return {term: row.tolist() for term, row in sums.items() if row.any()}


def statistics(shard: Shard, position: int) -> dict[str, list[int]]:
    [counts] = asked(shard, position, "statistics").values()
    return counted([counts])


def test_it_has_its_questions_with_the_numbers_of_the_archive(shard: Shard) -> None:
    numbers = asked(shard, 0, "numbers", [question.id for question in FORUM])

    assert numbers == {question.id: FORUM.index(question) + 1 for question in HERE}
    assert asked(shard, 0, "count") == len(HERE)


def test_it_takes_its_own_writes_over(cluster: ClusterFolder, shard: Shard) -> None:
    edited, gone = HERE[0], HERE[1]
    append(cluster, Put(31, Question(id=NEW, title="New")), Put(32, Question(id=edited.id, title="Edited")))
    end = append(cluster, Delete(gone.id), Put(33, Question(id=ELSEWHERE.id, title="Not here")))

    found = asked(shard, end, "by_ids", [NEW, edited.id, gone.id, ELSEWHERE.id])
    assert {id: question.title for id, question in found.items()} == {NEW: "New", edited.id: "Edited"}
    assert asked(shard, end, "numbers", [NEW, edited.id]) == {NEW: 31, edited.id: FORUM.index(edited) + 1}


def test_a_deleted_question_that_comes_back_has_its_old_number(cluster: ClusterFolder, shard: Shard) -> None:
    append(cluster, Delete(HERE[0].id))
    end = append(cluster, Put(77, HERE[0]))

    assert asked(shard, end, "numbers", [HERE[0].id]) == {HERE[0].id: FORUM.index(HERE[0]) + 1}


def test_writes_of_an_entry_happen_in_their_order(cluster: ClusterFolder, shard: Shard) -> None:
    one, two = (Put(number, Question(id=NEW, title=title)) for number, title in ((31, "one"), (32, "two")))
    end = append(cluster, one, Delete(NEW), two)

    assert asked(shard, end, "by_ids", [NEW])[NEW].title == "two"


def test_it_does_not_answer_at_a_position_that_it_has_left(cluster: ClusterFolder, shard: Shard) -> None:
    append(cluster, Delete(HERE[0].id))
    shard.advance(1)

    assert shard.answer(0, [Call("count")]) == Answer(1, ())


def test_a_position_that_the_log_has_not_is_an_error(shard: Shard) -> None:
    with pytest.raises(ClusterError, match="entry 1 of the log cannot be read"):
        shard.answer(1, [Call("count")])


def test_an_archive_that_is_no_shard_is_refused(cluster: ClusterFolder, tmp_path: Path) -> None:
    Archive.open(tmp_path / "archive.db").close()

    with pytest.raises(ClusterError, match="is not a shard of a cluster"):
        opened(cluster, tmp_path)


# Statistics


def test_changes_lead_from_old_statistics_to_new_ones(cluster: ClusterFolder, shard: Shard) -> None:
    [before] = asked(shard, 0, "statistics").values()
    append(cluster, Put(31, Question(id=NEW, title="Boot a toaster", body="toaster toaster")))
    append(cluster, Delete(HERE[0].id), Put(32, Question(id=HERE[1].id, title="Edited")))
    append(cluster, Put(33, ELSEWHERE))
    end = append(cluster, Put(34, Question(id=NEW, title="")), Delete(HERE[2].id), Put(35, HERE[0]))

    changes = asked(shard, end, "changes_since", 0)

    assert [change.position for change in changes] == [1, 2, 4]
    assert counted([before, *(next(iter(change.counts.values())) for change in changes)]) == statistics(
        shard, end
    )


def test_who_has_followed_is_told_only_what_is_new(cluster: ClusterFolder, shard: Shard) -> None:
    for question in HERE[:3]:
        append(cluster, Delete(question.id))

    assert [change.position for change in asked(shard, 3, "changes_since", 2)] == [3]
    assert asked(shard, 3, "changes_since", 3) == []


def test_what_was_before_it_began_it_does_not_know(cluster: ClusterFolder, copy: Path) -> None:
    append(cluster, Delete(HERE[0].id))
    with opened(cluster, copy) as before:
        before.advance(1)

    with opened(cluster, copy) as shard:
        assert asked(shard, 1, "changes_since", 0) is None
        assert asked(shard, 1, "changes_since", 1) == []


def test_it_says_when_it_does_not_remember(
    cluster: ClusterFolder, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askagain.cluster.shard._REMEMBERED_CHANGES", 3)
    for number in range(5):
        append(cluster, Put(31, Question(id=NEW, title=f"title {number}")))

    with opened(cluster, copy) as shard:
        assert asked(shard, 5, "changes_since", 1) is None
        assert len(asked(shard, 5, "changes_since", 2)) == 3


# Processes that are killed


@pytest.mark.parametrize("lines", [0, 1, 7, 20])
def test_it_goes_on_where_a_killed_process_has_stopped(
    cluster: ClusterFolder, copy: Path, tmp_path: Path, lines: int
) -> None:
    for number in range(1, 31):
        new = [Put(1000 * number + n, Question(id=f"{number}-{n}", title=f"Title {n}")) for n in range(9)]
        append(cluster, *new, *(Delete(f"{number - 1}-{n}") for n in range(3)))
    whole = Path(shutil.copytree(copy, tmp_path / "undisturbed"))

    process = _following(cluster, copy)
    assert process.stdout is not None
    reached = [process.stdout.readline() for _ in range(lines)]
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)

    with opened(cluster, copy) as shard, opened(cluster, whole) as undisturbed:
        assert shard.position >= int(reached[-1] if reached else 0)
        assert statistics(shard, 30) == statistics(undisturbed, 30)
        assert asked(shard, 30, "some", 0, 10_000) == asked(undisturbed, 30, "some", 0, 10_000)


def _following(cluster: ClusterFolder, copy: Path) -> subprocess.Popen[str]:
    command = [sys.executable, str(FOLLOWER), str(cluster.path), str(copy)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
