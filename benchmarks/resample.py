"""Any number of realistic questions out of a real set, for measurements on archives larger than any at hand.

Titles: the first half of one real title's words, followed by the second half of another's.

Bodies: sentences drawn from all real bodies of the set, until the body has as many words as the real body of
the question that gave the title's first half; the last sentence is cut to fit. So lengths have exactly the
real distribution, and words their real frequencies. Line ends are lost, and markup comes out unbalanced.

New words: forums never stop bringing new ones (names, numbers, typing errors); mere resampling would.
A set of T words, V of them different and S of these seen only once, grows to t words with V * (t / T)^(S / V)
different ones (Heaps' law, with the exponent of a Pitman-Yor process). Resampling draws one of the S words
every T / S words, so growth comes out right if a drawn one is made new, by a number at its end, with
probability (t / T)^(S / V - 1), and always while t is below T. A random quarter of a set, grown to the size
of the whole, then has about as many different words as the whole: cooking -2%, askubuntu-bodies +1%,
askubuntu-titles +12%, quora +31%.

The same questions, count and seed give the same result. Memory grows with the real set, not with `count`.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from askagain.question import Question
from askagain.sources.jsonl import JsonlSource

REPOSITORY = Path(__file__).parent.parent
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
WORD = re.compile(r"\w+")
# Some sets have no punctuation: there, and in code, a "sentence" is this many words.
LONGEST_SENTENCE = 25

Words = list[str]
Chance = Callable[[], float]


def set_folder(set_name: str) -> Path:
    """Where a set is, in the folder named by ASKAGAIN_DATA."""
    return Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data")) / set_name


def real_questions(set_name: str) -> list[Question]:
    """All questions of a set."""
    records = JsonlSource().records(set_folder(set_name) / "questions.jsonl.gz")
    return [record for record in records if isinstance(record, Question)]


def resample(questions: Iterable[Question], count: int, seed: int) -> Iterator[Question]:
    """`count` new questions with the vocabulary, the word frequencies and the lengths of the given ones."""
    real = [question for question in questions if question.title.strip()]
    if not real:
        raise ValueError("nothing to resample: no question has a title")
    titles = [question.title.split() for question in real]
    body_lengths = [len(question.body.split()) for question in real]
    sentences = [sentence for question in real for sentence in _sentences(question.body)]
    chance = random.Random(seed).random
    novelty = _Novelty(titles + sentences, chance)
    for number in range(count):
        first, second = int(chance() * len(real)), int(chance() * len(real))
        title = _spliced(titles[first], titles[second])
        body = _drawn(sentences, body_lengths[first], chance) if body_lengths[first] else []
        yield Question(
            id=f"resampled-{number}",
            title=" ".join(novelty.renewed(title)),
            body=" ".join(novelty.renewed(body)),
            tags=real[first].tags,
        )


def _sentences(body: str) -> Iterator[Words]:
    for text in SENTENCE_END.split(body):
        words = text.split()
        for start in range(0, len(words), LONGEST_SENTENCE):
            yield words[start : start + LONGEST_SENTENCE]


def _spliced(first: Words, second: Words) -> Words:
    """Halves are rounded up, so a title of one word gives and keeps that word."""
    return first[: (len(first) + 1) // 2] + second[(len(second) + 1) // 2 :]


def _drawn(sentences: Sequence[Words], length: int, chance: Chance) -> Words:
    words: Words = []
    while len(words) < length:
        words += sentences[int(chance() * len(sentences))]
    return words[:length]


class _Novelty:
    """Turns words that the real set has only once into words that it does not have, as often as forums do."""

    def __init__(self, texts: Sequence[Words], chance: Chance) -> None:
        counts = Counter(word for text in texts for word in WORD.findall(" ".join(text).lower()))
        seen_once = {word for word, times in counts.items() if times == 1}
        self._places = {word: end for text in texts for word in text if (end := _end_of_any(seen_once, word))}
        self._seen_once = self._places.keys()
        self._exponent = len(seen_once) / max(1, len(counts)) - 1
        self._real_words = sum(map(len, texts))
        self._words = 0
        self._new_words = 0
        self._chance = chance

    def renewed(self, words: Words) -> Words:
        """The same words, but some of those that the real set has only once are new."""
        self._words += len(words)
        if self._seen_once.isdisjoint(words):
            return words
        return [self._new(word) if word in self._places and self._wanted() else word for word in words]

    def _wanted(self) -> bool:
        growth = max(1.0, self._words / self._real_words)
        return bool(self._chance() < growth**self._exponent)

    def _new(self, word: str) -> str:
        end = self._places[word]
        self._new_words += 1
        return f"{word[:end]}x{self._new_words}{word[end:]}"


def _end_of_any(wanted: set[str], text: str) -> int:
    """Where the first of the wanted words ends in the text; 0 if it has none."""
    return next((match.end() for match in WORD.finditer(text) if match.group().lower() in wanted), 0)
