"""Searches over HTTP."""

import httpx
import pytest

ASKED = "Excel headings vanish when I scroll down"
WANTED = "computers-5"


def matches(reply: httpx.Response) -> list[dict]:
    assert reply.status_code == 200, reply.text
    return reply.json()["matches"]


def test_an_earlier_question_is_found_with_its_answer_and_the_reasons(anybody: httpx.Client) -> None:
    best = matches(anybody.post("/v1/similar", json={"title": ASKED}))[0]
    assert best["id"] == WANTED
    assert "Freeze Panes" in best["answer"]
    assert 0 < best["probability"] < 1
    assert best["reasons"]["line"].startswith("same: scroll down, excel")
    assert "vanish" in [word["word"] for word in best["reasons"]["only_yours"]]


def test_a_simple_client_gets_the_same_with_get(anybody: httpx.Client) -> None:
    posted = anybody.post("/v1/similar", json={"title": ASKED, "k": 3}).json()
    assert anybody.get("/v1/similar", params={"title": ASKED, "k": 3}).json() == posted


def test_what_is_typed_later_does_not_lose_the_match(anybody: httpx.Client) -> None:
    """The title alone, its beginning, and the title with a body lead to the same question."""
    body = "My list is long, and the header row should stay where it is."
    for asked in (
        {"title": "Excel headings vanish when I scroll"},
        {"title": ASKED},
        {"title": ASKED, "body": body},
    ):
        assert WANTED in [match["id"] for match in matches(anybody.post("/v1/similar", json=asked))]


def test_nothing_is_suggested_where_nothing_is_likely(anybody: httpx.Client) -> None:
    assert matches(anybody.post("/v1/similar", json={"title": "asdf qwer zxcv"})) == []


def test_whoever_asks_for_unlikely_matches_gets_them(anybody: httpx.Client) -> None:
    asked = {"title": "asdf qwer zxcv", "min_probability": 0.0, "k": 4}
    assert len(matches(anybody.post("/v1/similar", json=asked))) == 4


def test_an_empty_question_has_no_match(anybody: httpx.Client) -> None:
    assert matches(anybody.post("/v1/similar", json={"title": "  ", "min_probability": 0.0})) == []


def test_reasons_can_be_left_out(anybody: httpx.Client) -> None:
    [best] = matches(anybody.post("/v1/similar", json={"title": ASKED, "k": 1, "explain": False}))
    assert best["reasons"] is None


def test_another_system_can_be_tried(anybody: httpx.Client) -> None:
    reply = anybody.post("/v1/similar", json={"title": ASKED, "system": "bm25", "k": 1})
    assert reply.json()["system"] == "bm25"
    assert matches(reply)[0]["probability"] is None


def test_a_system_that_is_not_there_is_named_with_those_that_are(anybody: httpx.Client) -> None:
    reply = anybody.post("/v1/similar", json={"title": ASKED, "system": "rcnn"})
    assert reply.status_code == 404
    assert "bm25" in reply.json()["detail"]


def test_a_question_of_the_archive_has_related_ones_without_itself(anybody: httpx.Client) -> None:
    found = [match["id"] for match in matches(anybody.get(f"/v1/questions/{WANTED}/similar"))]
    assert "computers-55" in found
    assert WANTED not in found


def test_an_unknown_question_has_no_related_ones(anybody: httpx.Client) -> None:
    reply = anybody.get("/v1/questions/nobody-asked-this/similar")
    assert reply.status_code == 404
    assert reply.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ({}, "body.title"),
        ({"title": 5}, "body.title"),
        ({"title": "x" * 1001}, "body.title"),
        ({"title": "x", "body": "x" * 100_001}, "body.body"),
        ({"title": "x", "k": 0}, "body.k"),
        ({"title": "x", "k": 51}, "body.k"),
        ({"title": "x", "k": "5"}, "body.k"),
        ({"title": "x", "min_probability": 1.5}, "body.min_probability"),
        ({"title": "x", "limit": 5}, "body.limit"),
    ],
)
def test_a_wrong_field_is_named(anybody: httpx.Client, asked: dict, path: str) -> None:
    reply = anybody.post("/v1/similar", json=asked)
    assert reply.status_code == 422
    assert path in [error["path"] for error in reply.json()["errors"]]


def test_half_a_character_is_refused(anybody: httpx.Client) -> None:
    headers = {"Content-Type": "application/json"}
    assert anybody.post("/v1/similar", content=b'{"title": "\\ud800"}', headers=headers).status_code == 422


def test_markup_of_a_post_is_not_in_its_excerpt(anybody: httpx.Client, writer: httpx.Client) -> None:
    hostile = "<p>Zirconium <b>tongs</b></p><script>alert(1)</script>"
    writer.put("/v1/questions/markup", json={"title": "Zirconium tongs", "body": hostile}).raise_for_status()
    [best] = matches(anybody.post("/v1/similar", json={"title": "zirconium tongs", "k": 1}))
    assert best["excerpt"] == "Zirconium tongs"
    writer.delete("/v1/questions/markup").raise_for_status()


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", " http://x", "//evil.example"])
def test_an_address_that_is_none_becomes_no_link(
    anybody: httpx.Client, writer: httpx.Client, url: str
) -> None:
    writer.put("/v1/questions/link", json={"title": "Zirconium tongs", "url": url}).raise_for_status()
    [best] = matches(anybody.post("/v1/similar", json={"title": "zirconium tongs", "k": 1}))
    assert best["url"] is None
    writer.delete("/v1/questions/link").raise_for_status()
