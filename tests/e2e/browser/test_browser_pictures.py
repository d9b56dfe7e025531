"""Pictures of the page for the README: kept in docs/pictures if ASKAGAIN_SCREENSHOTS is set."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect
from visiting import Visitor, type_question

from running_service import RunningService

KEPT = Path(__file__).parents[3] / "docs" / "pictures"
SMALL = 150_000
WINDOW = {"width": 1080, "height": 750}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return KEPT if os.environ.get("ASKAGAIN_SCREENSHOTS") else tmp_path


def test_a_picture_of_ask(visitor: Visitor, looked_through: RunningService, folder: Path) -> None:
    page = visitor.open(looked_through, viewport=WINDOW)
    type_question(page, "No Wi-Fi after my laptop wakes up")
    expect(page.locator("#ask-results .result").first).to_be_visible()

    page.screenshot(path=folder / "ask.png")

    assert 0 < (folder / "ask.png").stat().st_size < SMALL


def test_a_picture_of_moderate(visitor: Visitor, looked_through: RunningService, folder: Path) -> None:
    page = visitor.open(looked_through, "moderate", viewport=WINDOW)
    expect(page.locator("#pair")).to_be_visible()

    page.screenshot(path=folder / "moderate.png")

    assert 0 < (folder / "moderate.png").stat().st_size < SMALL
