"""Bulk encoding: the vectors of many questions, or the features of many pairs, in files."""
