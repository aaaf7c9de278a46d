"""A stand-in for the model: an HTTP server that a client takes for its provider.

It answers each request of the client with the next tool calls of a script, and keeps what the
client sent. The formats on the wire are in `wires`.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.clients import wires
from tests.clients.wires import Call, Offer

Script = Callable[[Offer], list[Call]]
"""What the model does: the next tool calls, by what the client sent; none ends the session."""


def silent(_: Offer) -> list[Call]:
    """A script that does nothing."""
    return []


@dataclass
class StandIn:
    """The model of one session of a client.

    Attributes:
        script: what it does.
        url: where it listens.
        offers: what the client sent, in order; without requests that offer no tools, in which
            clients ask for a title, or whether to go on.
        problems: requests that it does not know.
    """

    script: Script
    url: str = ""
    offers: list[Offer] = field(default_factory=list[Offer])
    problems: list[str] = field(default_factory=list[str])

    async def answer(self, request: Request) -> Response:
        """Answers one request of any client."""
        path = request.url.path
        wire = wires.by_path(path)
        if wire is None:
            self.problems.append(f"{request.method} {path}")
            return JSONResponse({})
        body: dict[str, Any] = await request.json()
        if path.endswith((":countTokens", "/count_tokens")):
            return JSONResponse({"input_tokens": 1, "totalTokens": 1})
        offer = wire.read(body)
        calls: list[Call] = []
        if offer.tools:
            self.offers.append(offer)
            calls = self.script(offer)
        if not wire.is_stream(path, body):
            return JSONResponse(wire.whole(calls))
        return StreamingResponse(_each(wire.events(calls)), media_type="text/event-stream")


@contextmanager
def stand_in(script: Script) -> Generator[StandIn]:
    """Provides a stand-in that listens on a port of this machine."""
    model = StandIn(script)
    app = Starlette(routes=[Route("/{path:path}", model.answer, methods=["GET", "POST", "HEAD"])])
    with served(app) as url:
        model.url = url
        yield model


@contextmanager
def served(app: Any) -> Generator[str]:
    """Serves an application in a thread; yields its address."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


async def _each(events: list[str]) -> AsyncIterator[str]:
    for event in events:
        yield event
