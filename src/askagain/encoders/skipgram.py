"""Word vectors from raw text: a skip-gram with negative sampling (Mikolov et al. 2013, arXiv:1310.4546).

Training runs in one thread, because the result of several depends on which of them is faster. The same
text, settings and seed give the same vectors in every process of a machine.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from askagain.encoders.wordvectors import WordVectors
from askagain.errors import MissingExtraError, SettingsError, TrainingError
from askagain.lexical.parameters import check, check_number, check_range
from askagain.sources.base import Progress, no_progress

_LARGEST_SEED: Final = 2**32 - 1
_MOST: Final = {"dimension": 10_000, "window": 1000, "negative": 1000, "min_count": 10**9, "epochs": 10_000}
_FEWEST_WORDS: Final = 2
# gensim's reader copies what it has not used yet of a longer line, again and again.
_LONGEST_SENTENCE: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipgramSettings:
    """How vectors are learned from text.

    A word that occurs `min_count` times gets a vector of `dimension` numbers, learned in `epochs` passes from
    up to `window` words on either side and `negative` random words for each of them. Words that are more
    than a share `subsample` of the text are seen less often; 0 = all words are always seen.
    """

    dimension: int = 200
    window: int = 5
    negative: int = 10
    min_count: int = 2
    epochs: int = 10
    subsample: float = 1e-3

    def __post_init__(self) -> None:
        for name, most in _MOST.items():
            _check_whole(name, getattr(self, name), 1, most)
        check_number("subsample", self.subsample)
        check_range("subsample", self.subsample, 0, 1)


def _check_whole(name: str, value: object, least: int, most: int) -> None:
    is_whole = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    check(is_whole, name, value, f"a whole number from {least} to {most:,}")


def train_skipgram(
    sentences: Iterable[list[str]],
    settings: SkipgramSettings,
    *,
    seed: int,
    start: WordVectors | None = None,
    progress: Progress = no_progress,
) -> WordVectors:
    """Vectors of the words of some text, the most frequent word first.

    The text is read once. Words that have a vector in `start` begin with it, all others with small random
    numbers. If fewer than two words are frequent enough, every word is. `progress` is called with (epochs
    done, epochs in all).
    """
    _check_whole("seed", seed, 0, _LARGEST_SEED)
    _check_start(start, settings)
    word2vec = _word2vec()
    with TemporaryDirectory(prefix="askagain-") as folder:
        corpus = Path(folder) / "sentences"
        counts = _write_corpus(sentences, corpus)
        model = word2vec(
            sg=1,
            vector_size=settings.dimension,
            window=settings.window,
            negative=settings.negative,
            min_count=_least_count(counts, settings.min_count),
            epochs=settings.epochs,
            sample=settings.subsample,
            seed=seed,
            workers=1,
        )
        model.build_vocab_from_freq(counts)
        _take_over(start, model.wv)
        _train(model, corpus, counts.total(), progress)
    return WordVectors(tuple(model.wv.index_to_key), model.wv.vectors)


def _check_start(start: WordVectors | None, settings: SkipgramSettings) -> None:
    if start is not None and start.dimension != settings.dimension:
        raise SettingsError(
            f"the vectors to start from have {start.dimension} dimensions and those to be trained "
            f"{settings.dimension}: set dimension = {start.dimension}, or start from others"
        )


def _word2vec() -> Any:
    try:
        from gensim.models import Word2Vec
    except ImportError:
        raise MissingExtraError(
            "training word vectors needs the package gensim; install it: pip install 'askagain[neural]'"
        ) from None
    return Word2Vec


# The text


def _write_corpus(sentences: Iterable[list[str]], corpus: Path) -> Counter[str]:
    """Write a sentence a line and count the words, split at ASCII white space as gensim's reader does it."""
    counts: Counter[bytes] = Counter()
    with corpus.open("wb") as file:
        for sentence in sentences:
            words = " ".join(sentence).encode("utf-8", errors="replace").split()
            counts.update(words)
            for first in range(0, len(words), _LONGEST_SENTENCE):
                file.write(b" ".join(words[first : first + _LONGEST_SENTENCE]) + b"\n")
    if not counts:
        raise TrainingError("there is no word in the text to learn word vectors from; give it more text")
    return Counter({word.decode("utf-8"): count for word, count in counts.items()})


def _least_count(counts: Counter[str], wanted: int) -> int:
    frequent = sum(count >= wanted for count in counts.values())
    return wanted if frequent >= _FEWEST_WORDS else 1


# The training


def _take_over(start: WordVectors | None, keyed: Any) -> None:
    if start is not None:
        for row, word in enumerate(keyed.index_to_key):
            if word in start:
                keyed.vectors[row] = start.of(word)


def _train(model: Any, corpus: Path, words: int, progress: Progress) -> None:
    progress(0, model.epochs)
    try:
        model.train(
            corpus_file=str(corpus),
            total_words=words,
            epochs=model.epochs,
            callbacks=[_after_each_epoch(progress, model.epochs)],
        )
    except BaseException:
        # After Ctrl-C, gensim's thread would go on to the end of the epoch, if there were more to read.
        os.truncate(corpus, 0)
        raise


def _after_each_epoch(progress: Progress, epochs: int) -> Any:
    from gensim.models.callbacks import CallbackAny2Vec

    class Epochs(CallbackAny2Vec):  # type: ignore[misc]
        done = 0

        def on_epoch_end(self, model: Any) -> None:
            self.done += 1
            progress(self.done, epochs)

    return Epochs()
