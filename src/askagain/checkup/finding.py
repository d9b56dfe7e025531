"""What a check has found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is: not at all, something to know, or something that does not work."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do about it."""

    level: Level
    subject: str
    detail: str
    remedy: str = ""

    @property
    def line(self) -> str:
        """All of it but the level."""
        return (
            f"{self.subject}: {self.detail}: {self.remedy}"
            if self.remedy
            else f"{self.subject}: {self.detail}"
        )


def ok(subject: str, detail: str) -> Finding:
    """As it should be."""
    return Finding(Level.OK, subject, detail)


def warning(subject: str, detail: str, remedy: str) -> Finding:
    """Works, but not as well as it could, or not for long."""
    return Finding(Level.WARNING, subject, detail, remedy)


def problem(subject: str, detail: str, remedy: str = "") -> Finding:
    """Does not work. Errors of this project have the remedy in their message already."""
    return Finding(Level.PROBLEM, subject, detail, remedy)
