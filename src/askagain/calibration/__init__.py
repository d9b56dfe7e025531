"""Calibration: from the scores of a system to probabilities that mean what they say."""
