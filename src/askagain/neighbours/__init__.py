"""Nearest neighbours among the vectors of an archive's questions."""
