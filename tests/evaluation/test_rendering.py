"""Tables survive any system name: nothing in it is code for LaTeX, Markdown or a terminal."""

import pytest

from askagain.evaluation.rendering import (
    Cell,
    Row,
    Table,
    escape_latex,
    latex_table,
    markdown_table,
    plain,
    plain_table,
)

HOSTILE = "\\input{/etc/passwd} & 100% $x_1^2$ #~ | <b>\n\x1b[31m"


def table(name: str) -> Table:
    return Table("a title", ("p@1",), (Row("a", name, (Cell(12.345, 10.0, 15.0, ""),), 1.0),), ("a note",))


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("lmd_tuned", r"lmd\_tuned"),
        ("50% & more", r"50\% \& more"),
        ("a\\b", r"a\textbackslash{}b"),
        ("{$#}", r"\{\$\#\}"),
        ("x^2~y", r"x\textasciicircum{}2\textasciitilde{}y"),
        ("a|b<c>", r"a\textbar{}b\textless{}c\textgreater{}"),
        ("naïve 日本", "naïve 日本"),
    ],
)
def test_latex_escapes_every_special_character(text: str, escaped: str) -> None:
    assert escape_latex(text) == escaped


def test_control_characters_become_blanks() -> None:
    assert plain("red\x1b[31m\nline\u202eright") == "red [31m line right"


def test_latex_row_has_as_many_columns_as_its_head() -> None:
    rows = [line for line in latex_table(table(HOSTILE)).splitlines() if line.endswith(r"\\")]
    assert {row.replace(r"\&", "").count("&") for row in rows} == {3}


def test_latex_comments_cannot_be_left() -> None:
    injected = Table("title\n\\input{x}", (), (), ())
    assert latex_table(injected).splitlines()[0] == "% title \\input{x}"


def test_markdown_row_has_as_many_columns_as_its_head() -> None:
    rows = [line for line in markdown_table(table(HOSTILE)).splitlines() if line.startswith("|")]
    assert {row.replace(r"\|", "").count("|") for row in rows} == {5}


def test_markdown_shows_markup_as_text() -> None:
    assert r"\<script\>" in markdown_table(table("<script>"))


def test_plain_columns_are_aligned() -> None:
    lines = plain_table(table("a long name")).splitlines()
    assert lines[2].index("p@1") == lines[3].index("12.3") == lines[4].index("[10.00")


def test_plain_table_has_one_line_per_row_whatever_the_name() -> None:
    assert len(plain_table(table(HOSTILE)).splitlines()) == len(plain_table(table("x")).splitlines())
