"""Tells the user why the very first search takes long."""

from __future__ import annotations

from askagain.cli.output import remark


def announce_compiling() -> None:
    """From now on, say it once when a kernel has to be compiled because no earlier run has kept it."""
    # Imported here: numba takes a moment to load.
    from numba.core import event

    class Announcement(event.Listener):
        """Hears of compilations, and not of kernels that are loaded from numba's cache."""

        said = False

        def on_start(self, event: object) -> None:
            if not self.said:
                self.said = True
                remark("preparing the search kernels, once per installation…")

        def on_end(self, event: object) -> None:
            pass

    event.register("numba:compile", Announcement())  # type: ignore[no-untyped-call]
