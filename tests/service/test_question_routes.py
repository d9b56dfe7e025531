"""Questions are written over HTTP."""

import json

import httpx
import pytest

TITLE = "Polishing a krypton lamp"


def find(client: httpx.Client, title: str) -> list[str]:
    asked = {"title": title, "min_probability": 0.0}
    return [match["id"] for match in client.post("/v1/similar", json=asked).json()["matches"]]


def test_a_new_question_is_found_by_the_next_search(writer: httpx.Client) -> None:
    reply = writer.post("/v1/questions", json={"id": "lamp", "title": TITLE})
    assert reply.status_code == 201
    assert reply.headers["location"] == "/v1/questions/lamp"
    assert find(writer, TITLE)[0] == "lamp"
    writer.delete("/v1/questions/lamp")


def test_an_edited_question_is_found_by_its_new_words(writer: httpx.Client) -> None:
    writer.post("/v1/questions", json={"id": "lamp", "title": TITLE})
    assert writer.put("/v1/questions/lamp", json={"title": "Varnishing a xenon bulb"}).status_code == 200
    assert find(writer, "xenon bulb varnishing")[0] == "lamp"
    assert "lamp" not in find(writer, "krypton")[:1]
    writer.delete("/v1/questions/lamp")


def test_a_deleted_question_is_not_found(writer: httpx.Client) -> None:
    writer.post("/v1/questions", json={"id": "lamp", "title": TITLE})
    assert writer.delete("/v1/questions/lamp").status_code == 204
    assert writer.get("/v1/questions/lamp").status_code == 404
    assert "lamp" not in find(writer, TITLE)


def test_deleting_again_changes_nothing(writer: httpx.Client) -> None:
    before = writer.get("/v1/about").json()["sequence"]
    assert writer.delete("/v1/questions/was-never-there").status_code == 204
    assert writer.get("/v1/about").json()["sequence"] == before


def test_a_question_without_id_gets_one(writer: httpx.Client) -> None:
    made = writer.post("/v1/questions", json={"title": TITLE}).json()["id"]
    assert writer.get(f"/v1/questions/{made}").json()["title"] == TITLE
    writer.delete(f"/v1/questions/{made}")


def test_the_same_again_changes_nothing(writer: httpx.Client) -> None:
    question = {"id": "twice", "title": TITLE, "tags": ["a", "b"]}
    first = writer.post("/v1/questions", json=question)
    second = writer.post("/v1/questions", json=question)
    assert (second.status_code, second.json()["changed"]) == (200, False)
    assert second.json()["sequence"] == first.json()["sequence"]
    writer.delete("/v1/questions/twice")


def test_what_the_archive_leaves_out_does_not_make_it_another_question(writer: httpx.Client) -> None:
    question = {"id": "nul", "title": "Polishing\0 lamps"}
    first, second = (writer.post("/v1/questions", json=question) for _ in range(2))
    kept = writer.get("/v1/questions/nul")
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.headers["etag"] == second.headers["etag"] == kept.headers["etag"]
    writer.delete("/v1/questions/nul")


@pytest.mark.parametrize("title", ["", "  ", "\0", " \t\0"])
def test_a_title_that_says_nothing_is_refused(writer: httpx.Client, title: str) -> None:
    reply = writer.post("/v1/questions", json={"id": "empty", "title": title})
    assert reply.status_code == 422
    assert reply.json()["errors"][0]["path"] == "body.title"


@pytest.mark.parametrize("id", ["%20", "%09", "a%1Fb", "x" * 513])
def test_an_id_that_no_question_can_have_is_refused(writer: httpx.Client, id: str) -> None:
    assert writer.put(f"/v1/questions/{id}", json={"title": TITLE}).status_code == 422


def test_a_wrong_method_is_told_which_ones_there_are(writer: httpx.Client) -> None:
    reply = writer.patch("/v1/questions/lamp", json={})
    assert reply.status_code == 405
    assert reply.headers["allow"] == "DELETE, GET, PUT"


def test_another_question_under_the_same_id_is_a_conflict(writer: httpx.Client) -> None:
    writer.post("/v1/questions", json={"id": "taken", "title": TITLE})
    assert writer.post("/v1/questions", json={"id": "taken", "title": "Another"}).status_code == 409
    assert writer.get("/v1/questions/taken").json()["title"] == TITLE
    writer.delete("/v1/questions/taken")


def test_an_update_of_what_somebody_else_has_changed_is_refused(writer: httpx.Client) -> None:
    tag = writer.put("/v1/questions/shared", json={"title": "First"}).headers["etag"]
    writer.put("/v1/questions/shared", json={"title": "Second"})
    lost = writer.put("/v1/questions/shared", json={"title": "Third"}, headers={"If-Match": tag})
    assert lost.status_code == 412
    assert writer.delete("/v1/questions/shared", headers={"If-Match": tag}).status_code == 412
    read = writer.get("/v1/questions/shared")
    assert read.json()["title"] == "Second"
    headers = {"If-Match": read.headers["etag"]}
    assert writer.put("/v1/questions/shared", json={"title": "Third"}, headers=headers).status_code == 200
    writer.delete("/v1/questions/shared")


def test_if_none_match_adds_only_what_is_not_there(writer: httpx.Client) -> None:
    headers = {"If-None-Match": "*"}
    assert writer.put("/v1/questions/once", json={"title": TITLE}, headers=headers).status_code == 201
    assert writer.put("/v1/questions/once", json={"title": TITLE}, headers=headers).status_code == 412
    writer.delete("/v1/questions/once")


@pytest.mark.parametrize(
    "id", ["a/b", "a b", "ü", "%2F", "?x=1", "#", "..", "a/../b", "'; DROP TABLE questions;--"]
)
def test_any_id_can_be_written_and_read(writer: httpx.Client, id: str) -> None:
    written = writer.post("/v1/questions", json={"id": id, "title": TITLE})
    assert written.status_code == 201
    location = written.headers["location"]
    if ".." not in id:  # clients take these for the folder above
        assert writer.get(location).json()["id"] == id
        assert writer.delete(location).status_code == 204
    else:
        deletion = json.dumps({"delete": id})
        bulk(writer, deletion.encode())


def bulk(client: httpx.Client, lines: bytes) -> dict:
    reply = client.post("/v1/questions/bulk", content=lines, headers={"Content-Type": "application/x-ndjson"})
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_a_stream_keeps_its_good_lines_and_names_the_bad_ones(writer: httpx.Client) -> None:
    lines = b"\n".join([
        b'{"id": "s1", "title": "Soldering a neon sign"}',
        b'{"id": "s2"}',
        b"not JSON",
        b"",
        b'{"id": "s3", "title": "Second sign", "tags": ["neon"]}',
        b'{"title": "No id"}',
        b'{"delete": "s1"}',
        b"[1]",
    ])  # fmt: skip
    result = bulk(writer, lines)
    assert (result["added"], result["deleted"]) == (2, 1)
    assert [rejected["line"] for rejected in result["rejected"]] == [2, 3, 6, 8]
    assert result["rejected"][-1]["detail"].startswith("a line must be an object")
    assert writer.get("/v1/questions/s3").json()["tags"] == ["neon"]
    assert writer.get("/v1/questions/s1").status_code == 404


def test_a_stream_sent_again_changes_nothing(writer: httpx.Client) -> None:
    lines = b"".join(
        json.dumps({"id": f"again-{n}", "title": f"Sign {n}"}).encode() + b"\n" for n in range(1200)
    )
    assert bulk(writer, lines)["added"] == 1200
    assert bulk(writer, lines)["unchanged"] == 1200
    bulk(writer, b"".join(json.dumps({"delete": f"again-{n}"}).encode() + b"\n" for n in range(1200)))


def test_a_line_that_is_too_long_is_one_bad_line(writer: httpx.Client) -> None:
    long = b'{"id": "long", "title": "' + b"x" * 1_500_000 + b'"}\n'
    result = bulk(writer, long + b'{"id": "short", "title": "After it"}\n')
    assert [rejected["line"] for rejected in result["rejected"]] == [1]
    assert result["added"] == 1


def test_a_stream_of_another_type_is_refused(writer: httpx.Client) -> None:
    assert writer.post("/v1/questions/bulk", json={"id": "x", "title": "y"}).status_code == 415
