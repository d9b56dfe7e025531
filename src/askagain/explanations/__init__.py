"""Explanations: what two questions have in common and what only one of them has, for every system alike."""
