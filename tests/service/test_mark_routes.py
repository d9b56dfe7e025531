"""Marks, feedback, and what the moderators' queue and the numbers make of them."""

import time

import httpx
import pytest


@pytest.fixture(scope="module", autouse=True)
def queue_is_built(service) -> None:
    """The queue is built while nobody asks."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        progress = httpx.get(f"{service.url}/v1/duplicates", params={"limit": 1}, timeout=30).json()[
            "progress"
        ]
        if progress["done"] == progress["total"] > 0:
            return
        time.sleep(0.5)
    raise AssertionError(f"the queue is not built: {progress}")


def queue(client: httpx.Client, **parameters: object) -> dict:
    reply = client.get("/v1/duplicates", params=parameters)
    assert reply.status_code == 200, reply.text
    return reply.json()


def ids(pairs: list[dict]) -> list[tuple[str, str]]:
    return [(pair["first"]["id"], pair["second"]["id"]) for pair in pairs]


def test_the_queue_has_the_most_likely_pairs_first(anybody: httpx.Client) -> None:
    likely = [pair["probability"] for pair in queue(anybody)["pairs"]]
    assert likely == sorted(likely, reverse=True)
    assert likely[0] > 0.3


def test_pages_of_the_queue_follow_each_other(anybody: httpx.Client) -> None:
    whole = ids(queue(anybody, limit=20)["pairs"])
    paged, after = [], {}
    while len(paged) < 20:
        page = queue(anybody, limit=6, **after)
        paged += ids(page["pairs"])
        after = {"after": page["next"]}
    assert paged[:20] == whole


@pytest.mark.parametrize("verdict", ["duplicate", "not-duplicate"])
def test_a_judged_pair_leaves_the_queue_and_comes_back_when_it_is_undone(
    moderator: httpx.Client, verdict: str
) -> None:
    first, second = ids(queue(moderator)["pairs"])[0]
    mark = {"first": first, "second": second, "verdict": verdict}
    assert moderator.post("/v1/marks", json=mark).json()["changed"] is True
    assert moderator.post("/v1/marks", json=mark).json()["changed"] is False
    assert (first, second) not in ids(queue(moderator, limit=100)["pairs"])
    assert moderator.delete("/v1/marks", params={"first": first, "second": second}).status_code == 204
    assert ids(queue(moderator)["pairs"])[0] == (first, second)


def test_a_mark_names_who_set_it(moderator: httpx.Client, archive_path) -> None:
    from askagain import Archive

    mark = {"first": "cooking-1", "second": "travel-1", "verdict": "not-duplicate"}
    moderator.post("/v1/marks", json=mark).raise_for_status()
    with Archive.open(archive_path) as archive:
        assert "moderator" in {mark.who for mark in archive.marks()}
    moderator.delete("/v1/marks", params={"first": "cooking-1", "second": "travel-1"})


@pytest.mark.parametrize(
    ("mark", "status"),
    [
        ({"first": "cooking-1", "second": "nobody", "verdict": "duplicate"}, 404),
        ({"first": "cooking-1", "second": "cooking-1", "verdict": "duplicate"}, 422),
        ({"first": "cooking-1", "second": "cooking-2", "verdict": "perhaps"}, 422),
        ({"first": "", "second": "cooking-2", "verdict": "duplicate"}, 422),
    ],
)
def test_a_wrong_mark_is_refused(moderator: httpx.Client, mark: dict, status: int) -> None:
    reply = moderator.post("/v1/marks", json=mark)
    assert reply.status_code == status
    assert ".db" not in reply.text


def test_a_broken_cursor_is_refused(anybody: httpx.Client) -> None:
    assert anybody.get("/v1/duplicates", params={"after": "x"}).status_code == 422
    assert anybody.get("/v1/groups", params={"after": "x"}).status_code == 422


def test_groups_have_a_canonical_question_with_a_reason(anybody: httpx.Client) -> None:
    groups = anybody.get("/v1/groups", params={"limit": 100}).json()["groups"]
    assert max(group["size"] for group in groups) >= 3
    assert groups[0]["why"]
    members = [member["id"] for member in groups[0]["members"]]
    assert groups[0]["canonical"]["id"] not in members


def test_groups_with_something_to_confirm_come_first(anybody: httpx.Client) -> None:
    parameters = {"limit": 100, "min_probability": 0.05}
    groups = anybody.get("/v1/groups", params=parameters).json()["groups"]
    settled = [group["weakest"] is None for group in groups]
    assert settled == sorted(settled)
    assert set(settled) == {True, False}


def test_no_group_is_skipped_when_one_is_confirmed_between_two_pages(moderator: httpx.Client) -> None:
    def page(limit: int, after: str | None = None) -> dict:
        parameters = {"limit": limit, "min_probability": 0.05, **({"after": after} if after else {})}
        return moderator.get("/v1/groups", params=parameters).json()

    before = page(5)["groups"]
    first = page(2)
    pair = {"first": before[0]["canonical"]["id"], "second": before[0]["members"][0]["id"]}
    moderator.post("/v1/marks", json={**pair, "verdict": "duplicate"})
    following = page(3, first["next"])["groups"]
    moderator.delete("/v1/marks", params=pair)

    assert [group["canonical"]["id"] for group in following] == [
        group["canonical"]["id"] for group in before[2:]
    ]


def test_groups_of_different_least_probabilities_are_not_mixed_up(anybody: httpx.Client) -> None:
    def groups(least: float) -> list[dict]:
        return anybody.get("/v1/groups", params={"min_probability": least, "limit": 100}).json()["groups"]

    likely = [group for group in groups(0.05) if group["weakest"] is not None]
    assert groups(0.9) != groups(0.05)
    assert likely
    assert all(any(member["probability"] for member in group["members"]) for group in likely)


def test_redirects_lead_from_confirmed_duplicates_to_canonical_questions(anybody: httpx.Client) -> None:
    reply = anybody.get("/v1/redirects.csv")
    header, *rows = reply.text.splitlines()
    assert header == "from_id,to_id,from_url,to_url"
    sources, targets = {row.split(",")[0] for row in rows}, {row.split(",")[1] for row in rows}
    assert len(rows) > 50
    assert not sources & targets


def test_feedback_is_kept_and_counted(moderator: httpx.Client, writer: httpx.Client) -> None:
    before = moderator.get("/v1/insight").json()
    for client, verdict in ((moderator, "duplicate"), (writer, "duplicate"), (writer, "not-duplicate")):
        said = {"title": "Rows of my list", "id": "computers-5", "verdict": verdict}
        assert client.post("/v1/feedback", json=said).status_code == 202
    after = moderator.get("/v1/insight").json()
    assert after["feedback"]["duplicate"] - before["feedback"]["duplicate"] == 2
    assert after["precision"]["rejected"] - before["precision"]["rejected"] == 1
    assert after["months"][-1]["confirmed"] >= 2


def test_feedback_on_an_unknown_question_is_refused(writer: httpx.Client) -> None:
    said = {"title": "Rows", "id": "nobody", "verdict": "duplicate"}
    assert writer.post("/v1/feedback", json=said).status_code == 404


def test_the_service_tells_about_itself(anybody: httpx.Client) -> None:
    about = anybody.get("/v1/about").json()
    assert about["system"] == "best"
    assert about["questions"] == 357
    assert about["card"].startswith("# best")
    assert "bm25" in [system["name"] for system in about["systems"]]
    assert about["calibrated"] is False


def test_figures_count_requests_by_route(anybody: httpx.Client) -> None:
    anybody.get("/v1/similar", params={"title": "Rows of my list"})
    figures = anybody.get("/metrics").text
    assert 'askagain_requests_total{method="GET",route="/v1/similar",status="200"}' in figures
    assert "askagain_questions 357.0" in figures
