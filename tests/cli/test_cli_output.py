"""What commands print."""

import contextlib
import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from askagain.cli.output import console, print_json, text


@given(st.text())
def test_foreign_text_is_printed_without_control_characters(content: str) -> None:
    with (out := Console(markup=False, highlight=False, emoji=False)).capture() as captured:
        out.print(text(content), soft_wrap=True)

    shown = captured.get().removesuffix("\n")
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for character in shown)


def test_nothing_in_a_text_is_markup(capsys: pytest.CaptureFixture[str]) -> None:
    console().print(text("[bold]x[/bold] :smile: http://x.y"))

    assert capsys.readouterr().out == "[bold]x[/bold] :smile: http://x.y\n"


@given(st.dictionaries(st.text(), st.text()))
def test_json_is_ascii_without_control_characters_and_loses_nothing(value: dict[str, str]) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        print_json(value)

    printed = out.getvalue()
    assert printed.isascii()
    assert printed.replace("\n", "").isprintable()
    assert json.loads(printed) == value
