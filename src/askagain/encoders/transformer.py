"""Sentence encoders: a transformer from anywhere, or the packaged one, as one more kind of encoder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.explaining import DensePieces, reasons_from
from askagain.encoders.pooling import unit_length
from askagain.encoders.sentencefolder import FEWEST_TOKENS, identity_of, load_network, packaged_folder
from askagain.encoders.texts import Batch, Texts, batches, packed
from askagain.encoders.vectors import Floats, QuestionVectors
from askagain.question import Question, Reason
from askagain.sources.base import Progress, no_progress
from askagain.stopwords import ENGLISH
from askagain.tables import check_range
from askagain.text import clean, tokenize

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import Tensor

MOST_TOKENS: Final = 512
"""Of a text no more tokens are read, even by an encoder that could."""

BATCH_TOKENS: Final = 512
"""Texts are encoded in batches of so many tokens: larger ones do not fit a processor's cache."""

_QUESTIONS_AT_ONCE: Final = 512
# No token is longer on average, so that of a gigantic post only the beginning is looked at.
_CHARACTERS_PER_TOKEN: Final = 50
_MOST_WORDS: Final = 12
_REMEMBERED_QUESTIONS: Final = 16


def load_sentences(
    folder: Path | None = None, *, bodies: bool = True, longest: int | None = None
) -> SentenceModel:
    """The sentence encoder of a folder; without one, the encoder that comes with the extra `transformer`."""
    folder = packaged_folder() if folder is None else folder
    return SentenceModel(load_network(folder), identity=identity_of(folder), bodies=bodies, longest=longest)


class SentenceReader:
    """Turns questions into the tokens of a network: title, or title and body as one text.

    Prompts that a network has for queries and documents are not used: both sides are questions here.
    """

    def __init__(self, network: SentenceTransformer, *, bodies: bool, longest: int | None) -> None:
        from tokenizers import Tokenizer

        if longest is not None:
            check_range("longest", longest, FEWEST_TOKENS, MOST_TOKENS)
        self.bodies = bodies
        self.longest = min(longest or MOST_TOKENS, network.max_seq_length or MOST_TOKENS, MOST_TOKENS)
        # A copy: how long texts may be here is not saved with the network.
        self._tokenizer = Tokenizer.from_str(network.tokenizer.backend_tokenizer.to_str())
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.longest)
        self._speaking = _speaking_tokens(network.tokenizer)

    def text(self, question: Question) -> str:
        """What is read of a question."""
        most = _CHARACTERS_PER_TOKEN * self.longest
        fields = [question.title, question.body] if self.bodies else [question.title]
        return "\n".join(clean(field[:most]) for field in fields if field)[:most]

    def read(self, questions: Sequence[Question]) -> Texts:
        """The tokens of each question; none if no known token of it has a letter or a digit."""
        read = self._tokenizer.encode_batch_fast([self.text(question) for question in questions])
        tokens = [np.array(text.ids, dtype=np.int32) for text in read]
        return packed([ids if self._speaking[ids].any() else ids[:0] for ids in tokens])


def _speaking_tokens(tokenizer: Any) -> NDArray[np.bool_]:
    """For each token whether it is a known piece of text with a letter or a digit."""
    vocabulary = tokenizer.get_vocab()
    special = set(tokenizer.all_special_ids)
    speaking = np.zeros(max(vocabulary.values(), default=-1) + 1, dtype=np.bool_)
    for token, number in vocabulary.items():
        speaking[number] = number not in special and any(map(str.isalnum, token))
    return speaking


class SentenceModel:
    """Vectors of unit length; zeros for a question that says nothing."""

    def __init__(
        self,
        network: SentenceTransformer,
        *,
        identity: str,
        bodies: bool = True,
        longest: int | None = None,
    ) -> None:
        self.network = network
        self.reader = SentenceReader(network, bodies=bodies, longest=longest)
        self._identity = identity
        self._pieces = lru_cache(_REMEMBERED_QUESTIONS)(self._pieces_of)

    @property
    def identity(self) -> str:
        """Differs between two models that may give different vectors for a question."""
        fields = "title+body" if self.reader.bodies else "title"
        return f"{self._identity}-{fields}-{self.reader.longest}"

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self.network.get_embedding_dimension() or 0)

    @property
    def columns(self) -> int:
        """No sparse part."""
        return 0

    def encode(self, questions: Sequence[Question], progress: Progress = no_progress) -> QuestionVectors:
        """One vector per question, as it is kept in an index; progress counts questions."""
        dense = np.zeros((len(questions), self.dimension), dtype=np.float32)
        for first in range(0, len(questions), _QUESTIONS_AT_ONCE):
            some = questions[first : first + _QUESTIONS_AT_ONCE]
            dense[first : first + len(some)] = self._encoded(self.reader.read(some))
            progress(first + len(some), len(questions))
        return QuestionVectors(
            dense,
            np.zeros(0, dtype=np.int32),
            np.zeros(0, dtype=np.float32),
            np.zeros(len(questions) + 1, dtype=np.int64),
        )

    def as_queries(self, vectors: QuestionVectors) -> QuestionVectors:
        """The same: both sides are encoded alike."""
        return vectors

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """What the score loses without a word of the question's title, largest loss first."""
        pieces = self._pieces(question)
        shares = pieces.shares(self.encode([candidate]))
        return reasons_from(zip(pieces.labels, shares, strict=True))

    def _encoded(self, texts: Texts) -> Floats:
        import torch

        dense = np.zeros((len(texts), self.dimension), dtype=np.float32)
        with torch.inference_mode():
            for batch in batches(texts, BATCH_TOKENS):
                dense[batch.rows] = forward(self.network, batch).numpy()
        return unit_length(dense)

    def _pieces_of(self, question: Question) -> DensePieces:
        words = question.title[: _CHARACTERS_PER_TOKEN * self.reader.longest].split()
        said = {place: " ".join(tokenize(word)) for place, word in enumerate(words)}
        chosen = [place for place, word in said.items() if word and word not in ENGLISH][:_MOST_WORDS]
        shorter = [" ".join(words[:place] + words[place + 1 :]) for place in chosen]
        variants = [Question(title, question.body) for title in [" ".join(words), *shorter]]
        vectors = self.encode(variants).dense
        return DensePieces([(said[place], "title") for place in chosen], vectors[0] - vectors[1:])


def forward(network: SentenceTransformer, batch: Batch) -> Tensor:
    """The network's vectors of some texts: [texts, dimension]."""
    import torch

    ids = torch.from_numpy(batch.ids).long()
    there = ids >= 0
    padding = network.tokenizer.pad_token_id or 0
    features = {"input_ids": ids.masked_fill(~there, padding), "attention_mask": there.long()}
    vectors: Tensor = network(features)["sentence_embedding"]
    return vectors
