"""Metrics of machine translation between two questions.

Each is a pure function of two sequences of words: the reference, for us the query, and the hypothesis, for us
the candidate.
"""
