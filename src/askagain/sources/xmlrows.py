"""Parsing one piece of an XML file at a time, with nothing that XML can do to a reader.

A piece begins with its element, so it holds no document type and no entity is ever defined, expanded or
fetched: a piece that uses one is simply broken, and its neighbours are not.
"""

from __future__ import annotations

import re

from lxml import etree

from askagain.sources.fields import shown
from askagain.sources.rows import RowError

_POSITION = re.compile(r",? line \d+, column \d+.*", re.DOTALL)
_ELEMENT = re.compile(rb"\s*<[A-Za-z]")
_PARSER = etree.XMLParser(
    encoding="utf-8",
    resolve_entities=False,
    no_network=True,
    load_dtd=False,
    huge_tree=False,
    remove_comments=True,
    remove_pis=True,
)


def parse_piece(piece: bytes) -> etree._Element:
    """The element that `piece` holds, which must be UTF-8 and well-formed."""
    if not _ELEMENT.match(piece):
        raise RowError("broken XML: does not begin with an element")
    try:
        return etree.fromstring(piece, _PARSER)
    except etree.XMLSyntaxError as error:
        message = _POSITION.sub("", error.msg or "unreadable")
        raise RowError(f"broken XML: {shown(message)}") from None
