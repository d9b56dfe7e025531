"""The command line: `askagain`."""

from askagain.cli.app import main

__all__ = ["main"]
