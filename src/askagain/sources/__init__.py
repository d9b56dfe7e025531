"""Readers of forum data, one format per file."""
