"""Word vectors that a training has learned, in a checked file until it ends: learning them takes minutes."""

from __future__ import annotations

from pathlib import Path

from askagain.arrayfile import load_arrays, save_arrays
from askagain.encoders.wordvectors import WordVectors
from askagain.errors import IndexFileError, TrainingError


class KeptVectors:
    """The file of one part's own word vectors, in one training and no other."""

    def __init__(self, path: Path, identity: str) -> None:
        self._path = path
        self._identity = identity

    def save(self, vectors: WordVectors) -> None:
        """In place of whatever is there."""
        header = {"identity": self._identity, "words": vectors.words}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            save_arrays(self._path, header, {"matrix": vectors.matrix})
        except (OSError, IndexFileError) as error:
            raise TrainingError(f"word vectors cannot be kept: {error}") from error

    def load(self) -> WordVectors | None:
        """None if there is nothing of this training, or if it is damaged."""
        try:
            header, arrays = load_arrays(self._path)
        except IndexFileError:
            return None
        if header.get("identity") != self._identity:
            return None
        return WordVectors(tuple(header["words"]), arrays["matrix"])
