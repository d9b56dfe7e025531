"""`askagain backup` and `askagain restore`: a sound copy of an archive, and the way back."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from askagain.cli.files import check_writable
from askagain.cli.options import ArchivePath
from askagain.cli.output import console, remark, text
from askagain.cli.progress import shown_progress
from askagain.wording import counted


def backup(
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="The new file for the copy.")],
    archive: ArchivePath,
) -> None:
    """Copy an archive to a new file, while others may be writing to it.

    The copy has all that was committed before it began, keys and feedback too. It gets its name when it is
    complete and checked; a file that is there already is never overwritten. Indexes are not copied: they are
    made again when they are needed. Trained models are in folders beside the archive: copy those yourself.

    Example: `askagain backup forum-2024-05-01.db --archive forum.db`
    """
    from askagain.archive.backup import back_up

    check_writable(target)
    with shown_progress() as progress:
        done = back_up(archive, target, progress=partial(progress, "copying"))
    content = f"{counted(done.questions, 'question')} and {counted(done.marks, 'mark')}"
    console().print(text(f"{target} has {content}, and is sound."), soft_wrap=True)


def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help='A file that "askagain backup" made.')],
    archive: ArchivePath,
    replace: Annotated[
        bool, typer.Option("--replace", help="Give up what is in the archive now, if it exists.")
    ] = False,
) -> None:
    """Make an archive what it was when the backup was made.

    The backup is checked first; if it is damaged, nothing happens. An archive that exists is replaced in one
    step: whatever goes wrong, it is the old or the new one. Stop the service first: what it took after the
    backup is lost. If it runs on, it goes on with the restored archive, unless the old one was too damaged to
    be written to.

    Example: `askagain restore forum-2024-05-01.db --archive forum.db --replace`
    """
    from askagain.archive import backup as backups

    check_writable(archive)
    with shown_progress() as progress:
        done = backups.restore(backup, archive, replace=replace, progress=partial(progress, "restoring"))
    content = f"{counted(done.questions, 'question')} and {counted(done.marks, 'mark')}"
    console().print(text(f"{archive} is what {backup} is: {content}."), soft_wrap=True)
    if done.keys:
        remark(f"Keys are what they were then, too: see askagain keys list --archive {archive}")
