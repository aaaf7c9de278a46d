"""A server of models on loopback that speaks OpenAI's and Cohere's protocols, over real models."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.support.canary import canary
from tests.support.waiting import until

KEY = canary("model-server")


class Embeds(Protocol):
    """An embedding model."""

    def embed(self, texts: Sequence[str]) -> np.ndarray: ...


class Scores(Protocol):
    """A reranker."""

    def score(self, query: str, texts: Sequence[str]) -> np.ndarray: ...


@dataclass
class ModelServer:
    """What the server answers, and what it was asked.

    Attributes:
        encoder, judge: the models behind it.
        failures: answered first, one a request: a status with its headers.
        answer: replaces every good answer.
        is_held: requests wait while it is true.
        requests: paths and bodies, oldest first.
        url: up to and with `/v1`.
    """

    encoder: Embeds | None = None
    judge: Scores | None = None
    failures: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    answer: Any = None
    is_held: bool = False
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    url: str = ""

    def app(self) -> Starlette:
        """Returns the application."""
        return Starlette(
            routes=[
                Route("/v1/embeddings", self._embeddings, methods=["POST"]),
                Route("/v1/rerank", self._rerank, methods=["POST"]),
            ]
        )

    async def _embeddings(self, request: Request) -> Response:
        body, refusal = await self._admit(request)
        if refusal:
            return refusal
        assert self.encoder
        # Not of norm one, and in another order than asked: clients may not rely on either.
        vectors = 3 * self.encoder.embed(body["input"])
        data = [
            {"object": "embedding", "index": index, "embedding": vector.tolist()}
            for index, vector in enumerate(vectors)
        ]
        return JSONResponse({"object": "list", "model": body["model"], "data": data[::-1]})

    async def _rerank(self, request: Request) -> Response:
        body, refusal = await self._admit(request)
        if refusal:
            return refusal
        assert self.judge
        texts = body.get("documents", body.get("texts"))
        key = "relevance_score" if "documents" in body else "score"
        scores = self.judge.score(body["query"], texts).tolist()
        rows = [{"index": index, key: score} for index, score in enumerate(scores)]
        rows.sort(key=lambda row: -row[key])
        return JSONResponse({"results": rows} if "documents" in body else rows)

    async def _admit(self, request: Request) -> tuple[dict[str, Any], Response | None]:
        body = await request.json()
        self.requests.append((request.url.path, body))
        await until(lambda: not self.is_held)
        given = request.headers.get("authorization", "")
        if given != f"Bearer {KEY}":
            # Some servers repeat what they were sent.
            return body, JSONResponse({"error": f"wrong key: {given}"}, 401)
        if self.failures:
            status, headers = self.failures.pop(0)
            return body, JSONResponse({"error": "not now"}, status, headers)
        if self.answer is not None:
            return body, JSONResponse(self.answer)
        return body, None


@contextmanager
def running(server: ModelServer) -> Generator[ModelServer]:
    """Serves at a free loopback port, from a thread."""
    config = uvicorn.Config(server.app(), port=0, log_config=None, lifespan="off", ws="none")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        while not running.started:
            assert thread.is_alive()
            thread.join(0.01)
        port = running.servers[0].sockets[0].getsockname()[1]
        server.url = f"http://127.0.0.1:{port}/v1"
        yield server
    finally:
        server.is_held = False
        running.should_exit = True
        thread.join(10)
