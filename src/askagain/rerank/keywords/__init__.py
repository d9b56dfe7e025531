"""Keywords of a question, by its dependency parses (Qi, Zhang & Liu 2017, section 2.1)."""
