"""A server on loopback that speaks Context7's protocol (version 2), and serves an llms.txt."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.canary import canary

KEY = canary("context7")


@dataclass
class Context7Server:
    """What the server answers, and what it was asked.

    Attributes:
        texts: documentation by id.
        titles: titles by id; what is not there has its id as title.
        llms_txt: the text at /llms.txt.
        failures: answered first, one a request: a status with its headers.
        requests: path and query of each request, oldest first.
        keys: what each request had in its header `Authorization`.
        etag: what every text is called; None: each by its words.
        url: the base URL.
    """

    texts: dict[str, str] = field(default_factory=dict[str, str])
    titles: dict[str, str] = field(default_factory=dict[str, str])
    llms_txt: str = ""
    failures: list[tuple[int, dict[str, str]]] = field(
        default_factory=list[tuple[int, dict[str, str]]]
    )
    requests: list[tuple[str, dict[str, str]]] = field(
        default_factory=list[tuple[str, dict[str, str]]]
    )
    keys: list[str | None] = field(default_factory=list["str | None"])
    etag: str | None = None
    url: str = ""

    def answer(
        self, path: str, asked: dict[str, str], known: str | None
    ) -> tuple[int, dict[str, str], bytes]:
        """Returns status, headers and body of the answer to a request."""
        self.requests.append((path, asked))
        if self.failures:
            status, headers = self.failures.pop(0)
            return status, headers, b'{"error": "no"}'
        if path == "/v2/libs/search":
            found: list[dict[str, Any]] = [
                {"id": each, "title": self.titles.get(each, each), "state": "finalized"}
                for each in self.texts
            ]
            return 200, {}, json.dumps({"results": found}).encode()
        text = self.texts.get(asked.get("libraryId", "")) if path == "/v2/context" else None
        text = self.llms_txt if path == "/llms.txt" else text
        if text is None:
            return 404, {}, b'{"error": "not_found"}'
        etag = self.etag or f'"{hash(text)}"'
        if known == etag:
            return 304, {"ETag": etag}, b""
        return 200, {"ETag": etag}, text.encode()


@contextmanager
def context7() -> Generator[Context7Server]:
    """Provides the server, for the length of the block."""
    state = Context7Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            state.keys.append(self.headers.get("authorization"))
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            status, headers, body = state.answer(
                parts.path, asked, self.headers.get("if-none-match")
            )
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the base
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        state.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
