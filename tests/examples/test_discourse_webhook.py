"""The receiver of a Discourse forum's webhooks: a process of its own, before the real service."""

import hmac
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from askagain.client import Client, NotFoundError
from askagain.question import Question
from running_service import RunningService

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "discourse_webhook.py"
SECRET = "a secret of the forum"
NUMBERS = count(1)


@dataclass(frozen=True)
class Receiver:
    """The running example."""

    port: int
    archive: Client

    def receive(self, event: str, payload: Any, **headers: str) -> int:
        """Sends an event as Discourse does; the status of the answer."""
        return self.receive_bytes(event, json.dumps(payload).encode(), **headers)

    def receive_bytes(self, event: str, body: bytes, **headers: str) -> int:
        signature = hmac.digest(SECRET.encode(), body, "sha256").hex()
        sent = {"X-Discourse-Event": event, "X-Discourse-Event-Signature": f"sha256={signature}"}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request("POST", "/", body, sent | named)
            return connection.getresponse().status
        finally:
            connection.close()

    def question(self, topic: int) -> Question | None:
        try:
            return self.archive.get(str(topic)).question
        except NotFoundError:
            return None


@pytest.fixture(scope="module")
def receiver(archive_service: RunningService) -> Iterator[Receiver]:
    settings = {
        "ASKAGAIN_URL": archive_service.url,
        "ASKAGAIN_KEY": archive_service.writer,
        "DISCOURSE_URL": "https://forum.example.org/",
        "DISCOURSE_SECRET": SECRET,
    }
    command = [sys.executable, str(EXAMPLE), "--port", "0"]
    process = subprocess.Popen(command, env=os.environ | settings, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    try:
        line = process.stderr.readline()
        assert line.startswith("listening on http://127.0.0.1:"), line
        with archive_service.writing() as client:
            yield Receiver(int(line.rpartition(":")[2]), client)
    finally:
        process.terminate()
        process.communicate(timeout=10)


@pytest.fixture
def topic() -> int:
    """The number of a topic that no other test uses."""
    return next(NUMBERS)


def _topic(id: int, **changes: Any) -> dict[str, Any]:
    return {
        "topic": {
            "id": id,
            "title": "Where do tabs go?",
            "created_at": "2024-05-01T10:00:00.000Z",
            "archetype": "regular",
            "tags": ["browser", "tabs"],
            **changes,
        }
    }


def _post(id: int, number: int = 1, kind: str = "post", **changes: Any) -> dict[str, Any]:
    return {
        kind: {
            "topic_id": id,
            "topic_title": "Where do tabs go?",
            "topic_archetype": "regular",
            "post_number": number,
            "cooked": f"<p>Text of post {number}</p>",
            **changes,
        }
    }


def test_a_topic_and_its_first_post_are_a_question(receiver: Receiver, topic: int) -> None:
    assert receiver.receive("topic_created", _topic(topic)) == 204
    assert receiver.receive("post_created", _post(topic)) == 204

    assert receiver.question(topic) == Question(
        id=str(topic),
        title="Where do tabs go?",
        body="<p>Text of post 1</p>",
        tags=("browser", "tabs"),
        created="2024-05-01T10:00:00.000Z",
        url=f"https://forum.example.org/t/{topic}",
    )


def test_the_two_may_come_in_the_other_order(receiver: Receiver, topic: int) -> None:
    receiver.receive("post_created", _post(topic))
    receiver.receive("topic_created", _topic(topic))

    question = receiver.question(topic)
    assert question is not None
    assert (question.body, question.tags) == ("<p>Text of post 1</p>", ("browser", "tabs"))


def test_later_posts_are_not_the_question(receiver: Receiver, topic: int) -> None:
    receiver.receive("post_created", _post(topic))
    receiver.receive("post_created", _post(topic, 2))

    question = receiver.question(topic)
    assert question is not None
    assert (question.body, question.answer) == ("<p>Text of post 1</p>", "")


def test_edits_change_what_they_are_about(receiver: Receiver, topic: int) -> None:
    receiver.receive("topic_created", _topic(topic))
    receiver.receive("post_created", _post(topic))
    receiver.receive("topic_edited", _topic(topic, title="Where have my tabs gone?", tags=[{"name": "tabs"}]))
    receiver.receive("post_edited", _post(topic, topic_title="Where have my tabs gone?", cooked="<p>New</p>"))

    question = receiver.question(topic)
    assert question is not None
    assert (question.title, question.body, question.tags) == (
        "Where have my tabs gone?",
        "<p>New</p>",
        ("tabs",),
    )


def test_the_accepted_solution_is_the_answer_until_it_is_no_longer(receiver: Receiver, topic: int) -> None:
    receiver.receive("post_created", _post(topic))
    answers = []
    for event, post in [
        ("accepted_solution", _post(topic, 3, "solved")),
        ("post_edited", _post(topic, 3, accepted_answer=True, cooked="<p>Better</p>")),
        ("post_edited", _post(topic, 4, accepted_answer=False)),
        ("unaccepted_solution", _post(topic, 3, "solved")),
    ]:
        assert receiver.receive(event, post) == 204
        answers.append(getattr(receiver.question(topic), "answer", None))

    assert answers == ["<p>Text of post 3</p>", "<p>Better</p>", "<p>Better</p>", ""]


def test_a_deleted_topic_goes_and_comes_back_when_it_is_recovered(receiver: Receiver, topic: int) -> None:
    receiver.receive("topic_created", _topic(topic))
    receiver.receive("topic_destroyed", _topic(topic))
    gone = receiver.question(topic)
    receiver.receive("topic_recovered", _topic(topic))

    assert gone is None
    assert receiver.question(topic) is not None


def test_a_late_edit_does_not_bring_back_what_was_deleted(receiver: Receiver, topic: int) -> None:
    receiver.receive("topic_created", _topic(topic))
    receiver.receive("topic_destroyed", _topic(topic))

    assert receiver.receive("topic_edited", _topic(topic)) == 204
    assert receiver.receive("post_edited", _post(topic)) == 204
    assert receiver.receive("accepted_solution", _post(topic, 2, "solved")) == 204
    assert receiver.question(topic) is None


def test_private_messages_stay_private(receiver: Receiver, topic: int) -> None:
    receiver.receive("topic_created", _topic(topic, archetype="private_message"))
    receiver.receive("post_created", _post(topic, topic_archetype="private_message"))

    assert receiver.question(topic) is None


def test_a_topic_that_becomes_a_private_message_goes(receiver: Receiver, topic: int) -> None:
    receiver.receive("topic_created", _topic(topic))
    receiver.receive("topic_edited", _topic(topic, archetype="private_message"))

    assert receiver.question(topic) is None


def test_a_gigantic_post_is_cut(receiver: Receiver, topic: int) -> None:
    assert receiver.receive("post_created", _post(topic, cooked="x" * 300_000)) == 204

    question = receiver.question(topic)
    assert question is not None
    assert len(question.body) == 100_000


@pytest.mark.parametrize(
    "event", ["ping", "user_created", "topic_closed_status_updated", "", "no such event"]
)
def test_other_events_are_of_no_interest(receiver: Receiver, event: str) -> None:
    assert receiver.receive(event, {"ping": "OK"}) == 204


@pytest.mark.parametrize("signature", ["", "sha256=", "sha256=" + "0" * 64, "sha1=abc", "é"])
def test_without_the_right_signature_nothing_happens(receiver: Receiver, topic: int, signature: str) -> None:
    status = receiver.receive("topic_created", _topic(topic), X_Discourse_Event_Signature=signature)

    assert status == 403
    assert receiver.question(topic) is None


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"\xff", b'{"topic": {"id": 1}}', b'{"topic": null}'])
def test_what_is_no_event_is_refused(receiver: Receiver, body: bytes) -> None:
    assert receiver.receive_bytes("topic_created", body) == 400


@pytest.mark.parametrize("length", ["", "-1", "99999999999", "9" * 5000, "many"])
def test_an_event_without_a_sensible_length_is_refused_unread(receiver: Receiver, length: str) -> None:
    assert receiver.receive("topic_created", {}, Content_Length=length) == 413


def test_what_the_service_never_takes_is_told_apart_from_what_it_takes_later(
    receiver: Receiver, topic: int
) -> None:
    assert receiver.receive("topic_created", _topic(topic, title="x" * 2_000)) == 422


def test_without_its_settings_it_does_not_start() -> None:
    without = {name: value for name, value in os.environ.items() if not name.startswith("DISCOURSE")}

    done = subprocess.run([sys.executable, str(EXAMPLE)], env=without, capture_output=True, text=True)

    assert done.returncode == 1
    assert "DISCOURSE_SECRET" in done.stderr
    assert done.stderr.count("\n") == 1
