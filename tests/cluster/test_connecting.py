"""Work on the workers of a real cluster."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import on_workers
import pytest
from on_workers import divided, killed_once

from askagain.cluster.connecting import Failed, connected, results


@pytest.fixture(autouse=True)
def sent_to_workers(ray_cluster: Any) -> None:
    """Workers know askagain and not its tests."""
    import ray.cloudpickle

    ray.cloudpickle.register_pickle_by_value(on_workers)


def test_every_input_comes_back_with_its_result() -> None:
    assert dict(results(divided, 10, [1, 2, 5])) == {1: 10.0, 2: 5.0, 5: 2.0}


def test_what_fails_is_told_in_a_line_and_the_rest_goes_on() -> None:
    outcomes = dict(results(divided, 10, [-1, 0, 1]))

    assert outcomes[-1] == Failed("negative numbers are not learned from")
    assert outcomes[0] == Failed("ZeroDivisionError: division by zero")
    assert outcomes[1] == 10.0


def test_inputs_are_read_as_workers_get_free() -> None:
    read: list[int] = []

    def inputs() -> Iterator[int]:
        for number in range(1, 1001):
            read.append(number)
            yield number

    next(results(divided, 10, inputs()))

    assert len(read) < 20


def test_a_task_whose_worker_dies_is_done_again(tmp_path: Path) -> None:
    assert dict(results(killed_once, tmp_path, [1, 2])) == {1: 1, 2: 2}


def test_who_is_connected_already_stays_so() -> None:
    with connected(None):
        pass

    assert dict(results(divided, 10, [1])) == {1: 10.0}
