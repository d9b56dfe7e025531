import pytest

from askagain.sources.rows import RowError
from askagain.sources.xmlrows import parse_piece


def test_a_piece_is_parsed():
    assert parse_piece(b'<row Id="1" Title="a &amp; b &#x1F600;"/>').get("Title") == "a & b \N{GRINNING FACE}"


@pytest.mark.parametrize(
    "piece",
    [
        b"",
        b"<row",
        b'<row Id="1"',
        b'<row Id="1"/><row Id="2"/>',
        b'<row Id="&unknown;"/>',
        b'<row Id="&#0;"/>',
        b'<row Id="\xff"/>',
        b'<!DOCTYPE row [<!ENTITY a "b">]><row Id="&a;"/>',
        b'<?xml version="1.0"?><!DOCTYPE row [<!ENTITY a "b">]><row Id="&a;"/>',
        b"<a>" * 100_000,
        b'<row Body="' + b"x" * 11_000_000 + b'"/>',
    ],
    ids=lambda piece: ascii(piece[:30]),
)
def test_what_is_broken_or_dangerous_is_refused_with_a_short_reason(piece):
    with pytest.raises(RowError) as refusal:
        parse_piece(piece)
    assert str(refusal.value).startswith("broken XML: ")
    assert len(str(refusal.value)) < 120
