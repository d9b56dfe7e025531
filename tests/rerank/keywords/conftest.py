"""What the tests of keywords share."""

import pytest

from askagain.errors import MissingExtraError
from askagain.rerank.keywords.parsing import Parser, find_parser
from support import require


def installed(name: str) -> Parser:
    try:
        return find_parser(name)
    except MissingExtraError as error:
        require(False, str(error))
        raise


@pytest.fixture(scope="session")
def spacy_parser() -> Parser:
    """The real one, with whatever English model there is."""
    return installed("spacy")


@pytest.fixture(scope="session")
def link_grammar() -> Parser:
    """The real one, from Debian."""
    return installed("link-grammar")
