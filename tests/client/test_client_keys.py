"""A key goes to the service and nowhere else; and what the client costs to import."""

import subprocess
import sys
import traceback

import pytest

from askagain.client import Client, ServiceError
from askagain.errors import SettingsError
from client.scripted import Answer, scripted

KEY = "ask_" + "s3cret" * 7


def test_the_key_is_sent_as_a_bearer_token() -> None:
    with scripted(Answer(json={"matches": []})) as service, Client(service.url, KEY) as client:
        client.similar("anything")

    assert service.asked[0].headers["Authorization"] == f"Bearer {KEY}"


def test_without_a_key_none_is_sent() -> None:
    with scripted(Answer(json={"matches": []})) as service, Client(service.url) as client:
        client.similar("anything")

    assert "Authorization" not in service.asked[0].headers


def test_a_client_does_not_show_its_key() -> None:
    assert repr(Client("https://forum.example.org", KEY)) == "Client('https://forum.example.org')"


@pytest.mark.parametrize("status", [401, 403, 500, 301])
def test_errors_do_not_show_the_key(status: int) -> None:
    with (
        scripted(Answer(status)) as service,
        Client(service.url, KEY) as client,
        pytest.raises(ServiceError) as caught,
    ):
        client.about()

    assert KEY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("key", [f"{KEY}\n", f"{KEY} ", f"{KEY}é", f"{KEY}\r\nX-Evil: 1", ""])
def test_a_key_that_cannot_stand_in_a_header_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(SettingsError, match="the key of") as caught:
        Client("https://forum.example.org", key)

    assert KEY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("settings", [{"timeout": 0.0}, {"timeout": -1.0}, {"retries": -1}])
def test_settings_out_of_range_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match="it must be from"):
        Client("https://forum.example.org", **settings)  # type: ignore[arg-type]


def test_the_client_needs_no_array_library() -> None:
    program = "import sys, askagain.client; print({'numpy', 'numba', 'lxml', 'fastapi'} & set(sys.modules))"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "set()\n"
