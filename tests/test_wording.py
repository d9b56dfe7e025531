"""Words for numbers."""

import pytest

from askagain.wording import counted


@pytest.mark.parametrize(("count", "expected"), [(0, "0 rows"), (1, "1 row"), (1234, "1,234 rows")])
def test_counts_agree_with_their_noun(count: int, expected: str) -> None:
    assert counted(count, "row") == expected
