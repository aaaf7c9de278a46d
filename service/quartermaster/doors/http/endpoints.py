"""The endpoints other than MCP. ``/healthz``, ``/readyz`` and the public key are open to everybody;
``/status``, logs and the explanation of a selection require a token.
"""

from __future__ import annotations

import difflib
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster import __version__, api
from quartermaster.calls.relay.relay import NOT_RELAYED
from quartermaster.core.errors import argument_invalid
from quartermaster.core.kind_packages import kind_packages
from quartermaster.core.logs import mask
from quartermaster.db import LOCAL_PRINCIPAL, Principal
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.identity.authenticated import sender_of
from quartermaster.models.device import describe
from quartermaster.secrets.signing_key import SigningKey, jwk_of
from quartermaster.service import Service

KEYS_PATH: Final = "/.well-known/jwks.json"
_TEXTS: Final = ("goal", "mode", "kind")
_NUMBERS: Final = ("top", "budget_tokens")


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
        """Reports that the process is running, without further checks."""
        return JSONResponse({"status": "ok"})

    async def readyz(self, _request: Request) -> Response:
        """Reports whether the service is ready: the database or the outage copy answers, and the
        model is loaded.

        Raises:
            QmError: QM503 database_unavailable, and the errors of `OutageCopy.open`.
        """
        await self._service.database.find_principal(LOCAL_PRINCIPAL)
        ready: dict[str, Any] = {
            "status": "ready",
            "model": self._service.retriever.embedder.model.name,
        }
        if notice := self._service.outage.notice():
            ready |= {
                "status": "outage",
                "since": notice["since"],
                "message": notice["message"],
            }
        return JSONResponse(ready)

    async def status(self, request: Request) -> Response:
        """Returns the installed version, the content of the catalog, and the work in progress. In
        an outage, returns only the facts that the service itself knows.
        """
        principal, database = sender_of(request), self._service.database
        ask = partial(database.call_value, api.status(), principal)
        found: dict[str, Any] = await database.if_available(ask) or {}
        replica = self._service.retriever.replica
        found["service"] = {
            "version": __version__,
            "instance": str(self._service.id),
            "pid": os.getpid(),
            "uptime_s": round(time.monotonic() - self._started, 1),
            "sessions": len(self._front.sessions),
            "models": self._models(),
            **self._of_packages(),
            "replica": replica and replica.counts(),
            "outage": self._service.outage.notice(),
            "outages": self._service.outage.outages,
        }
        found["relay"] = {"not_relayed": [*NOT_RELAYED]}
        found["shares"] = shares_of(self._service, principal)
        # Upstreams are not cards and have no row policy, so only operators see upstreams, and
        # operators see all of them.
        if principal.role != "user":
            found["upstreams"] = {
                name: asdict(state) | {"since": state.since.isoformat()}
                for name, state in self._service.upstreams.supervisor.states().items()
            }
        return JSONResponse(found)

    def _of_packages(self) -> dict[str, object]:
        found: dict[str, object] = {}
        for package in kind_packages():
            if package.status is not None:
                found |= package.status(self._service)
        return found

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


def shares_of(service: Service, principal: Principal) -> dict[str, dict[str, dict[str, int]]]:
    """Returns the number of running, waiting and refused requests for each principal in each queue.
    A user sees only their own numbers.
    """
    report: dict[str, dict[str, dict[str, int]]] = {}
    for queue in service.queues():
        shares = {
            who: asdict(share)
            for who, share in queue.shares().items()
            if principal.role != "user" or who == principal.name
        }
        if shares:
            report[queue.what] = shares
    return report


async def public_keys(data_dir: Path, _request: Request) -> Response:
    """Serves the public key of a data directory as a JWK set, without using the database.

    The endpoint is open to everybody, because it returns only a public key. Replicas behind one
    address share one key. Keys are not read from the database, because anyone who can write to it
    could then sign tokens as this service.
    """
    key = await anyio.to_thread.run_sync(SigningKey.open, data_dir)
    body = {"keys": [jwk_of(key.public_key)]}
    return JSONResponse(body, headers={"Cache-Control": "max-age=300"})


async def origin_log(service: Service, request: Request) -> Response:
    """Returns the last 100,000 bytes of the log of an upstream, with known secrets masked. Only
    upstreams of this process have a log.

    Raises:
        QmError: QM403 not_permitted, because only operators may read logs; QM404 origin_not_found.
    """
    name: str = request.path_params["origin"]
    await service.database.call_value(api.get_origin(name=name), sender_of(request))
    text = mask(service.upstreams.supervisor.stderr_tail(name))
    return JSONResponse({"origin": name, "stderr": text})


async def select(service: Service, request: Request) -> Response:
    """Returns every candidate for a goal with its score at each stage, and says why some candidates
    are withheld.

    The query string must contain ``goal`` and may contain ``mode``, ``kind``, ``top`` (the number
    of cards) and ``budget_tokens``. The answer is the answer of api.debug_select with two more
    members: ``models_ms``, the milliseconds for each step outside the database, and ``warnings``.

    Raises:
        QmError: QM403 not_permitted, QM422 argument_invalid, and the errors of api.debug_select.
    """
    principal = sender_of(request)
    arguments = _arguments(request.query_params)
    prepared = await service.retriever.prepare(
        principal,
        arguments["goal"],
        mode=arguments.get("mode"),
        kinds=arguments.get("kinds"),
    )
    found = await service.database.call_value(
        api.debug_select(**arguments, **prepared.arguments),
        replace(principal, goal_model=prepared.goal_model),
    )
    found["models_ms"] = {
        step: round(seconds * 1000, 2) for step, seconds in prepared.seconds.items()
    }
    found["warnings"] = prepared.warnings
    return JSONResponse(found)


def _arguments(query: Mapping[str, str]) -> dict[str, Any]:
    for name in query:
        if name not in (*_TEXTS, *_NUMBERS):
            nearest = difflib.get_close_matches(name, (*_TEXTS, *_NUMBERS), n=1, cutoff=0.0)[0]
            raise argument_invalid(f"Unknown parameter {name[:80]!r}.", f"Did you mean {nearest}?")
    arguments: dict[str, Any] = {"goal": ""}
    for name, text in query.items():
        if name in _TEXTS:
            arguments[name] = text
        elif text.lstrip("-").isdecimal() and len(text) < 10:
            arguments[name] = int(text)
        else:
            raise argument_invalid(
                f"{name} is not a whole number: {text[:80]!r}.", "Use a whole number."
            )
    if "kind" in arguments:
        arguments["kinds"] = [arguments.pop("kind")]
    return arguments
