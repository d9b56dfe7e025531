"""Boosted trees as plain arrays: checked when they are loaded, and fast."""
