"""Addresses of the service."""

import pytest

from askagain.client.address import Address, parse_address
from askagain.errors import SettingsError


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8017", Address(False, "127.0.0.1", 8017, "")),
        ("https://forum.example.org/", Address(True, "forum.example.org", None, "")),
        ("https://forum.example.org/ask/again/", Address(True, "forum.example.org", None, "/ask/again")),
        ("http://[::1]:80", Address(False, "::1", 80, "")),
    ],
)
def test_an_address_has_a_scheme_a_host_a_port_and_a_path(url: str, address: Address) -> None:
    assert parse_address(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "forum.example.org",
        "ftp://forum.example.org",
        "http://",
        "http://host:port",
        "http://host:99999",
        "http://[::1",
        "http://host/?key=1",
        "http://host/#top",
        "http://host/a b",
    ],
)
def test_what_is_no_address_is_refused_in_one_line(url: str) -> None:
    with pytest.raises(SettingsError, match=r"\Athe address of the service[^\n]+\Z"):
        parse_address(url)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(SettingsError, match=r"\A(?!.*hunter2)") as caught:
        parse_address("https://moderator:hunter2@forum.example.org")

    assert "forum.example.org" in str(caught.value)
