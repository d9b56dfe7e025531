"""The vocabularies of a model's parts: a line per word, with the part, the word's questions and the word."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from askagain.encoders.vocabulary import Vocabulary
from askagain.errors import ModelError
from askagain.modelfolder import REMEDY


def save_vocabularies(path: Path, vocabularies: Sequence[Vocabulary]) -> None:
    """Write the words of all parts in their order."""
    with path.open("xb") as file:
        for part, vocabulary in enumerate(vocabularies):
            for word, documents in zip(vocabulary.words, vocabulary.documents.tolist(), strict=True):
                file.write(f"{part}\t{documents}\t{_writable(word)}\n".encode())


def _writable(word: str) -> str:
    """Words of an analyzer are letters, digits and a few signs; others would not come back as they were."""
    if "\t" in word or "\n" in word or any("\ud800" <= character <= "\udfff" for character in word):
        raise ModelError(f"the word {word!r} cannot be saved: it has a tab, a line feed or half a character")
    return word


def load_vocabularies(path: Path, checksum: str, questions: Sequence[int]) -> list[Vocabulary]:
    """The vocabularies of parts for which so many questions were counted; the file has this checksum."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}; {REMEDY}") from error
    if sha256(content).hexdigest() != checksum:
        raise ModelError(f"{path} is damaged or belongs to another model: its checksum is wrong; {REMEDY}")
    try:
        return _parsed(content.decode("utf-8"), questions)
    except ValueError as error:
        raise ModelError(f"{path} is not a list of words: {error}; {REMEDY}") from error


def _parsed(text: str, questions: Sequence[int]) -> list[Vocabulary]:
    words: dict[str, dict[str, int]] = {str(part): {} for part in range(len(questions))}
    lines = text.split("\n")[:-1]
    for line in lines:
        part, documents, word = line.split("\t")
        if part not in words:
            raise ValueError(f"there is no part {part!r}")
        words[part][word] = int(documents)
    if sum(map(len, words.values())) != len(lines):
        raise ValueError("a word is there twice")
    return [_vocabulary(counts, total) for counts, total in zip(words.values(), questions, strict=True)]


def _vocabulary(counts: dict[str, int], questions: int) -> Vocabulary:
    if counts and (min(counts.values()) < 0 or max(1, *counts.values()) > questions):
        raise ValueError(f"a word is said to be in fewer than 0 or more than {questions} questions")
    return Vocabulary(tuple(counts), np.array(list(counts.values()), dtype=np.int64), questions)
