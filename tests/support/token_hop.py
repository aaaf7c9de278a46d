"""A loopback hop that adds a bearer token, for clients that cannot be given one.

``python token_hop.py PORT URL TOKEN`` serves at PORT what URL answers; everything else of a request
and of its answer passes as it is, streams too.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

PORT, URL, TOKEN = int(sys.argv[1]), sys.argv[2], sys.argv[3]
_HOPPING = {"transfer-encoding", "connection", "content-length", "date", "server"}


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncGenerator[None]:
    async with httpx2.AsyncClient(timeout=None) as app.state.client:
        yield


async def hop(request: Request) -> StreamingResponse:
    client: httpx2.AsyncClient = request.app.state.client
    headers = [(k, v.strip()) for k, v in request.headers.items() if k not in _HOPPING]
    headers.append(("authorization", f"Bearer {TOKEN}"))
    body = await request.body()
    sent = client.build_request(request.method, URL, headers=headers, content=body)
    answer = await client.send(sent, stream=True)

    async def chunks() -> AsyncGenerator[bytes]:
        try:
            async for chunk in answer.aiter_raw():
                yield chunk
        finally:
            await answer.aclose()

    retained = {k: v for k, v in answer.headers.items() if k.lower() not in _HOPPING}
    return StreamingResponse(chunks(), answer.status_code, headers=retained)


if __name__ == "__main__":
    methods = ["GET", "POST", "DELETE"]
    app = Starlette(routes=[Route("/mcp", hop, methods=methods)], lifespan=lifespan)
    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="error")
