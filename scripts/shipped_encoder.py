"""Makes the encoder that ships with the package: `make model`.

python scripts/shipped_encoder.py [--work results] [--out src/askagain/shipped/encoder]

Teacher: the sentence encoder all-MiniLM-L6-v2 of the extra `transformer`. It reads the titles of all sets,
and titles with bodies where there are bodies; marks are not looked at. Its vectors are kept in the folder
--work, so that an interrupted call goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
import tomli_w

from askagain.analysis import AnalyzerSettings
from askagain.arrayfile import load_arrays, save_arrays
from askagain.encoders.folder import save_model
from askagain.encoders.quantised import in_8_bits
from askagain.encoders.settings import Average, Part, WordSettings
from askagain.encoders.transformer import SentenceModel, load_sentences
from askagain.encoders.vectors import Floats
from askagain.errors import IndexFileError
from askagain.question import Question
from askagain.sources.jsonl import JsonlSource
from askagain.sources.semeval import SemevalSource
from askagain.training.distillation import DistillationSettings, Lessons, Taught, distil

REPOSITORY = Path(__file__).parent.parent
DATA = Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data"))
WITH_BODIES = ("askubuntu-bodies", "english", "cooking", "robotics", "semeval")
TITLES_ONLY = ("askubuntu-titles", "quora", "biology")
SEED = 1

NAME = "shipped"
DESCRIPTION = "An average of word vectors that ships with the package, for any forum in English"
PART = Part(
    network=Average(hidden=256),
    analyzer=AnalyzerSettings(stemmer="none"),
    fields="average",
    longest=150,
    words=WordSettings(dimension=256, min_count=3, unknown="ngrams", bits=8),
)
SETTINGS = DistillationSettings(epochs=30)
TEACHER_TOKENS = 128


@dataclass(frozen=True)
class Shipped:
    """What a model folder tells of this model."""

    name: str = NAME
    description: str = DESCRIPTION
    parts: tuple[Part, ...] = (PART,)


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def questions_of(set_name: str) -> list[Question]:
    """Every question of a set once."""
    if set_name == "semeval":
        files = sorted((DATA / set_name).glob("*.jsonl.gz"))
        records = chain.from_iterable(map(SemevalSource().records, files))
    else:
        records = JsonlSource().records(DATA / set_name / "questions.jsonl.gz")
    return list({record.id: record for record in records if isinstance(record, Question)}.values())


def taught_vectors(teacher: SentenceModel, name: str, questions: Sequence[Question], work: Path) -> Floats:
    """What the teacher makes of some questions; read from a file if it has them."""
    path = work / "teacher" / name
    identity = {"teacher": teacher.identity, "questions": len(questions)}
    try:
        header, arrays = load_arrays(path)
        if header.get("identity") == identity:
            return arrays["vectors"]
    except IndexFileError:
        pass
    log(f"{name}: the teacher reads {len(questions):,} questions")
    vectors = teacher.encode(questions, partial(_every_tenth, name)).dense
    path.parent.mkdir(parents=True, exist_ok=True)
    save_arrays(path, {"identity": identity}, {"vectors": vectors})
    return vectors


def _every_tenth(what: str, done: int, total: int) -> None:
    if done * 10 // total > (done - 512) * 10 // total:
        log(f"{what}: {done:,} of {total:,}")


def readings() -> Iterator[tuple[str, list[Question]]]:
    """Each set as the student reads it: titles, and titles with bodies."""
    for name in (*WITH_BODIES, *TITLES_ONLY):
        questions = questions_of(name)
        if name in WITH_BODIES:
            yield f"{name}-with-body", questions
        yield f"{name}-title", [replace(question, body="") for question in questions]


def lessons(work: Path) -> Lessons:
    """All readings with the teacher's vectors."""
    teacher = load_sentences(longest=TEACHER_TOKENS)
    questions: list[Question] = []
    vectors: list[Floats] = []
    collections: list[int] = []
    for number, (name, some) in enumerate(readings()):
        vectors.append(taught_vectors(teacher, name, some, work))
        questions += some
        collections += [number] * len(some)
    return Lessons(questions, np.concatenate(vectors), np.array(collections))


def save(taught: Taught, folder: Path, card: str) -> None:
    small = in_8_bits({"words": taught.words, "buckets": taught.buckets})
    weights = {"weights": np.ones(1, dtype=np.float32)} | {f"part0.{name}": small[name] for name in small}
    save_model(folder, Shipped(), [taught.vocabulary], weights, card, {})


def card_of(learned: Lessons, taught: Taught, losses: Sequence[float]) -> str:
    settings = {"part": PART.to_table(), "distillation": asdict(SETTINGS), "seed": SEED}
    return "\n".join([
        f"# {NAME}", "", DESCRIPTION + ".", "",
        "## How it was made", "",
        "`make model` made it from public question sets. It learned to give the vectors that the sentence "
        "encoder all-MiniLM-L6-v2 gives; no marks were used. It reads words in any order; a word that it "
        "does not know has the mean vector of its parts.", "",
        f"- questions: {len(learned.questions):,} readings (titles, and titles with bodies) of "
        f"{', '.join((*WITH_BODIES, *TITLES_ONLY))}; the texts of test questions are among them",
        f"- words: {len(taught.vocabulary):,}; n-gram vectors: {len(taught.buckets):,}",
        f"- loss of the epochs: {', '.join(f'{loss:.3f}' for loss in losses)}", "",
        "## Sources", "",
        "Questions: Stack Exchange contributors (CC BY-SA), Quora and Qatar Living (SemEval). Teacher: "
        "all-MiniLM-L6-v2 (Apache 2.0).", "",
        "## Settings", "", "```toml", tomli_w.dumps(settings).strip(), "```", "",
    ])  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--work", type=Path, default=REPOSITORY / "results")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "src" / "askagain" / "shipped" / "encoder")
    options = parser.parse_args()
    learned = lessons(options.work)
    losses: list[float] = []

    def on_epoch(epoch: int, loss: float) -> None:
        losses.append(loss)
        log(f"epoch {epoch}: loss {loss:.4f}")

    taught = distil(PART, learned, SETTINGS, SEED, on_epoch=on_epoch)
    save(taught, options.out, card_of(learned, taught, losses))


if __name__ == "__main__":
    main()
