"""`askagain inspect`."""

from collections.abc import Callable
from typing import Any

import pytest


def test_json_has_settings_steps_and_terms(json_of: Callable[..., Any]) -> None:
    shown = json_of("inspect", "Booting twice", "--stemmer", "none", "--ngrams", 2)

    assert shown["settings"]["ngrams"] == 2
    assert shown["steps"][0] == {"name": "raw", "text": "Booting twice"}
    assert shown["terms"] == ["booting", "twice", "booting_twice"]


def test_blocks_of_code_are_kept_if_asked(json_of: Callable[..., Any]) -> None:
    post = "<p>See</p><pre><code>mount</code></pre>"

    assert "mount" not in json_of("inspect", post)["terms"]
    assert "mount" in json_of("inspect", post, "--block-code")["terms"]


def test_a_text_of_several_lines_is_shown_line_by_line(succeeded: Callable[..., str]) -> None:
    assert succeeded("inspect", "one\ntwo\x1b").startswith("raw\n    one\n    two \n")


@pytest.mark.parametrize(
    ("option", "value"), [("--stemmer", "klingon"), ("--stop-words", "all"), ("--ngrams", "9")]
)
def test_unknown_settings_are_one_line(option: str, value: str, refused: Callable[..., str]) -> None:
    assert "expected one of" in refused("inspect", "x", option, value)
