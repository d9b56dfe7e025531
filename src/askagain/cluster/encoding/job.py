"""From sources to a folder of parts, on all workers; what is there already is not made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from askagain.cluster.connecting import Failed, results
from askagain.cluster.encoding.folder import EncodingFolder, WrittenPart
from askagain.cluster.encoding.kinds import Encoding
from askagain.cluster.encoding.parts import Part, parts_of
from askagain.cluster.encoding.reading import Item
from askagain.errors import ClusterError, SettingsError
from askagain.evaluating import NamedProgress, no_named_progress
from askagain.sources.base import Skipped

KEPT_EXAMPLES = 100


@dataclass(slots=True)
class EncodingReport:
    """What has become of the sources; `made` counts those of the parts that were not there before."""

    parts: list[WrittenPart] = field(default_factory=list)
    made: int = 0
    skipped: int = 0
    examples: list[Skipped] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """Of all parts together."""
        return sum(part.rows for part in self.parts)

    def skip(self, row: Skipped) -> None:
        """Counts a row that cannot be used."""
        self.skipped += 1
        if len(self.examples) < KEPT_EXAMPLES:
            self.examples.append(row)


def encode(
    encoding: Encoding[Item],
    sources: Sequence[Path],
    out: Path,
    *,
    rows_per_part: int,
    connect: Callable[[], AbstractContextManager[None]],
    progress: NamedProgress = no_named_progress,
) -> EncodingReport:
    """Fills a folder; `connect` gets to Ray, which is not needed where nothing is left to do."""
    _check_names(sources)
    folder = EncodingFolder(out, {**encoding.settings, "rows_per_part": rows_per_part})
    folder.open()
    report = EncodingReport()
    with folder.skipped_rows() as write_down, ExitStack() as stack:

        def on_skip(row: Skipped) -> None:
            report.skip(row)
            write_down(row)

        every = _parts(encoding, sources, rows_per_part, on_skip, progress)
        missing = _missing(every, folder, report)
        if (first := next(missing, None)) is not None:
            stack.enter_context(connect())
            _make(encoding, chain([first], missing), folder, report)
    folder.finish(report.parts, report.skipped)
    return report


def _check_names(sources: Sequence[Path]) -> None:
    names = [source.name for source in sources]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(
                f"two sources are named {name}, and so would be their parts: rename one, or use two folders"
            )


def _parts(
    encoding: Encoding[Item],
    sources: Sequence[Path],
    size: int,
    on_skip: Callable[[Skipped], None],
    progress: NamedProgress,
) -> Iterator[Part[Item]]:
    for source in sources:
        found = encoding.read(source, partial(progress, source.name))
        yield from parts_of(source, found, size, on_skip)


def _missing(
    parts: Iterator[Part[Item]], folder: EncodingFolder, report: EncodingReport
) -> Iterator[Part[Item]]:
    for part in parts:
        report.parts.append(WrittenPart.of(part))
        if not folder.has(part):
            report.made += 1
            yield part


def _make(
    encoding: Encoding[Item], parts: Iterator[Part[Item]], folder: EncodingFolder, report: EncodingReport
) -> None:
    failures: list[str] = []
    for part, outcome in results(encoding.work, encoding.shared, parts):
        if isinstance(outcome, Failed):
            failures.append(f"{part.name}: {outcome.reason}")
        else:
            folder.write(part, outcome)
    if failures:
        raise ClusterError(
            f"{len(failures)} of {len(report.parts)} parts have failed, the first one {failures[0]}; the "
            "others are kept: run the same command again"
        )
