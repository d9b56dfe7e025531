"""Python and the packages: whether their versions are those that askagain asks for."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, metadata, requires
from typing import Final

from askagain.checkup.finding import Finding, ok, problem, warning
from askagain.checkup.requirements import Requirement
from askagain.version import VERSION

NAME: Final = "askagain"
# For those who work on askagain itself.
_NOT_FOR_USERS: Final = ("test", "lint", "bench")


def check_installation() -> Iterator[Finding]:
    """Of Python, of what is always needed, and of the extras."""
    try:
        needs_python = metadata(NAME)["Requires-Python"]
        requirements = [Requirement.parsed(text) for text in requires(NAME) or []]
    except PackageNotFoundError:
        yield warning(NAME, f"{VERSION} is not installed as a package", "pip install askagain")
        return
    yield ok(NAME, VERSION)
    yield check_python(Requirement("Python", needs_python), platform.python_version())
    yield from check_packages([each for each in requirements if not each.extra])
    for extra in sorted({each.extra for each in requirements} - {"", *_NOT_FOR_USERS}):
        yield check_extra(extra, [each for each in requirements if each.extra == extra])


def check_python(wanted: Requirement, version: str) -> Finding:
    """Whether this Python will do."""
    if wanted.allows(version):
        return ok("Python", version)
    return problem("Python", f"{version} is not supported", f"install Python {wanted.bounds}")


def check_packages(requirements: Sequence[Requirement]) -> Iterator[Finding]:
    """One line for those that are as they should be, and one for each that is not."""
    good: list[str] = []
    for wanted in requirements:
        version = wanted.installed()
        if version is None:
            yield problem("packages", f"{wanted.name} is missing", f"pip install --upgrade {NAME}")
        elif not wanted.allows(version):
            yield _wrong_version("packages", wanted, version, NAME)
        else:
            good.append(f"{wanted.name} {version}")
    if good:
        yield ok("packages", ", ".join(good))


def check_extra(extra: str, requirements: Sequence[Requirement]) -> Finding:
    """Whether it is installed; nobody needs all of them."""
    subject, whole = f"extra {extra}", f"{NAME}[{extra}]"
    versions = {wanted: wanted.installed() for wanted in requirements}
    missing = [wanted.name for wanted, version in versions.items() if version is None]
    if missing:
        return ok(subject, f"not installed ({', '.join(missing)}); if you need it: pip install '{whole}'")
    for wanted, version in versions.items():
        if version is not None and not wanted.allows(version):
            return _wrong_version(subject, wanted, version, whole)
    return ok(subject, "installed")


def _wrong_version(subject: str, wanted: Requirement, version: str, whole: str) -> Finding:
    detail = f"{wanted.name} is {version}, and {wanted.bounds} was tested"
    return warning(subject, detail, f"pip install --upgrade '{whole}'")
