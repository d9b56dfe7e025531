"""Limits that others need to know without loading the kernels."""

from typing import Final

LONGEST_QUERY: Final = 20_000
"""Terms of a query beyond this many are not read: in each of three fields, their clauses count in 16 bits."""
