"""The versions of Python and the packages."""

from askagain.checkup.finding import Level
from askagain.checkup.installation import check_extra, check_installation, check_packages, check_python
from askagain.checkup.requirements import Requirement

GOOD = Requirement("numpy", ">=2")
WRONG = Requirement("numpy", ">=999")
MISSING = Requirement("no-package-has-this-name", ">=1")


def test_an_old_python_is_a_problem_with_the_version_to_install() -> None:
    finding = check_python(Requirement("Python", ">=3.11"), "3.10.4")
    assert finding.level is Level.PROBLEM
    assert finding.line == "Python: 3.10.4 is not supported: install Python >=3.11"


def test_packages_that_are_as_wanted_are_one_line() -> None:
    [finding] = check_packages([GOOD, Requirement("rich", "")])
    assert finding.level is Level.OK
    assert finding.detail.startswith("numpy 2")
    assert ", rich " in finding.detail


def test_a_missing_package_is_a_problem() -> None:
    [missing, others] = check_packages([MISSING, GOOD])
    assert (missing.level, missing.detail) == (Level.PROBLEM, "no-package-has-this-name is missing")
    assert "pip install" in missing.remedy
    assert others.level is Level.OK


def test_another_version_than_was_tested_is_a_warning() -> None:
    [finding] = check_packages([WRONG])
    assert finding.level is Level.WARNING
    assert "and >=999 was tested" in finding.detail


def test_nobody_needs_every_extra() -> None:
    finding = check_extra("cluster", [GOOD, MISSING])
    assert finding.level is Level.OK
    assert finding.line == (
        "extra cluster: not installed (no-package-has-this-name); "
        "if you need it: pip install 'askagain[cluster]'"
    )


def test_an_extra_is_installed_when_all_of_it_is() -> None:
    assert check_extra("neural", [GOOD]).line == "extra neural: installed"


def test_an_extra_of_another_version_is_a_warning() -> None:
    finding = check_extra("neural", [WRONG])
    assert finding.level is Level.WARNING
    assert "pip install --upgrade 'askagain[neural]'" in finding.remedy


def test_this_installation_has_what_it_always_needs() -> None:
    findings = list(check_installation())
    assert not any(finding.level is Level.PROBLEM for finding in findings)
    subjects = [finding.subject for finding in findings]
    assert {"askagain", "Python", "packages", "extra neural", "extra serve"} <= set(subjects)
    assert "extra lint" not in subjects
