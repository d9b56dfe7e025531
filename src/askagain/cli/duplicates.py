"""`askagain duplicates`: all likely duplicates of an archive."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from askagain.calibration.wishes import LEAST_LIKELY
from askagain.cli.compiling import announce_compiling
from askagain.cli.files import check_writable, written_whole
from askagain.cli.matches import percent
from askagain.cli.options import ArchivePath, AsJson
from askagain.cli.output import console, remark, text
from askagain.cli.progress import shown_progress
from askagain.engine import Engine
from askagain.wording import counted

if TYPE_CHECKING:
    from askagain.mining.pairs import LikelyPairs

_SHOWN: Final = 20
# Fewer are indexed in a moment, and what the search for them needs is told after that.
_MANY: Final = 10_000


class What(StrEnum):
    """What there is to see."""

    PAIRS = "pairs"
    GROUPS = "groups"


def duplicates(
    archive: ArchivePath,
    what: Annotated[
        What,
        typer.Argument(help="Pairs that nobody has marked yet, or groups of questions that ask the same."),
    ] = What.PAIRS,
    min_probability: Annotated[
        float | None,
        typer.Option(
            metavar="P",
            min=0.0,
            max=1.0,
            help="Leave out what is less likely. Default: the threshold that training has chosen, else 0.05 "
            "for pairs and 0.5 for groups.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write all of it: CSV if it ends in .csv, else JSON Lines (.gz)."),
    ] = None,
    system: Annotated[
        str | None, typer.Option(metavar="NAME", help="The system. Default: as for search.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Find all likely duplicates of an archive in one go.

    Every question is searched for among all others; only what has changed since the last time is searched for
    again. What was found is kept beside the archive: after Ctrl-C, the same command goes on.

    Example: `askagain duplicates --archive forum.db --min-probability 0.8`
    """
    if out is not None:
        check_writable(out)
    announce_compiling()
    from askagain.mining.grouping import LEAST, Grouping
    from askagain.mining.listing import group_records, pair_records
    from askagain.mining.pairs import LikelyPairs

    _say_what_indexes_need(archive)
    with shown_progress() as progress:
        engine = Engine.open(archive, system, progress=partial(progress, "indexing"))
    with engine, LikelyPairs.open(engine) as pairs:
        _mine(engine, pairs)
        usual = engine.threshold or (LEAST_LIKELY if what is What.PAIRS else LEAST)
        least = least_wanted(min_probability, usual)
        if what is What.PAIRS:
            records = pair_records(engine, pairs, least)
        else:
            records = group_records(engine, Grouping(engine.archive, pairs), least)
        _tell(records, what, least, out, json=json)


def least_wanted(given: float | None, usual: float) -> float:
    """The probability from which on pairs are told; it may be that the usual one leaves out all of them."""
    if given is not None:
        return given
    if usual >= 1:
        remark(
            "on this archive's marks no probability was enough for the wished precision, so no pair is "
            "likely enough: say with --min-probability what is enough for you"
        )
    return usual


def _say_what_indexes_need(archive: Path) -> None:
    from askagain.archive import Archive
    from askagain.mining.following import memory_to_index

    with Archive.open(archive, create=False) as opened:
        questions = len(opened)
    if questions >= _MANY and (needed := memory_to_index(archive, questions)):
        remark(f"indexing {counted(questions, 'question')}; needs about {needed / 1e6:,.0f} MB of memory")


def _mine(engine: Engine, pairs: LikelyPairs) -> None:
    from askagain.mining.following import follow, memory_needed
    from askagain.mining.helpers import SearchHelpers

    progress = pairs.progress()
    if progress.done >= progress.total:
        return
    megabytes = memory_needed(engine.archive.path) / 1e6
    left = counted(progress.total - progress.done, "question")
    remark(f"searching for {left} of {progress.total:,}; needs about {megabytes:,.0f} MB of memory")
    with shown_progress() as shown, SearchHelpers(engine) as search:
        pairs.search_with(search)
        follow(pairs, partial(shown, "searching"))


def _tell(
    records: Iterator[dict[str, Any]], what: What, least: float, out: Path | None, *, json: bool
) -> None:
    from askagain.mining.listing import groups_as_csv

    if out is not None and what is What.PAIRS:
        write_pairs(records, out)
    elif out is not None:
        _write(records, out, groups_as_csv)
    elif json:
        sys.stdout.writelines(_as_json_lines(records))
    else:
        _print(records, what, least)


def write_pairs(records: Iterator[dict[str, Any]], out: Path) -> None:
    """All pairs to a file, in the format that its name tells."""
    from askagain.mining.listing import pairs_as_csv

    _write(records, out, pairs_as_csv)


def _write(
    records: Iterator[dict[str, Any]],
    out: Path,
    as_csv: Callable[[Iterable[dict[str, Any]]], Iterator[str]],
) -> None:
    suffixes = [suffix.lower() for suffix in out.suffixes if suffix != ".gz"]
    lines = as_csv(records) if suffixes[-1:] == [".csv"] else _as_json_lines(records)
    written = 0
    with written_whole(out) as file:
        for line in lines:
            file.write(line.encode("utf-8", "replace"))
            written += 1
    remark(f"{counted(written, 'line')} written to {out}")


def _as_json_lines(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    return (jsonlib.dumps(record, ensure_ascii=True, allow_nan=False) + "\n" for record in records)


def _print(records: Iterator[dict[str, Any]], what: What, least: float) -> None:
    shown = list(islice(records, _SHOWN))
    if not shown:
        console().print(text(f"No {what} are at least {percent(least)} likely."), soft_wrap=True)
        return
    for record in shown:
        _print_pair(record) if what is What.PAIRS else _print_group(record)
    if next(records, None) is not None:
        remark(f"the first {_SHOWN} are shown; --out FILE writes all, --json prints them")


def _print_pair(pair: dict[str, Any]) -> None:
    _line(f"{percent(pair['probability'])}  {pair['first_title']}  [{pair['first']}]", "bold")
    _line(f"     {pair['second_title']}  [{pair['second']}]", "bold")
    _line(f"     {pair['reason']}")


def _print_group(group: dict[str, Any]) -> None:
    _line(f"{group['canonical_title']}  [{group['canonical']}]: {group['why']}", "bold")
    for member in group["members"]:
        sure = "confirmed" if member["confirmed"] else percent(member["probability"] or 0.0)
        _line(f"  {sure}  {member['title']}  [{member['id']}]")
    if group["weakest"] is not None:
        first, second = group["weakest_pair"]
        _line(f"  weakest pair: {first} and {second}, {percent(group['weakest'])}")


def _line(content: str, style: str = "") -> None:
    console().print(text(content, style), soft_wrap=True)
