"""Encoders: from questions to vectors, with numpy alone."""
