"""A forum's page and a service of its own origin, both on loopback, for tests of the script in a browser."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import askagain

WEB = Path(askagain.__file__).parent / "service" / "web"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}


@dataclass
class Suggesting:
    """What the service answers to a title, after how many seconds, and what it was asked."""

    url: str = ""
    matches: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    delays: dict[str, float] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    status: int = 200
    stopped: threading.Event = field(default_factory=threading.Event)


@contextmanager
def suggesting() -> Iterator[Suggesting]:
    """Serves the files under /static, `pages` under their paths, and suggestions to every origin."""
    state = Suggesting()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        state.stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(state: Suggesting) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            file = WEB / self.path.removeprefix("/static/")
            if self.path in state.pages:
                self.reply(state.pages[self.path].encode(), TYPES[".html"])
            elif self.path.startswith("/static/") and file.is_file():
                self.reply(file.read_bytes(), TYPES[file.suffix], policy=POLICY)
            else:
                self.send_error(404)

        def do_OPTIONS(self) -> None:
            self.reply(b"", "text/plain")

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(asked)
            state.stopped.wait(state.delays.get(asked["title"], 0.0))
            matches = state.matches.get(asked["title"], [])
            self.reply(json.dumps({"matches": matches}).encode(), "application/json", state.status)

        def reply(self, body: bytes, kind: str, status: int = 200, policy: str | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Access-Control-Allow-Headers", "Content-Type")
            if policy:
                self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """The tests' output stays readable."""

    return Handler
