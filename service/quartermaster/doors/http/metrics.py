"""``/metrics``, for Prometheus: with an operator's token, or open where the settings say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

import anyio
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from quartermaster import __version__
from quartermaster.core.errors import QmError
from quartermaster.core.meters import PREFIX
from quartermaster.db import Row
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
                "Use the key of an operator, or set metrics.open if only monitoring can reach"
                " this port.",
            )
        return await self.for_everybody(request)


_STATES: Final = ("idle", "connecting", "connected", "down")
Sample = tuple[tuple[str, ...], float]


class ServiceState(Collector):
    """Gauges, and counters that other parts keep for themselves.

    Args:
        service: what they tell about.
        sessions: how many sessions its clients have.

    Attributes:
        queues: rows of api.list_queues, as last asked for; none while the database is away.
    """

    def __init__(self, service: Service, sessions: Callable[[], int]) -> None:
        self._service = service
        self._sessions = sessions
        self.queues: Sequence[Row] = ()

    def describe(self) -> Iterable[Metric]:
        """Nothing: the registry need not read everything in order to know the names."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """All of it, at this moment."""
        yield _gauge(
            "build_info", "1, with the version as label.", ["version"], [((__version__,), 1)]
        )
        yield _gauge("sessions", "Sessions of clients.", [], [((), self._sessions())])
        yield from self._database()
        yield from self._upstreams()
        yield from self._models()
        yield from self._lookups()

    def _database(self) -> Iterator[Metric]:
        size, idle = self._service.database.connections()
        yield _gauge(
            "database_connections",
            "Connections to the database.",
            ["state"],
            [(("used",), size - idle), (("idle",), idle)],
        )
        outage = self._service.outage
        yield _gauge(
            "database_away",
            "1 while the database does not answer.",
            [],
            [((), outage.since is not None)],
        )
        yield _counter("database_outages", "How often that began.", [], [((), outage.outages)])
        replica = self._service.retriever.replica
        counts = replica.counts() if replica else {}
        yield _counter(
            "replica_searches",
            "Searches made at the read replica: taken, behind (too late), failed.",
            ["outcome"],
            [((outcome,), count) for outcome, count in counts.items()],
        )
        yield _gauge(
            "spool_waiting",
            "1 while calls made without the database are not handed in.",
            [],
            [((), not self._service.spool.is_empty())],
        )
        yield _gauge(
            "queue",
            "What waits for the workers: embeddings, refreshes, jobs.",
            ["name"],
            [((row["name"],), row["waiting"]) for row in self.queues],
        )

    def _upstreams(self) -> Iterator[Metric]:
        states = self._service.upstreams.supervisor.states()
        count = Counter(state.state for state in states.values())
        yield _gauge(
            "upstreams",
            "Upstreams, by state of the connection.",
            ["state"],
            [((state,), count[state]) for state in _STATES],
        )
        yield _gauge(
            "upstream_up",
            "1 while it is connected.",
            ["origin"],
            [((name,), state.state == "connected") for name, state in states.items()],
        )
        yield _gauge(
            "upstream_in_flight",
            "Requests that run or wait for their turn.",
            ["origin"],
            [((name,), state.in_flight) for name, state in states.items()],
        )
        yield _gauge(
            "upstream_waiting",
            "Of these, those that wait because too many run.",
            ["origin"],
            [((name,), state.waiting) for name, state in states.items()],
        )
        yield _gauge(
            "origins_left_alone",
            "Origins that are not called because of what was seen of them.",
            [],
            [((), self._service.upstreams.breakers.count_open())],
        )

    def _models(self) -> Iterator[Metric]:
        embedder, reranker = self._service.retriever.embedder, self._service.retriever.reranker
        yield _counter(
            "goal_vectors",
            "Goals whose vector was remembered (hit), or not (miss).",
            ["result"],
            [(("hit",), embedder.hits), (("miss",), embedder.misses)],
        )
        batchers = [("embedding", embedder.batcher)]
        batchers += [("reranking", reranker.batcher)] if reranker else []
        yield _counter(
            "model_calls",
            "Calls of a model, each of one batch.",
            ["model"],
            [((name,), batcher.calls) for name, batcher in batchers],
        )
        yield _counter(
            "model_items",
            "Texts or pairs in those batches.",
            ["model"],
            [((name,), batcher.items) for name, batcher in batchers],
        )
        yield _gauge(
            "model_waiting",
            "Requests that wait for a model.",
            ["model"],
            [((name,), len(batcher)) for name, batcher in batchers],
        )

    def _lookups(self) -> Iterator[Metric]:
        lookups = self._service.lookups
        yield _gauge(
            "lookup_cache_rows",
            "Rows of answers that are remembered.",
            [],
            [((), lookups.cache.rows)],
        )
        yield _gauge(
            "lookup_log_waiting",
            "Queries not yet in the log of lookups.",
            [],
            [((), len(lookups.observer.log))],
        )


def _gauge(name: str, says: str, labels: list[str], samples: Iterable[Sample]) -> Metric:
    family = GaugeMetricFamily(f"{PREFIX}_{name}", says, labels=labels)
    for values, value in samples:
        family.add_metric(values, value)
    return family


def _counter(name: str, says: str, labels: list[str], samples: Iterable[Sample]) -> Metric:
    family = CounterMetricFamily(f"{PREFIX}_{name}", says, labels=labels)
    for values, value in samples:
        family.add_metric(values, value)
    return family
