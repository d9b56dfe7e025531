"""Clients of a cluster's service: some search, one writes, and all note what they were told."""

from __future__ import annotations

import argparse
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import httpx

from askagain.cluster.log import Delete
from askagain.question import Question
from cluster_equality import Edit, Ranking

TOP = 10
SECONDS_TO_WAIT = 30.0
SECONDS_BETWEEN_TRIES = 0.1
SECONDS_TO_ACKNOWLEDGE = 300.0


@dataclass(frozen=True)
class Answer:
    """What became of one search; the status is 0 if there was no answer."""

    title: str
    status: int
    partial: bool
    position: int
    ranking: Ranking
    began: float
    seconds: float

    @property
    def whole(self) -> bool:
        """Whether all shards have answered."""
        return self.status == 200 and not self.partial


class Clients:
    """Searches by several clients, each at a steady pace, and writes by one, until the block ends."""

    def __init__(
        self, url: str, key: str, titles: Sequence[str], edits: Sequence[Edit], options: argparse.Namespace
    ) -> None:
        self._url = url
        self._key = key
        self._titles = titles
        self._edits = edits
        self._options = options
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._search, args=(n,)) for n in range(options.clients)]
        self._threads.append(threading.Thread(target=self._write))
        self.answers: list[Answer] = []
        self.acknowledged: list[Edit] = []
        self.refused = 0

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _search(self, number: int) -> None:
        chance = random.Random(number)
        with httpx.Client(base_url=self._url, timeout=SECONDS_TO_WAIT) as client:
            while not self._ended.wait(1 / self._options.searches_per_second):
                self.answers.append(searched(client, chance.choice(self._titles)))

    def _write(self) -> None:
        headers = {"Authorization": f"Bearer {self._key}"}
        with httpx.Client(base_url=self._url, headers=headers, timeout=SECONDS_TO_WAIT) as client:
            for edit in self._edits:
                if self._ended.wait(1 / self._options.writes_per_second):
                    return
                self._write_until_acknowledged(client, edit)

    def _write_until_acknowledged(self, client: httpx.Client, edit: Edit) -> None:
        """What was not acknowledged may have happened or not; sent again it is the same, once."""
        last = time.monotonic() + SECONDS_TO_ACKNOWLEDGE
        while not written(client, edit):
            self.refused += 1
            if time.monotonic() > last:
                raise SystemExit(f"{edit} was never acknowledged")
            time.sleep(SECONDS_BETWEEN_TRIES)
        self.acknowledged.append(edit)


def searched(client: httpx.Client, title: str) -> Answer:
    asked = {"title": title, "k": TOP, "min_probability": 0.0, "explain": False}
    began = time.monotonic()
    try:
        reply = client.post("/v1/similar", json=asked)
    except httpx.HTTPError:
        return Answer(title, 0, False, 0, [], began, time.monotonic() - began)
    seconds = time.monotonic() - began
    if reply.status_code != 200:
        return Answer(title, reply.status_code, False, 0, [], began, seconds)
    told = reply.json()
    ranking: Ranking = [(match["id"], match["score"], match["probability"]) for match in told["matches"]]
    return Answer(title, 200, told["partial"], told["sequence"], ranking, began, seconds)


def written(client: httpx.Client, edit: Edit) -> bool:
    """Whether a write was acknowledged."""
    try:
        if isinstance(edit, Delete):
            return client.delete(f"/v1/questions/{edit.id}").status_code == 204
        reply = client.put(f"/v1/questions/{edit.id}", json=texts(edit))
    except httpx.HTTPError:
        return False
    return reply.status_code in (200, 201)


def kept(client: httpx.Client, edit: Edit) -> bool:
    """Whether a question is there as it was written, or not there if it was deleted."""
    reply = client.get(f"/v1/questions/{edit.id}")
    if isinstance(edit, Delete):
        return reply.status_code == 404
    return reply.status_code == 200 and texts(edit).items() <= reply.json().items()


def texts(question: Question) -> dict[str, object]:
    return {"title": question.title, "body": question.body, "tags": list(question.tags)}
