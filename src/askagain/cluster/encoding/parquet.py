"""The rows of Parquet files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from askagain.cluster.encoding.rows import TableRow
from askagain.errors import SourceError
from askagain.extras import check_parquet
from askagain.sources.base import Progress, Skipped, no_progress
from askagain.sources.rows import Row

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyarrow.parquet import ParquetFile

MAGIC: Final = b"PAR1"
_ROWS_AT_ONCE: Final = 1024


def table_rows(
    path: Path, columns: Sequence[str], progress: Progress = no_progress
) -> Iterator[Row[TableRow] | Skipped]:
    """The numbered rows with those of the columns that the file has; it must have one of the first two."""
    check_parquet(str(path))
    import pyarrow

    with _opened(path) as file:
        wanted = [name for name in columns if name in file.schema_arrow.names]
        if not set(columns[:2]).intersection(wanted):
            found = ", ".join(file.schema_arrow.names)[:200]
            raise SourceError(
                f"{path} has no columns {columns[0]} and {columns[1]}, only {found}: rename them"
            )
        number = 0
        try:
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=wanted):
                for row in _rows(batch):
                    number += 1
                    yield Skipped(path, number, "a text is not UTF-8") if row is None else (number, row)
                progress(number, file.metadata.num_rows)
        except (pyarrow.ArrowException, OSError) as error:
            yield Skipped(path, number + 1, f"the file is damaged or cut off from here on: {error}")


def _opened(path: Path) -> ParquetFile:
    import pyarrow
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise SourceError(f"cannot read {path}: {error}; get a fresh copy of the file") from error


def _rows(batch: RecordBatch) -> Iterator[TableRow | None]:
    """None for a row with a text that cannot be decoded."""
    try:
        yield from batch.to_pylist()
    except UnicodeDecodeError:
        for place in range(len(batch)):
            try:
                yield from batch.slice(place, 1).to_pylist()
            except UnicodeDecodeError:
                yield None
