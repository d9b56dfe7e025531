"""`askagain demo`: the sample forum, searched, explained, measured and served."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from askagain.archive import Archive
from askagain.archive.records import Scope
from askagain.cli.compiling import announce_compiling
from askagain.cli.matches import match_table
from askagain.cli.output import console, text
from askagain.cli.serving import serve_archive
from askagain.engine import Engine
from askagain.errors import ArchiveError
from askagain.extras import check_serve
from askagain.question import Question, Verdict

if TYPE_CHECKING:
    from askagain.evaluation.benchmarks import RetrievalBenchmark


class Search(NamedTuple):
    """A new question, and the earlier one that has the answer."""

    title: str
    wanted: str


SEARCHES: Final = (
    Search("Excel headings vanish when I scroll down", "computers-5"),
    Search("Is it fine to eat rice that stood out overnight?", "cooking-10"),
    Search('"between he and I": is that right?', "language-16"),
    Search("Who pays the night if a delay makes me miss my connection?", "travel-5"),
)
OTHER_WORDS: Final = Search("Carsick along bendy streets", "travel-1")
"""It shares no word with the question that has its answer."""

_SHOWN: Final = 3
_KEY_NAME: Final = "demo"
_SYSTEMS: Final = ("bm25", "best")
_METRICS: Final = ("acc@1", "acc@5", "acc@10")


def demo(
    archive: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the sample forum's archive in this new file."),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="The page's port. Default: a free one.")
    ] = 0,
    tour: Annotated[bool, typer.Option("--tour", help="Show results here only, and serve no page.")] = False,
) -> None:
    """See it work on a small sample forum, in some seconds and without any data of yours.

    First a tour of what it finds, then a page in the browser to try it, until Ctrl-C.

    Example: `askagain demo --archive demo.db`
    """
    announce_compiling()
    with _archive_path(archive) as path:
        _import_sample(path)
        _show_tour(path)
        _show_next_steps(archive)
        if not tour:
            _serve_page(path, port)


def _show_tour(path: Path) -> None:
    with Engine.open(path) as engine:
        _show_counts(engine.archive)
        for search in SEARCHES:
            _show_search(engine, search, explain=search is SEARCHES[0])
        _show_other_words(engine)
    _show_evaluation()


def _serve_page(path: Path, port: int) -> None:
    """The archive is a sample that anybody may mark: the key is shown on the screen."""
    check_serve()
    _headline("Try it in the browser")
    with Archive.open(path) as archive:
        archive.revoke_key(_KEY_NAME)
        key = archive.add_key(_KEY_NAME, Scope.MODERATE)
    _say(f"To moderate, or to say which suggestions are right, enter this key on the page: {key}")
    _say("The page's address comes next. Ctrl-C ends it.")
    serve_archive(path, port)


@contextmanager
def _archive_path(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        yield kept
        return
    with TemporaryDirectory(prefix="askagain-") as folder:
        yield Path(folder) / "demo.db"


def _import_sample(path: Path) -> None:
    from askagain.sample import forum

    known = {question.id for question in forum.questions()}
    with Archive.open(path) as archive:
        if any(question.id not in known for question in archive.questions()):
            raise ArchiveError(f"{path} has questions of another forum: give the name of a new file")
        forum.load_into(archive)


def _show_counts(archive: Archive) -> None:
    from askagain.sample import forum

    duplicates, others = (sum(1 for _ in archive.marks(verdict)) for verdict in Verdict)
    _say(
        f"The sample forum has {len(archive)} questions on {', '.join(forum.TOPICS)}. People have marked "
        f"{duplicates} pairs of them as duplicates, and {others} pairs that look like it as different."
    )


def _show_search(engine: Engine, search: Search, *, explain: bool) -> None:
    matches = engine.search(Question(title=search.title), _SHOWN, explain="all" if explain else "words")
    _ask(search)
    console().print(match_table(matches, explain=False))
    best = matches[0]
    if explain:
        _say(
            "The first column says how likely each is a duplicate, as far as marks of other forums tell. "
            "The best one, with the weight of each word, and what each signal gives to the score:"
        )
        console().print(match_table([best], explain=True))
    if best.question is not None:
        _say(f"Its answer: {best.question.answer}")


def _show_other_words(engine: Engine) -> None:
    _ask(OTHER_WORDS)
    console().print(match_table(engine.search(Question(title=OTHER_WORDS.title), _SHOWN), explain=False))
    _say(
        f"{OTHER_WORDS.wanted} has the answer, but not one word in common with the question. Systems that "
        "compare words, such as bm25, cannot find it. The encoder in best knows which words mean similar "
        "things and does; but so little speaks for it that the probability is low."
    )


def _show_evaluation() -> None:
    from rich.table import Table

    from askagain.evaluating import run_all
    from askagain.evaluation.results import report
    from askagain.systems import load_system

    benchmark = _benchmark()
    result = report(run_all([load_system(name) for name in _SYSTEMS], benchmark))
    _headline("How often is a marked duplicate among the first 1, 5 or 10?")
    table = Table("system", *_METRICS, box=None, pad_edge=False)
    for system in result.systems:
        table.add_row(system.name, *(f"{system.values[metric]:.1f} %" for metric in _METRICS))
    console().print(table)
    _say(
        f"Over {result.queries} questions that have one. Most duplicates of this forum were written in other "
        "words on purpose, which makes it a hard one."
    )


def _benchmark() -> RetrievalBenchmark:
    """The sample forum with its marks as a retrieval set."""
    from askagain.evaluation.benchmarks import TITLE_AND_BODY, RetrievalBenchmark
    from askagain.sample import forum

    relevant: dict[str, frozenset[str]] = {}
    for mark in forum.marks():
        if mark.verdict is Verdict.DUPLICATE:
            for one, other in ((mark.first, mark.second), (mark.second, mark.first)):
                relevant[one] = relevant.get(one, frozenset()) | {other}
    return RetrievalBenchmark("sample forum", "all", TITLE_AND_BODY, tuple(forum.questions()), relevant)


def _show_next_steps(archive: Path | None) -> None:
    _headline("What to do next with your own forum")
    steps = [
        "askagain import questions.jsonl duplicates.tsv --archive forum.db",
        'askagain search "How do I …?" --archive forum.db --explain',
        "askagain train best --archive forum.db",
        "askagain report --archive forum.db",
        "askagain serve --archive forum.db",
        "askagain evaluate FOLDER --system bm25,best",
    ]
    for step in steps:
        console().print(text(f"  {step}"), soft_wrap=True)
    where = archive or "demo.db"
    again = "" if archive else "askagain demo --archive demo.db, then "
    _say(f'Or look around in the sample forum: {again}askagain search "…" --archive {where}')


def _ask(search: Search) -> None:
    _headline(f"Somebody asks: {search.title}")


def _headline(content: str) -> None:
    console().print()
    console().print(text(content, style="bold underline"))


def _say(content: str) -> None:
    console().print(text(content))
