"""Part of the real GloVe file, for tests that need words with meanings."""

from pathlib import Path

from askagain.encoders.vectorfiles import load_vectors
from askagain.encoders.wordvectors import WordVectors


class StartingWith:
    """All words with one of these initials, without a list of them."""

    def __init__(self, initials: str) -> None:
        self._initials = tuple(initials)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and word.startswith(self._initials)


def glove(data_dir: Path, initials: str) -> WordVectors:
    return load_vectors(data_dir / "vectors" / "glove.100d.txt.gz", StartingWith(initials))
