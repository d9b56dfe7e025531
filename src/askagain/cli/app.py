"""The commands by their names, and how they end: 0, or 2 with one line that says what to do."""

from __future__ import annotations

import gc
import os
import sys
from typing import Annotated, Final

import typer

from askagain.cli import (
    backup,
    choosing,
    cluster,
    comparing,
    data,
    demo,
    doctor,
    duplicates,
    evaluating,
    exporting,
    features,
    importing,
    inspecting,
    keys,
    keywords,
    listing,
    reporting,
    scoring,
    searching,
    serving,
    training,
)
from askagain.cli.output import complain
from askagain.errors import AskagainError
from askagain.version import VERSION

FAILURE: Final = 2
INTERRUPTED: Final = 130
READER_LEFT: Final = 1

_START = "Start here"
_FORUM = "Your forum"
_RESEARCH = "Measure and look inside"

app = typer.Typer(
    name="askagain",
    help="Has this been asked before? Finds the earlier questions that the same answer settles.",
    epilog="Every command explains itself: `askagain COMMAND --help`.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo", rich_help_panel=_START)(demo.demo)
app.command("import", rich_help_panel=_FORUM)(importing.import_files)
app.command("search", rich_help_panel=_FORUM)(searching.search)
app.command("train", rich_help_panel=_FORUM)(training.train)
app.command("report", rich_help_panel=_FORUM)(reporting.report)
app.command("duplicates", rich_help_panel=_FORUM)(duplicates.duplicates)
app.command("serve", rich_help_panel=_FORUM)(serving.serve)
app.add_typer(cluster.app, name="cluster", rich_help_panel=_FORUM)
app.command("use", rich_help_panel=_FORUM)(choosing.use)
app.command("export", rich_help_panel=_FORUM)(exporting.export)
app.add_typer(keys.app, name="keys", rich_help_panel=_FORUM)
app.command("backup", rich_help_panel=_FORUM)(backup.backup)
app.command("restore", rich_help_panel=_FORUM)(backup.restore)
app.command("doctor", rich_help_panel=_FORUM)(doctor.doctor)
app.command("evaluate", rich_help_panel=_RESEARCH)(evaluating.evaluate)
app.command("compare", rich_help_panel=_RESEARCH)(comparing.compare)
app.command("score", rich_help_panel=_RESEARCH)(scoring.score)
app.command("inspect", rich_help_panel=_RESEARCH)(inspecting.inspect)
app.command("features", rich_help_panel=_RESEARCH)(features.features)
app.command("keywords", rich_help_panel=_RESEARCH)(keywords.keywords)
app.command("systems", rich_help_panel=_RESEARCH)(listing.systems)
app.add_typer(data.app, name="data", rich_help_panel=_RESEARCH)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"askagain {VERSION}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """What the executable `askagain` runs."""
    if sys.stdout is None or sys.stderr is None:
        # Closed by the caller. The next file to be opened would take their place and get their output.
        sys.exit(FAILURE)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    code = run(sys.argv[1:])
    # The process ends here: to look for garbage among numba's objects would take a fifth of a second.
    gc.freeze()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Runs one command and gives its exit code."""
    try:
        code = app(arguments, prog_name="askagain", standalone_mode=False)
        sys.stdout.flush()
    except AskagainError as error:
        return _fail(str(error))
    except typer.TyperException as error:
        return _fail(_usage_message(error))
    except BrokenPipeError:
        # The shell closes standard output once more at the end: it must have somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_LEFT
    except OSError as error:
        return _fail(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        complain("interrupted; run the same command again to go on")
    return code if isinstance(code, int) else 0


def _fail(message: str) -> int:
    complain(message)
    return FAILURE


def _usage_message(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "askagain"
    return f"{error.format_message()} See: {command} --help"
