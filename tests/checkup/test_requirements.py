"""What a distribution asks for, and whether a version will do."""

import pytest

from askagain.checkup.requirements import Requirement


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("numba<1,>=0.61", Requirement("numba", "<1,>=0.61")),
        ("tomli-w", Requirement("tomli-w", "")),
        ('torch==2.13.0; extra == "neural"', Requirement("torch", "==2.13.0", "neural")),
        ("ray[serve]<3,>=2.40 ; extra == 'cluster'", Requirement("ray", "<3,>=2.40", "cluster")),
        ('x>=1; python_version < "3.12" and extra == "test"', Requirement("x", ">=1", "test")),
        ("", Requirement("", "")),
    ],
)
def test_requirements_are_read(text: str, parsed: Requirement) -> None:
    assert Requirement.parsed(text) == parsed


@pytest.mark.parametrize(
    ("bounds", "version", "will_do"),
    [
        ("", "0.1", True),
        (">=0.61,<1", "0.61", True),
        (">=0.61,<1", "0.61.0", True),
        (">=0.61,<1", "0.9.5", False),
        (">=0.61,<1", "0.100", True),
        (">=0.61,<1", "1.0", False),
        ("==2.13.0", "2.13.0+cpu", True),
        ("==2.13.0", "2.13.1", False),
        ("!=3.0", "3.0.0", False),
        (">2,<=3", "3", True),
        (">=3.11", "3.11.7", True),
        (">=3.11", "3.9.1", False),
        (">=1", "unknown", False),
    ],
)
def test_versions_are_compared_by_their_numbers(bounds: str, version: str, will_do: bool) -> None:
    assert Requirement("x", bounds).allows(version) == will_do


def test_what_is_installed_has_a_version() -> None:
    installed = Requirement("numpy", "").installed()
    assert installed is not None
    assert Requirement("numpy", ">=2").allows(installed)


def test_what_is_not_installed_has_none() -> None:
    assert Requirement("no-package-has-this-name", "").installed() is None
