"""The endpoint ``/metrics`` for Prometheus. It requires an operator's token, unless the setting
metrics.open is true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import anyio
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from quartermaster import __version__, api
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import kind_packages
from quartermaster.core.meters import PREFIX
from quartermaster.db import Row
from quartermaster.identity.authenticated import sender_of
from quartermaster.service import Service

_QUEUES_WITHIN_S: Final = 2.0
_STATES: Final = ("idle", "connecting", "connected", "down")
Value = float | Mapping[str, float]


class MetricsRoute(Collector):
    """The endpoint for metrics. It collects gauges, and counters that other parts of the service
    keep.

    Args:
        service: service to report on.
        sessions: function that returns the number of client sessions.

    Attributes:
        registry: registry of all metrics, including the resources that the process uses.
    """

    def __init__(self, service: Service, sessions: Callable[[], int]) -> None:
        self._service = service
        self._sessions = sessions
        # The latest rows from api.list_queues; empty while the database does not answer.
        self._queues: Sequence[Row] = ()
        self.registry = CollectorRegistry()
        self.registry.register(service.meters.registry)
        self.registry.register(self)
        ProcessCollector(registry=self.registry)

    async def for_everybody(self, request: Request) -> Response:
        """Returns all metrics, in the requested format."""
        self._queues = ()
        # The other metrics do not wait for a slow or missing database, because the state of the
        # database is a metric, too.
        with anyio.move_on_after(_QUEUES_WITHIN_S), suppress(QmError):
            self._queues = await self._service.database.call(
                api.list_queues(), self._service.worker
            )
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(self.registry), headers={"content-type": content_type})

    async def for_operators(self, request: Request) -> Response:
        """Returns all metrics like `for_everybody`, but only to operators.

        Raises:
            QmError: QM403 not_permitted, because users may not see the names of origins and tables.
        """
        if sender_of(request).role == "user":
            raise QmError(
                403,
                "not_permitted",
                "Only operators may read metrics.",
                "Use an operator's key. If only monitoring can reach this port, you can also set"
                " metrics.open to true.",
            )
        return await self.for_everybody(request)

    def describe(self) -> Iterable[Metric]:
        """Returns no metrics. Without this method, the registry would collect all metrics once just
        to learn their names.
        """
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yields all metrics with their current values."""
        yield gauge(
            "build_info",
            "Always 1. The label contains the version of Quartermaster.",
            {__version__: 1},
            "version",
        )
        yield gauge("sessions", "Open MCP sessions of clients.", self._sessions())
        yield from self._database()
        yield from self._shares()
        yield from self._upstreams()
        yield from self._models()
        for package in kind_packages():
            if package.metrics is not None:
                yield from package.metrics(self._service)

    def _database(self) -> Iterator[Metric]:
        size, idle = self._service.database.connections()
        counts = {"used": size - idle, "idle": idle}
        yield gauge(
            "database_connections", "Connections to the database, by state.", counts, "state"
        )
        outage = self._service.outage
        is_away = outage.since is not None
        yield gauge("database_away", "1 while the database does not answer.", is_away)
        yield counter(
            "database_outages",
            "Number of times that the database stopped answering.",
            outage.outages,
        )
        replica = self._service.retriever.replica
        says = (
            "Searches on the read replica, by result: taken, behind (the replica lagged) or failed."
        )
        yield counter("replica_searches", says, replica.counts() if replica else {}, "outcome")
        says = "1 while calls made in an outage are not yet in the database."
        yield gauge("spool_waiting", says, not self._service.spool.is_empty())
        says = "Work that is waiting for the service, by type (embeddings, refreshes or jobs)."
        yield gauge("queue", says, {row["name"]: row["waiting"] for row in self._queues}, "name")

    def _shares(self) -> Iterator[Metric]:
        queues = {
            "searches": self._service.retriever.queue,
            "database": self._service.database.queue,
            "projects": self._service.built_in.work.queue,
        }
        waiting = {name: queue.waiting for name, queue in queues.items()}
        yield gauge(
            "share_waiting",
            "Requests that wait until another request ends and frees its slot.",
            waiting,
            "queue",
        )
        principals = {
            name: sum(share.waiting > 0 for share in queue.shares().values())
            for name, queue in queues.items()
        }
        says = "Number of principals whose requests wait for a slot (a slot lets one request run)."
        yield gauge("share_principals_waiting", says, principals, "queue")
        refused = {name: queue.refused for name, queue in queues.items()}
        says = "Requests that were refused because too many requests were waiting."
        yield counter("share_refused", says, refused, "queue")

    def _upstreams(self) -> Iterator[Metric]:
        states = self._service.upstreams.supervisor.states()
        count = Counter(state.state for state in states.values())
        counts = {state: count[state] for state in _STATES}
        yield gauge("upstreams", "Upstreams by connection state.", counts, "state")
        up = {name: state.state == "connected" for name, state in states.items()}
        yield gauge("upstream_up", "1 while the upstream is connected.", up, "origin")
        running = {name: state.in_flight for name, state in states.items()}
        says = "Requests to the upstream that are running or waiting."
        yield gauge("upstream_in_flight", says, running, "origin")
        waiting = {name: state.waiting for name, state in states.items()}
        says = "Requests to the upstream that wait until another request ends."
        yield gauge("upstream_waiting", says, waiting, "origin")
        says = (
            "Origins to which calls are paused because earlier calls failed (open circuit breaker)."
        )
        yield gauge("origins_paused", says, self._service.upstreams.breakers.count_open())

    def _models(self) -> Iterator[Metric]:
        embedder, reranker = self._service.retriever.embedder, self._service.retriever.reranker
        says = "Goals, by result: their vector was in the cache (hit) or not (miss)."
        yield counter(
            "goal_vectors", says, {"hit": embedder.hits, "miss": embedder.misses}, "result"
        )
        batchers = {"embedding": embedder.batcher}
        batchers |= {"reranking": reranker.batcher} if reranker else {}
        calls = {name: batcher.calls for name, batcher in batchers.items()}
        yield counter("model_calls", "Calls to a model; each handles one batch.", calls, "model")
        items = {name: batcher.items for name, batcher in batchers.items()}
        yield counter(
            "model_items",
            "Texts sent to a model (for a reranker, pairs of a goal and a text).",
            items,
            "model",
        )
        waiting = {name: len(batcher) for name, batcher in batchers.items()}
        yield gauge("model_waiting", "Requests that are waiting for a model.", waiting, "model")


def _filled(
    family: type[GaugeMetricFamily | CounterMetricFamily],
    name: str,
    says: str,
    value: Value,
    label: str | None = None,
) -> Metric:
    """Creates a gauge or a counter. Its value is one number, or one number for each value of a
    label.
    """
    metric = family(f"{PREFIX}_{name}", says, labels=[label] if label else [])
    samples = (
        {(key,): number for key, number in value.items()}
        if isinstance(value, Mapping)
        else {(): value}
    )
    for labels, number in samples.items():
        metric.add_metric(labels, number)
    return metric


gauge = partial(_filled, GaugeMetricFamily)
counter = partial(_filled, CounterMetricFamily)
