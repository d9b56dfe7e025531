"""Keeps an archive in step with a Discourse forum, by the forum's webhooks.

Import what the forum has first. Then run this beside the service, behind the same TLS proxy:

    export ASKAGAIN_URL=http://127.0.0.1:8017
    export ASKAGAIN_KEY=ask_...                        # `askagain keys` makes one; its scope is write
    export DISCOURSE_URL=https://forum.example.org
    export DISCOURSE_SECRET=...                        # the same as in the forum's settings of the webhook
    python examples/discourse_webhook.py --port 8018

In the forum, add a webhook with that secret, the content type application/json, the events of topics, posts
and solved questions, and the categories that everybody may read.

A topic is a question with the topic's number as its id; its first post is the body, the accepted solution the
answer. An edit changes only what is there: Discourse repeats what failed, and a late edit must not bring
back what was deleted since.
"""

import argparse
import hmac
import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from askagain import Question
from askagain.client import (
    AlreadyExistsError,
    ChangedMeanwhileError,
    Client,
    InvalidRequestError,
    NotFoundError,
    ServiceError,
)

MOST_DIGITS = 7  # of the number of bytes in an event
LONGEST_TEXT = 100_000  # that the service takes
TRIES = 5


@dataclass(frozen=True)
class Change:
    """Members of a question that have new values; None if the question goes."""

    id: str
    members: dict[str, Any] | None
    creates: bool = False


def main() -> None:
    """Listens until it is stopped."""
    parser = argparse.ArgumentParser(description="Receives a Discourse forum's webhooks.")
    parser.add_argument("--port", type=int, default=8018)
    port = parser.parse_args().port
    names = ("ASKAGAIN_URL", "ASKAGAIN_KEY", "DISCOURSE_URL", "DISCOURSE_SECRET")
    if missing := [name for name in names if not os.environ.get(name)]:
        sys.exit(f"set {', '.join(missing)} in the environment")
    Receiver.client = Client(os.environ["ASKAGAIN_URL"], os.environ["ASKAGAIN_KEY"])
    with HTTPServer(("127.0.0.1", port), Receiver) as server:  # one by one, in the order of the events
        print(f"listening on http://127.0.0.1:{server.server_port}", file=sys.stderr, flush=True)
        server.serve_forever()


class Receiver(BaseHTTPRequestHandler):
    """Answers 204 to what is done or of no interest. Discourse sends again what got another answer."""

    client: Client
    timeout = 10

    def do_POST(self) -> None:
        """An event."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > MOST_DIGITS:
            return self.send_error(413)
        body = self.rfile.read(int(length))
        if not is_signed(body, self.headers.get("X-Discourse-Event-Signature", "")):
            return self.send_error(403, "wrong signature")
        try:
            change = change_of(self.headers.get("X-Discourse-Event", ""), json.loads(body))
        except (ValueError, LookupError, TypeError, AttributeError):
            return self.send_error(400, "not an event of Discourse")
        try:
            if change:
                apply(change, self.client)
        except InvalidRequestError as error:
            return self.send_error(422, explain=str(error))
        except ServiceError as error:
            return self.send_error(503, explain=str(error))
        self.send_response(204)
        return self.end_headers()


def is_signed(body: bytes, signature: str) -> bool:
    """Whether the forum has sent this; how long the comparison takes tells nothing."""
    expected = hmac.digest(os.environ["DISCOURSE_SECRET"].encode(), body, "sha256").hex()
    return hmac.compare_digest(f"sha256={expected}".encode(), signature.encode())


def change_of(event: str, payload: dict[str, Any]) -> Change | None:
    """What an event means for the archive; None if it means nothing."""
    if event in ("topic_created", "topic_recovered", "topic_edited", "topic_destroyed"):
        return change_of_topic(event, payload["topic"])
    if event in ("post_created", "post_recovered", "post_edited"):
        return change_of_post(event, payload["post"])
    if event in ("accepted_solution", "unaccepted_solution"):
        answer = payload["solved"]["cooked"] if event == "accepted_solution" else ""
        return Change(str(payload["solved"]["topic_id"]), {"answer": answer[:LONGEST_TEXT]})
    return None


def change_of_topic(event: str, topic: dict[str, Any]) -> Change:
    """Title, tags and time: the texts come with the posts. A private message is none of our business."""
    id = str(topic["id"])
    if event == "topic_destroyed" or topic["archetype"] != "regular":
        return Change(id, None)
    members = {
        "title": topic["title"],
        "tags": tuple(tag["name"] if isinstance(tag, dict) else tag for tag in topic.get("tags", [])),
        "created": topic["created_at"],
        "url": topic_url(id),
    }
    return Change(id, members, creates=event != "topic_edited")


def change_of_post(event: str, post: dict[str, Any]) -> Change | None:
    """The first post is the question, and one of the others may be the solution."""
    id, text = str(post["topic_id"]), post["cooked"][:LONGEST_TEXT]
    if post["topic_archetype"] != "regular":
        return None
    if post["post_number"] == 1:
        members = {"title": post["topic_title"], "body": text, "url": topic_url(id)}
        return Change(id, members, creates=event != "post_edited")
    return Change(id, {"answer": text}) if post.get("accepted_answer") else None


def topic_url(id: str) -> str:
    """Where people read the topic."""
    return f"{os.environ['DISCOURSE_URL'].rstrip('/')}/t/{id}"


def apply(change: Change, client: Client) -> None:
    """Writes the change; once more from the start if somebody else was faster."""
    for _ in range(TRIES - 1):
        with suppress(ChangedMeanwhileError, AlreadyExistsError):
            write(change, client)
            return
    write(change, client)


def write(change: Change, client: Client) -> None:
    """Members that did not change stay as they are."""
    if change.members is None:
        return client.delete(change.id)
    try:
        stored = client.get(change.id)
    except NotFoundError:
        if change.creates:
            client.add(Question(id=change.id, **change.members))
    else:
        client.put(replace(stored.question, **change.members), if_match=stored.etag)


if __name__ == "__main__":
    main()
