"""Undoes what the making of the SemEval-2016/2017 Task 3 files did to the texts.

The questions once passed through a CSV file with subject and body in one record. Commas became semicolons,
and where the record was quoted, the quoting is still there: the subject begins with the opening quote, the
body ends with the closing one, and every quote in between is doubled. The test questions of 2016 have a
quoted body inside that record. The related questions of 2017 did not go this way and have real commas.
"""

from __future__ import annotations

import re

# Not in the text itself: white space is collapsed to single blanks first.
_FIELD_END = "\n"
# The possessive ++ and *+ give nothing back: without them, a text of 10 MB takes a GB of memory.
_CSV_QUOTED = re.compile(r'"((?:[^"]++|"")*+)"')
# Semicolons that were never commas: those of HTML entities and of winks.
_ENTITY_WINK_OR_SEMICOLON = re.compile(r"(&#?\w+;|;-?\))|;")


def clean_texts(subject: str, body: str) -> tuple[str, str]:
    """A question's subject and body as their author wrote them."""
    record = _FIELD_END.join(" ".join(text.split()) for text in (subject, body)).rstrip()
    title, _, text = _without_csv_quoting(record).partition(_FIELD_END)
    text = _without_lone_quote(_without_csv_quoting(text))
    if "," in record:
        return title.strip(), text.strip()
    return _with_commas(title.strip()), _with_commas(text.strip())


def _without_csv_quoting(text: str) -> str:
    quoted = _CSV_QUOTED.fullmatch(text)
    return quoted[1].replace('""', '"') if quoted else text


def _without_lone_quote(text: str) -> str:
    """Some bodies were cut after they had been quoted, and kept one of the two outer quotes."""
    return text.removeprefix('"').removesuffix('"') if text.count('"') == 1 else text


def _with_commas(text: str) -> str:
    return _ENTITY_WINK_OR_SEMICOLON.sub(lambda found: found[1] or ",", text)
