"""docs/results.md is made section by section."""

from pathlib import Path

import pytest

import results


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "results.md"
    path.write_text("<!-- quality -->\n# Results\n\n<!-- learning-titles -->\nold titles\n", encoding="utf-8")
    monkeypatch.setattr(results, "RESULTS", path)
    return path


def test_a_section_that_is_made_anew_leaves_the_others(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(results.SECTIONS, "learning-titles", lambda seed: f"titles with seed {seed}")

    results.write_results(["learning-titles"], 7)

    assert results.kept("quality").strip() == "# Results"
    assert results.kept("learning-titles").strip() == "titles with seed 7"


def test_what_is_done_is_kept_when_the_next_section_fails(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(seed: int) -> str:
        raise KeyboardInterrupt

    monkeypatch.setitem(results.SECTIONS, "learning-titles", lambda seed: "new titles")
    monkeypatch.setitem(results.SECTIONS, "speed", fails)

    with pytest.raises(KeyboardInterrupt):
        results.write_results(["learning-titles", "speed"], 0)

    assert results.kept("learning-titles").strip() == "new titles"


def test_what_another_call_makes_meanwhile_is_kept(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def makes_another(seed: int) -> str:
        results.write_results(["mining"], 0)
        return "new titles"

    monkeypatch.setitem(results.SECTIONS, "mining", lambda seed: "new mining")
    monkeypatch.setitem(results.SECTIONS, "learning-titles", makes_another)

    results.write_results(["learning-titles"], 0)

    assert results.kept("mining").strip() == "new mining"


def test_a_section_is_made_alone_or_with_its_parts() -> None:
    assert results.named("mining") == ["mining"]
    assert results.named("mining", parts=True) == ["mining", "mining-growth", "mining-million"]
    assert results.named("learning-bodies") == ["learning-bodies"]
    assert {"learning", "learning-titles", "learning-rerank"} <= set(results.named("learning", parts=True))
    assert results.named(None) == list(results.SECTIONS)
