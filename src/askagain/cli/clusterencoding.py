"""`askagain cluster encode`: the vectors of many questions, or the features of many pairs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from askagain.cli.options import AsJson
from askagain.cli.output import console, print_json, remark, text
from askagain.cli.progress import NamedProgress, shown_progress
from askagain.errors import SettingsError, SourceError
from askagain.wording import counted

if TYPE_CHECKING:
    from askagain.cluster.encoding.job import EncodingReport

_SHOWN_EXAMPLES = 5

Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST:PORT",
        help="The head of a Ray cluster, or auto for one that runs here. Default: start Ray on this machine.",
    ),
]


def encode(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="SOURCE...", help="Archives, JSON Lines (.gz) and Parquet files."),
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for the parts and the manifest.")],
    system: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The encoder: shipped, minilm, one that was trained, or a recipe.toml. Default: shipped.",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder of a trained model. Default: the one beside the archive."
        ),
    ] = None,
    features: Annotated[
        str | None,
        typer.Option(
            metavar="F,F2,…",
            help="Features of pairs in place of vectors: their names or kinds, as askagain features shows "
            "them, or all.",
        ),
    ] = None,
    rows_per_part: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000_000, help="How much of a source a part covers.")
    ] = 5000,
    address: Address = None,
    json: AsJson = False,
) -> None:
    """Encode all questions of archives, JSON Lines and Parquet files, on all workers of a Ray cluster.

    Each part of a source becomes a safetensors file, with the ids beside it in JSON Lines; manifest.json
    comes last and lists them. What is there already is not made again: after Ctrl-C the same command goes on,
    and after changes in a source only the parts with changes are made anew. A part whose worker or node
    dies is encoded elsewhere. Workers need askagain, and no folder that they share with this command.

    With --features, the pairs are the marks of archives, and lines such as
    `{"first": {"id": "1", "title": "…"}, "second": {"id": "2", "title": "…"}}` elsewhere.

    Example: `askagain cluster encode forum.db --out vectors`

    Example: `askagain cluster encode shards/*.parquet --system minilm --out vectors --address head:6379`
    """
    if features is not None and (system or model):
        raise SettingsError("--features needs no encoder: leave --system and --model out")
    check_ray(address)
    with shown_progress() as progress:
        report = _encoded(
            sources, out, system or "shipped", model, features, rows_per_part, address, progress
        )
    if json:
        print_json(_as_json(report, out))
    else:
        _print(report, out, "pair" if features else "question")
    if report.skipped and not report.rows:
        raise SourceError(f"nothing could be read from {', '.join(map(str, sources))}: see the reasons")


def check_ray(address: str | None) -> None:
    """Whether there is a cluster, or Ray to start one, before anything long begins."""
    from askagain.cluster.connecting import check_address
    from askagain.extras import check_cluster

    check_cluster()
    if address is not None:
        check_address(address)


def _encoded(
    sources: list[Path],
    out: Path,
    system: str,
    model: Path | None,
    features: str | None,
    rows_per_part: int,
    address: str | None,
    progress: NamedProgress,
) -> EncodingReport:
    from askagain.cluster.connecting import connected
    from askagain.cluster.encoding import job
    from askagain.cluster.encoding.kinds import feature_encoding, vector_encoding

    fill = partial(job.encode, rows_per_part=rows_per_part, progress=progress)
    connect = partial(connected, address)
    if features is None:
        return fill(vector_encoding(system, model, sources), sources, out, connect=connect)
    names = [name.strip() for name in features.split(",") if name.strip()]
    return fill(feature_encoding(names), sources, out, connect=connect)


def _as_json(report: EncodingReport, out: Path) -> dict[str, object]:
    return {
        "folder": str(out),
        "rows": report.rows,
        "parts": len(report.parts),
        "made": report.made,
        "skipped": report.skipped,
        "examples": [{"file": str(s.path), "line": s.line, "reason": s.reason} for s in report.examples],
    }


def _print(report: EncodingReport, out: Path, noun: str) -> None:
    for row in report.examples[:_SHOWN_EXAMPLES]:
        remark(f"skipped: {row.path}, line {row.line}: {row.reason}")
    if report.skipped > _SHOWN_EXAMPLES:
        remark(f"… and {counted(report.skipped - _SHOWN_EXAMPLES, 'more row')}: see {out / 'skipped.jsonl'}")
    line = (
        f"{counted(report.rows, noun)} in {counted(len(report.parts), 'part')} of {out}, "
        f"{report.made:,} of them new."
    )
    console().print(text(line), soft_wrap=True)
