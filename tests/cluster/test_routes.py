"""What a cluster's HTTP service answers."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from clusters import FORUM, LosingShards, make_archive
from fastapi import FastAPI
from starlette.testclient import TestClient

from askagain import Archive, Engine, Question
from askagain.archive.records import Scope
from askagain.cluster import routes
from askagain.cluster.keeping import ShardsKeeper
from askagain.cluster.layout import ClusterFolder, Generation
from askagain.cluster.placing import shard_of
from askagain.cluster.service import ClusterService
from askagain.service.app import blank, guarded
from askagain.service.routes import questions
from askagain.service.settings import ServiceSettings

TITLE = "Polishing krypton lamps"


@pytest.fixture
def reached() -> list[LosingShards]:
    """Of the engine, and of the desk."""
    return []


@pytest.fixture
def anybody(cluster: ClusterFolder, copies: Path, reached: list[LosingShards]) -> Iterator[TestClient]:
    """The whole application, on shards in this process."""
    settings = ServiceSettings(archive=str(cluster.keys))

    def reach(generation: Generation) -> LosingShards:
        reached.append(LosingShards(cluster, copies))
        return reached[-1]

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        with ClusterService(settings, cluster, reach) as service:
            app.state.service = service
            yield

    app = blank(settings, life, ShardsKeeper)
    for router in (routes.router, questions.router, routes.health):
        app.include_router(router)
    with TestClient(guarded(app)) as client:
        yield client


@pytest.fixture
def writer(anybody: TestClient, cluster: ClusterFolder) -> TestClient:
    with Archive.open(cluster.keys) as keys:
        anybody.headers["Authorization"] = f"Bearer {keys.add_key('writer', Scope.WRITE)}"
    return anybody


def ask(client: TestClient, title: str, **more: Any) -> Any:
    reply = client.post("/v1/similar", json={"title": title, **more})
    assert reply.status_code == 200, reply.text
    return reply.json()


def ids(client: TestClient, title: str) -> list[str]:
    return [match["id"] for match in ask(client, title)["matches"]]


# Searches


def test_a_search_finds_what_one_machine_finds(anybody: TestClient, tmp_path: Path) -> None:
    answer = ask(anybody, "How do I boot a phone?", k=7)

    with Engine.open(make_archive(tmp_path / "alone.db"), "bm25") as alone:
        expected = alone.search(Question(title="How do I boot a phone?"), 7)
    assert [(match["id"], match["score"]) for match in answer["matches"]] == [
        (match.id, match.score) for match in expected
    ]
    assert [match["reasons"]["line"] for match in answer["matches"]] == [
        match.explanation.line for match in expected if match.explanation
    ]


def test_an_answer_tells_where_it_comes_from(anybody: TestClient) -> None:
    answer = ask(anybody, "boot", explain=False)

    told = {name: answer[name] for name in ("system", "sequence", "partial", "missing", "generation")}
    assert told == {"system": "bm25", "sequence": 0, "partial": False, "missing": [], "generation": 1}
    assert answer["matches"][0]["reasons"] is None


def test_another_system_is_refused(anybody: TestClient) -> None:
    reply = anybody.post("/v1/similar", json={"title": "boot", "system": "lmd"})

    assert (reply.status_code, reply.json()["detail"]) == (422, "this cluster searches with bm25 only")
    assert ask(anybody, "boot", system="bm25")["matches"]


@pytest.mark.parametrize("title", ["", "\0", "\u200b", "\U0001f600", "<script>", "x" * 1000])
def test_any_text_can_be_searched_for(anybody: TestClient, title: str) -> None:
    assert ask(anybody, title)["partial"] is False


def test_a_lone_surrogate_is_refused_in_a_line(anybody: TestClient) -> None:
    reply = anybody.post(
        "/v1/similar", content=b'{"title": "\\ud800"}', headers={"Content-Type": "application/json"}
    )

    assert reply.status_code in (200, 400, 422)
    assert "Traceback" not in reply.text


def test_shards_that_are_missing_are_named(anybody: TestClient, reached: list[LosingShards]) -> None:
    for each in reached:
        each.away = {0, 2}

    answer = ask(anybody, "boot", k=50)

    assert (answer["partial"], answer["missing"]) == (True, ["shard-0000", "shard-0002"])
    assert {shard_of(match["id"], 3) for match in answer["matches"]} == {1}


def test_what_is_served_is_told(writer: TestClient) -> None:
    told = writer.get("/v1/about").json()
    del told["version"]

    assert told == {"name": "askagain", "system": "bm25", "generation": 1, "shards": 3, "questions": 30}


def test_the_process_tells_how_it_is(anybody: TestClient) -> None:
    assert anybody.get("/healthz").json() == {"status": "alive"}
    assert anybody.get("/readyz").json()["status"] == "ready"


# Keys


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/questions"),
        ("PUT", "/v1/questions/x"),
        ("DELETE", "/v1/questions/boot-0"),
        ("POST", "/v1/questions/bulk"),
    ],
)
@pytest.mark.parametrize("key", [None, "made-up"])
def test_writes_need_a_key(
    cluster: ClusterFolder, anybody: TestClient, method: str, path: str, key: str | None
) -> None:
    headers = {"Authorization": f"Bearer {key}"} if key else {}

    reply = anybody.request(method, path, json={"title": TITLE}, headers=headers)

    assert reply.status_code == 401
    assert cluster.log.end(0) == 0


def test_a_key_that_may_only_read_cannot_write(cluster: ClusterFolder, anybody: TestClient) -> None:
    with Archive.open(cluster.keys) as keys:
        key = keys.add_key("reader", Scope.READ)

    reply = anybody.put("/v1/questions/x", json={"title": TITLE}, headers={"Authorization": f"Bearer {key}"})

    assert reply.status_code == 403


# Single questions


def test_a_new_question_is_found_by_the_next_search(writer: TestClient) -> None:
    reply = writer.post("/v1/questions", json={"id": "lamp", "title": TITLE})

    assert reply.status_code == 201
    assert reply.json() == {"id": "lamp", "sequence": 1, "changed": True}
    assert reply.headers["location"] == "/v1/questions/lamp"
    assert ids(writer, TITLE) == ["lamp"]


def test_the_same_again_changes_nothing(writer: TestClient) -> None:
    question = {"id": "lamp", "title": TITLE, "tags": ["a"]}
    first, second = (writer.post("/v1/questions", json=question) for _ in range(2))

    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json() == {"id": "lamp", "sequence": 1, "changed": False}


def test_what_no_archive_keeps_does_not_make_it_another_question(writer: TestClient) -> None:
    question = {"id": "nul", "title": "Polishing\0 lamps"}
    first, second = (writer.post("/v1/questions", json=question) for _ in range(2))

    assert (first.status_code, second.status_code) == (201, 200)
    kept = writer.get("/v1/questions/nul").headers["etag"]
    assert first.headers["etag"] == second.headers["etag"] == kept


def test_an_id_that_another_question_has_is_refused(writer: TestClient) -> None:
    reply = writer.post("/v1/questions", json={"id": FORUM[0].id, "title": TITLE})

    assert reply.status_code == 409
    assert writer.get(f"/v1/questions/{FORUM[0].id}").json()["title"] == FORUM[0].title


def test_a_question_without_id_gets_one(writer: TestClient) -> None:
    made = writer.post("/v1/questions", json={"title": TITLE}).json()["id"]

    assert writer.get(f"/v1/questions/{made}").json()["title"] == TITLE


def test_an_edited_question_is_found_by_its_new_words(writer: TestClient) -> None:
    assert writer.put(f"/v1/questions/{FORUM[0].id}", json={"title": TITLE}).status_code == 200

    assert ids(writer, "krypton") == [FORUM[0].id]


def test_a_deleted_question_is_not_found(writer: TestClient) -> None:
    assert writer.delete("/v1/questions/boot-0").status_code == 204

    assert writer.get("/v1/questions/boot-0").status_code == 404
    assert "boot-0" not in ids(writer, FORUM[0].title)
    assert writer.delete("/v1/questions/boot-0").status_code == 204


@pytest.mark.parametrize("id", ["a/b", "/", "a//b/", "é", "100%", "a?b#c", "\u200b", "bulk/x"])
def test_ids_may_contain_anything(writer: TestClient, id: str) -> None:
    path = f"/v1/questions/{quote(id, safe='')}"

    reply = writer.put(path, json={"title": TITLE})

    assert reply.status_code == 201
    assert reply.headers["location"] == path
    assert writer.get(path).json()["id"] == id
    assert ids(writer, TITLE) == [id]
    assert writer.delete(path).status_code == 204


@pytest.mark.parametrize("id", ["%20", "%09", "a%1Fb", "%00", "x" * 513])
def test_an_id_that_no_question_can_have_is_refused(
    cluster: ClusterFolder, writer: TestClient, id: str
) -> None:
    assert writer.put(f"/v1/questions/{id}", json={"title": TITLE}).status_code == 422
    assert cluster.log.end(0) == 0


def test_a_huge_question_is_kept_whole(writer: TestClient) -> None:
    body = "word " * 20_000

    assert writer.put("/v1/questions/huge", json={"title": TITLE, "body": body}).status_code == 201
    assert writer.get("/v1/questions/huge").json()["body"] == body


# Conditions


def test_a_question_that_was_changed_since_is_not_written_over(writer: TestClient) -> None:
    path = f"/v1/questions/{FORUM[0].id}"
    tag = writer.get(path).headers["etag"]
    writer.put(path, json={"title": "Changed by somebody"})

    edited = writer.put(path, json={"title": TITLE}, headers={"If-Match": tag})
    deleted = writer.delete(path, headers={"If-Match": tag})

    assert (edited.status_code, deleted.status_code) == (412, 412)
    assert writer.get(path).json()["title"] == "Changed by somebody"


def test_a_question_that_was_not_changed_is_written(writer: TestClient) -> None:
    path = f"/v1/questions/{FORUM[0].id}"
    tag = writer.get(path).headers["etag"]

    edited = writer.put(path, json={"title": TITLE}, headers={"If-Match": tag})

    assert edited.status_code == 200
    assert writer.delete(path, headers={"If-Match": edited.headers["etag"]}).status_code == 204


def test_only_a_new_question_is_written_if_so_wanted(writer: TestClient) -> None:
    there = writer.put(f"/v1/questions/{FORUM[0].id}", json={"title": TITLE}, headers={"If-None-Match": "*"})
    new = writer.put("/v1/questions/new", json={"title": TITLE}, headers={"If-None-Match": "*"})

    assert (there.status_code, new.status_code) == (412, 201)


# Many


def bulk(client: TestClient, *lines: Any) -> Any:
    content = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    headers = {"Content-Type": "application/x-ndjson"}
    reply = client.post("/v1/questions/bulk", content=content.encode(), headers=headers)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_good_lines_are_kept_and_bad_ones_named(writer: TestClient) -> None:
    edited = {"id": FORUM[0].id, "title": "Edited"}
    same = {"id": FORUM[1].id, "title": FORUM[1].title, "body": FORUM[1].body}
    bad = ["not JSON", {"id": "\0", "title": "t"}, {"id": "x", "title": "  "}, {"title": "without id"}, [1]]

    told = bulk(writer, {"id": "a/b", "title": TITLE}, *bad, edited, same, {"delete": FORUM[2].id}, "")

    assert [each["line"] for each in told.pop("rejected")] == [2, 3, 4, 5, 6]
    assert told == {"added": 1, "changed": 1, "unchanged": 1, "deleted": 1, "sequence": 1}
    assert writer.get("/v1/about").json()["questions"] == 30


def test_more_lines_than_go_into_an_entry_are_all_kept(writer: TestClient, cluster: ClusterFolder) -> None:
    told = bulk(writer, *({"id": f"n{number}", "title": f"Lamp {number}"} for number in range(1200)))

    assert (told["added"], told["sequence"], cluster.log.end(0)) == (1200, 3, 3)
    assert writer.get("/v1/about").json()["questions"] == 1230


def test_nothing_to_write_tells_where_the_log_stands(writer: TestClient) -> None:
    writer.put("/v1/questions/new", json={"title": TITLE})

    assert bulk(writer, {"delete": "unknown"})["sequence"] == 1
    assert bulk(writer, "")["sequence"] == 1


# Shards that are away


def test_what_cannot_be_reached_is_answered_with_try_again(
    cluster: ClusterFolder, writer: TestClient, reached: list[LosingShards]
) -> None:
    for each in reached:
        each.away = {0, 1, 2}

    replies = [
        writer.get("/v1/about"),
        writer.get("/v1/questions/boot-0"),
        writer.put("/v1/questions/new", json={"title": TITLE}),
        writer.delete("/v1/questions/boot-0"),
    ]

    assert [reply.status_code for reply in replies] == [503] * 4
    assert all(reply.headers["retry-after"] for reply in replies)
    assert cluster.log.end(0) == 0
