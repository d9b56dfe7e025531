"""The service's whole interface, as methods."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from askagain.archive.hygiene import clean_text
from askagain.client.address import parse_address
from askagain.client.replies import redirects, result, stored, total, written
from askagain.client.results import (
    About,
    BulkCounts,
    Group,
    GroupPage,
    Insight,
    Marked,
    Pair,
    PairPage,
    Received,
    Redirect,
    Stored,
    Suggestion,
    Suggestions,
    Written,
)
from askagain.client.transport import Call, Reply, Transport
from askagain.client.wire import (
    Deletion,
    id_path,
    json_bytes,
    line_batches,
    question_json,
    question_text,
    with_query,
)
from askagain.closing import Closing
from askagain.errors import SettingsError
from askagain.question import Question, Verdict
from askagain.tables import check_range

_KEY: Final = re.compile("[!-~]+")
_JSON: Final = {"Content-Type": "application/json"}
_JSON_LINES: Final = {"Content-Type": "application/x-ndjson"}

Page = TypeVar("Page", PairPage, GroupPage)


class Client(Closing):
    """Speaks to the service at a URL. Threads may share it; each has a connection of its own.

    `timeout` is in seconds, for each wait on the network. A call that broke is tried again, at most `retries`
    times, unless the service might do it twice; so is one that the service had no time for. What fails in
    the end raises a ServiceError.
    """

    def __init__(self, url: str, key: str | None = None, *, timeout: float = 10.0, retries: int = 2) -> None:
        check_range("timeout", timeout, 0.001, 3600.0)
        check_range("retries", retries, 0, 100)
        self._url = url
        self._transport = Transport(parse_address(url), _authorization(key), timeout, retries)

    def __repr__(self) -> str:
        return f"Client({self._url!r})"

    def close(self) -> None:
        """Closes this thread's connection; those of other threads close with their threads."""
        self._transport.close()

    def similar(
        self,
        title: str,
        body: str = "",
        *,
        tags: Sequence[str] = (),
        k: int = 5,
        min_probability: float | None = None,
        explain: bool = True,
        system: str | None = None,
    ) -> list[Suggestion]:
        """The earlier questions that the same answer may settle, the likeliest first."""
        asked = {
            "title": clean_text(title),
            "body": clean_text(body),
            "tags": [clean_text(tag) for tag in tags],
            "k": k,
            "min_probability": min_probability,
            "explain": explain,
            "system": system,
        }
        return list(result(Suggestions, self._post("/v1/similar", asked)).matches)

    def related(self, id: str, *, k: int = 5, min_probability: float | None = None) -> list[Suggestion]:
        """The same for a question of the archive."""
        target = with_query(f"{id_path(id)}/similar", {"k": k, "min_probability": min_probability})
        return list(result(Suggestions, self._get(target)).matches)

    def get(self, id: str) -> Stored:
        """A question of the archive; a NotFoundError if it is not there."""
        return stored(self._get(id_path(id)))

    def add(self, question: Question) -> Written:
        """A new question; an AlreadyExistsError if its id is taken by another one.

        Without an id it gets one. As it would get two if it were sent twice, it is not sent again then.
        """
        return written(self._post("/v1/questions", question_json(question), repeatable=bool(question.id)))

    def put(self, question: Question, if_match: str | None = None) -> Written:
        """A question that is new or replaces the one with its id: with an ETag, only if that is its state."""
        body = json_bytes(question_text(question))
        return written(self._send("PUT", id_path(question.id), body, {**_JSON, **_condition(if_match)}))

    def put_many(self, changes: Iterable[Question | Deletion]) -> BulkCounts:
        """Many questions to put, and some to delete, in order. What cannot be done is in `rejected`.

        They are sent in batches as they come, so there may be more than fit into memory. After an error the
        batches before it are kept, and giving all changes again does no harm.
        """
        counts = BulkCounts()
        lines = 0
        for batch in line_batches(changes):
            reply = self._send("POST", "/v1/questions/bulk", b"".join(batch), _JSON_LINES)
            counts = total(counts, result(BulkCounts, reply), lines)
            lines += len(batch)
        return counts

    def delete(self, id: str, if_match: str | None = None) -> None:
        """Deletes a question, if it is there: with an ETag, only if that is its state."""
        self._send("DELETE", id_path(id), headers=_condition(if_match))

    def mark(self, first: str, second: str, verdict: Verdict = Verdict.DUPLICATE) -> Marked:
        """A person's verdict on a pair of questions, which takes the place of an earlier one."""
        mark = {"first": first, "second": second, "verdict": Verdict(verdict).value}
        return result(Marked, self._post("/v1/marks", mark))

    def withdraw(self, first: str, second: str) -> None:
        """Takes a mark back."""
        self._send("DELETE", with_query("/v1/marks", {"first": first, "second": second}))

    def feedback(self, title: str, found: str, verdict: Verdict, *, body: str = "") -> int:
        """What an asker says about a suggestion, the question `found`. Gives the archive's sequence number.

        It is not sent again if no reply comes: an opinion must not count twice.
        """
        said = {
            "title": clean_text(title),
            "body": clean_text(body),
            "id": found,
            "verdict": Verdict(verdict).value,
        }
        return result(Received, self._post("/v1/feedback", said, repeatable=False)).sequence

    def duplicates(self, *, min_probability: float | None = None, page: int = 20) -> Iterator[Pair]:
        """Pairs that nobody has judged yet, the likeliest first, fetched by the `page` as they are needed."""
        for each in self._pages(PairPage, "/v1/duplicates", min_probability, page):
            yield from each.pairs

    def groups(self, *, min_probability: float | None = None, page: int = 20) -> Iterator[Group]:
        """Questions that ask the same, the largest group first, fetched by the `page` as they are needed."""
        for each in self._pages(GroupPage, "/v1/groups", min_probability, page):
            yield from each.groups

    def redirects(self) -> list[Redirect]:
        """Where confirmed duplicates lead."""
        return redirects(self._get("/v1/redirects.csv"))

    def about(self) -> About:
        """What is served."""
        return result(About, self._get("/v1/about"))

    def insight(self) -> Insight:
        """What the archive and the people who use it tell."""
        return result(Insight, self._get("/v1/insight"))

    def _pages(self, kind: type[Page], path: str, least: float | None, limit: int) -> Iterator[Page]:
        after: str | None = None
        while True:
            target = with_query(path, {"min_probability": least, "limit": limit, "after": after})
            page = result(kind, self._get(target))
            yield page
            after = page.next
            if after is None:
                return

    def _get(self, target: str) -> Reply:
        return self._send("GET", target)

    def _post(self, path: str, value: object, *, repeatable: bool = True) -> Reply:
        return self._send("POST", path, json_bytes(value), _JSON, repeatable=repeatable)

    def _send(
        self,
        method: str,
        target: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        repeatable: bool = True,
    ) -> Reply:
        return self._transport.send(Call(method, target, body, headers or {}, repeatable))


def _authorization(key: str | None) -> dict[str, str]:
    """The header with the key. A text that cannot stand in it is refused here, where it is not repeated."""
    if key is None:
        return {}
    if not _KEY.fullmatch(key):
        raise SettingsError(
            f"the key of {len(key)} characters has blanks, line ends or letters beyond ASCII: "
            f"give it as `askagain keys` has told it"
        )
    return {"Authorization": f"Bearer {key}"}


def _condition(etag: str | None) -> dict[str, str]:
    return {} if etag is None else {"If-Match": etag}
