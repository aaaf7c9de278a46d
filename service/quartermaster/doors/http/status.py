"""The state of the service: ``/healthz`` and ``/readyz`` for machines, ``/status`` for callers with
a token.
"""

from __future__ import annotations

import os
import time
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster import __version__
from quartermaster.calls.relay.relay import NOT_RELAYED
from quartermaster.db import LOCAL
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.identity.authenticated import sender_of
from quartermaster.models.device import describe
from quartermaster.service import Service


class StatusRoutes:
    """The endpoints that report the state of the service.

    Args:
        service: service to report on.
        front: MCP server of the service.
    """

    def __init__(self, service: Service, front: McpFront) -> None:
        self._service = service
        self._front = front
        self._started = time.monotonic()

    async def healthz(self, _request: Request) -> Response:
        """Reports that the process is running; checks nothing else."""
        return JSONResponse({"status": "ok"})

    async def readyz(self, _request: Request) -> Response:
        """Reports whether the service is ready: the database or the outage copy answers, and the
        model is loaded.

        Raises:
            QmError: QM503 database_unavailable, and the errors of `Kept.open`.
        """
        await self._service.database.find_principal(LOCAL)
        ready: dict[str, Any] = {
            "status": "ready",
            "model": self._service.retriever.embedder.model.name,
        }
        if notice := self._service.outage.notice():
            ready |= {"status": "outage", "since": notice["since"]}
        return JSONResponse(ready)

    async def status(self, request: Request) -> Response:
        """Returns the installed version, the content of the catalog, and the work in progress.

        Raises:
            QmError: QM503 database_unavailable.
        """
        principal = sender_of(request)
        found = await self._service.database.call_value("status", principal)
        replica = self._service.retriever.replica
        found["service"] = {
            "version": __version__,
            "instance": str(self._service.id),
            "pid": os.getpid(),
            "uptime_s": round(time.monotonic() - self._started, 1),
            "sessions": len(self._front.sessions),
            "models": self._models(),
            "lookup_cache": self._lookup_cache(),
            "replica": replica and replica.counts(),
            "outage": self._service.outage.notice(),
            "outages": self._service.outage.outages,
        }
        found["relay"] = {"not_relayed": [*NOT_RELAYED]}
        # Upstreams are not cards and have no row policy, so only operators see them, and they see
        # all.
        if principal.role != "user":
            found["upstreams"] = {
                name: asdict(state) | {"since": state.since.isoformat()}
                for name, state in self._service.upstreams.supervisor.states().items()
            }
        return JSONResponse(found)

    def _lookup_cache(self) -> dict[str, int]:
        cache = self._service.lookups.cache
        return {"hits": cache.hits, "misses": cache.misses, "rows": cache.rows}

    def _models(self) -> dict[str, Any]:
        embedder, reranker = self._service.retriever.embedder, self._service.retriever.reranker
        return {
            "embedding": {
                "name": embedder.model.name,
                "dimension": embedder.model.dimension,
                "device": describe(embedder.model),
                "query_cache": {"hits": embedder.hits, "misses": embedder.misses},
            },
            "reranker": reranker
            and {"name": reranker.model.name, "device": describe(reranker.model)},
        }
