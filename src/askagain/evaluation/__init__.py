"""Evaluation: benchmarks, metrics, tests of significance, and the reports they end in."""
