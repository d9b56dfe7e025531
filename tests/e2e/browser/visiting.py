"""A person with a browser: opens views of the page, and nothing may go wrong there unnoticed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from askagain import Archive
from askagain.sample import forum as sample
from running_service import RunningService, running_service

NO_LIMITS = "rate = 0.0\n"


@dataclass
class Visitor:
    """Opens pages; what the browser reports as an error must be among what a test expects."""

    browser: Browser
    expected: list[str] = field(default_factory=list)
    _errors: list[str] = field(default_factory=list)
    _contexts: list[BrowserContext] = field(default_factory=list)

    def open(self, service: RunningService, view: str = "ask", key: str = "", **context: Any) -> Page:
        """A view in a context of its own; with a key, as if it had been given in this tab before."""
        made = self.browser.new_context(**context)
        self._contexts.append(made)
        page = made.new_page()
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self._errors.append(str(error)))
        if key:
            page.add_init_script(f"sessionStorage.setItem('askagain-key', {key!r})")
        page.goto(f"{service.url}/#{view}")
        return page

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._errors.append(message.text)

    def unexpected(self) -> list[str]:
        return [error for error in self._errors if not any(part in error for part in self.expected)]

    def pages(self) -> list[Page]:
        return [page for context in self._contexts for page in context.pages]

    def leave(self) -> None:
        for context in self._contexts:
            context.close()


@contextmanager
def visiting(browser: Browser) -> Iterator[Visitor]:
    """A visitor; at the end of the block everything that went wrong is told."""
    visitor = Visitor(browser)
    try:
        yield visitor
    finally:
        visitor.leave()
    assert visitor.unexpected() == []


def load_half(archive: Archive) -> None:
    """The sample forum's questions on computers and cooking: a whole queue of them is complete sooner."""
    sample.load_into(archive)
    for question in list(archive.questions()):
        if not question.id.startswith(("computers-", "cooking-")):
            archive.delete(question.id)


@contextmanager
def served(archive: Path, settings: str = "") -> Iterator[RunningService]:
    """The service without a limit on requests: tests are faster than people."""
    config = archive.with_suffix(".toml")
    config.write_text(NO_LIMITS + settings)
    with running_service(archive, "--config", str(config)) as service:
        yield service


def type_question(page: Page, title: str) -> None:
    """At once, as a person who is very fast."""
    page.get_by_label("Your question").fill(title)
