"""``/metrics``, for Prometheus: with an operator's token, or open where the settings say so."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import anyio
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import Response

from quartermaster.core.errors import QmError
from quartermaster.doors.http.metrics_state import ServiceState
from quartermaster.identity.authenticated import AuthenticatedPrincipal
from quartermaster.service import Service

_QUEUES_WITHIN_S: Final = 2.0


class MetricsRoute:
    """The endpoint.

    Args:
        service: whose metrics they are.
        sessions: how many sessions its clients have.

    Attributes:
        registry: all of them, and what the process uses.
    """

    def __init__(self, service: Service, sessions: Callable[[], int]) -> None:
        self._service = service
        self._state = ServiceState(service, sessions)
        self.registry = CollectorRegistry()
        self.registry.register(service.meters.registry)
        self.registry.register(self._state)
        ProcessCollector(registry=self.registry)

    async def for_everybody(self, request: Request) -> Response:
        """Everything, in the format that was asked for."""
        self._state.queues = ()
        # That the database is away, or slow, is a metric of its own: the others do not wait for it.
        with anyio.move_on_after(_QUEUES_WITHIN_S), suppress(QmError):
            self._state.queues = await self._service.database.call(
                "list_queues", self._service.worker
            )
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(self.registry), headers={"content-type": content_type})

    async def for_operators(self, request: Request) -> Response:
        """The same.

        Raises:
            QmError: QM403 not_permitted: names of origins and tables are not for users.
        """
        user = request.user
        assert isinstance(user, AuthenticatedPrincipal)
        if user.principal.role == "user":
            raise QmError(
                403,
                "not_permitted",
                "Only operators may read metrics.",
                "Use the key of an operator. If only monitoring can reach it, set metrics.open.",
            )
        return await self.for_everybody(request)
