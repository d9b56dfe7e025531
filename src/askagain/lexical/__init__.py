"""The lexical engine: the six classic similarities over one live inverted index."""
