"""What the layers before the routes refuse, and how."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from askagain.service.app import make_app
from askagain.service.gate import MOST_BYTES, Gate, Limits
from askagain.service.settings import ServiceSettings

FORUM = "https://forum.example"
ASKING = {"Origin": FORUM}
PREFLIGHT = {**ASKING, "Access-Control-Request-Method": "POST"}
ASKED = "/v1/similar?title=question"

Replies = list[httpx.Response]


async def yes(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("yes")(scope, receive, send)


def gate(app: ASGIApp, settings: ServiceSettings) -> Gate:
    return Gate(Limits(app, settings, lambda _: None))


def talk(app: ASGIApp, talking: Callable[[httpx.AsyncClient], Awaitable[Replies]]) -> Replies:
    """The replies of an application, which is not told to start."""

    async def connected() -> Replies:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://service.example") as client:
            return await talking(client)

    # A thread of its own: where tests in a browser have run before, this one has a loop already.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(connected())).result()


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_a_client_of_one_worker_has_the_whole_rate(workers: int) -> None:
    async def too_often(client: httpx.AsyncClient) -> Replies:
        return [await client.get(ASKED) for _ in range(11)]

    settings = ServiceSettings(rate=0.01, burst=10, workers=workers)
    replies = talk(gate(yes, settings), too_often)
    assert [reply.status_code for reply in replies] == [200] * 10 + [429]


def overloaded(path: str) -> httpx.Response:
    """The reply of a worker that may have two requests under way, and has."""

    async def crowd(client: httpx.AsyncClient) -> Replies:
        end = asyncio.Event()
        waiting.append(end)
        crowding = [asyncio.create_task(client.get("/slow")) for _ in range(2)]
        await asyncio.sleep(0.05)
        reply = await client.get(path)
        end.set()
        return [reply, *await asyncio.gather(*crowding)]

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/slow":
            await waiting[0].wait()
        await yes(scope, receive, send)

    waiting: list[asyncio.Event] = []
    reply, *crowding = talk(gate(slow, ServiceSettings(connections=2, rate=0.0)), crowd)
    assert [each.status_code for each in crowding] == [200, 200]
    return reply


def test_an_overload_is_a_problem_and_says_when_to_try_again() -> None:
    reply = overloaded(ASKED)
    assert reply.status_code == 503
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["request_id"] == reply.headers["x-request-id"]
    assert int(reply.headers["retry-after"]) >= 1


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_an_overloaded_service_still_tells_how_it_is(path: str) -> None:
    assert overloaded(path).status_code == 200


def test_a_service_that_was_overloaded_takes_requests_again() -> None:
    async def one_by_one(client: httpx.AsyncClient) -> Replies:
        return [await client.get(ASKED) for _ in range(5)]

    replies = talk(gate(yes, ServiceSettings(connections=1, rate=0.0)), one_by_one)
    assert [reply.status_code for reply in replies] == [200] * 5


def open_to_forum(**settings: float) -> ASGIApp:
    return make_app(ServiceSettings(origins=(FORUM,), **settings))  # type: ignore[arg-type]


def test_a_page_of_a_named_site_can_read_that_it_asks_too_often() -> None:
    async def twice(client: httpx.AsyncClient) -> Replies:
        return [await client.get(ASKED, headers=ASKING) for _ in range(2)]

    refused = talk(open_to_forum(rate=0.01, burst=1), twice)[1]
    assert refused.status_code == 429
    assert refused.headers["access-control-allow-origin"] == FORUM
    assert "Retry-After" in refused.headers["access-control-expose-headers"]


def test_a_page_of_a_named_site_can_read_that_it_sends_too_much() -> None:
    async def too_much(client: httpx.AsyncClient) -> Replies:
        return [await client.post("/v1/similar", content=b"x" * (MOST_BYTES + 1), headers=ASKING)]

    refused = talk(open_to_forum(), too_much)[0]
    assert refused.status_code == 413
    assert refused.headers["access-control-allow-origin"] == FORUM


def test_preflights_do_not_count_for_the_rate() -> None:
    async def carefully(client: httpx.AsyncClient) -> Replies:
        preflights = [await client.options("/v1/similar", headers=PREFLIGHT) for _ in range(5)]
        return [*preflights, await client.get("/nothing-here", headers=ASKING)]

    *preflights, reply = talk(open_to_forum(rate=0.01, burst=1), carefully)
    assert {preflight.status_code for preflight in preflights} == {200}
    assert reply.status_code == 404


def test_preflights_have_ids_and_safe_headers_as_all_answers() -> None:
    async def preflight(client: httpx.AsyncClient) -> Replies:
        return [await client.options("/v1/similar", headers={**PREFLIGHT, "X-Request-ID": "mine"})]

    reply = talk(open_to_forum(), preflight)[0]
    assert reply.headers["x-request-id"] == "mine"
    assert reply.headers["x-content-type-options"] == "nosniff"
