"""Duplicates inside an archive: likely pairs, groups, canonical questions, redirects."""
