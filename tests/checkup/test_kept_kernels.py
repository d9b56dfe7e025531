"""Whether compiled kernels are kept."""

from pathlib import Path

from askagain.checkup.finding import Level
from askagain.checkup.kernels import check_cache, check_kernels
from askagain.lexical import warmup as lexical


def test_kernels_that_are_kept_are_fine(tmp_path: Path) -> None:
    folder = tmp_path / "kernels" / "lexical"
    folder.mkdir(parents=True)
    (folder / "pruned.search_segment-314.py311.nbi").touch()
    finding = check_cache(str(folder), "search_segment")
    assert (finding.level, finding.detail) == (Level.OK, f"compiled, in {tmp_path / 'kernels'}")


def test_kernels_that_are_not_compiled_yet_are_a_warning(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        finding = check_cache(str(folder), "search_segment")
        assert finding.level is Level.WARNING
        assert finding.remedy == "python -m askagain.warmup"


def test_no_place_for_them_is_a_warning() -> None:
    finding = check_cache(None, "search_segment")
    assert finding.level is Level.WARNING
    assert "NUMBA_CACHE_DIR" in finding.remedy


def test_those_of_this_installation_are_found_where_numba_keeps_them() -> None:
    lexical.warm_up()
    finding = check_kernels()
    assert (finding.level, finding.subject) == (Level.OK, "kernels")
