"""``/metrics`` for Prometheus: with an operator's token, or open if the settings allow it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from quartermaster.identity.authenticated import sender_of
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
        """Returns all metrics, in the requested format."""
        self._state.queues = ()
        # "The database is away or slow" is a metric itself, so the other metrics do not wait for
        # it.
        with anyio.move_on_after(_QUEUES_WITHIN_S), suppress(QmError):
            self._state.queues = await self._service.database.call(
                "list_queues", self._service.worker
            )
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(self.registry), headers={"content-type": content_type})

    async def for_operators(self, request: Request) -> Response:
        """Like `GET`, after the check of the token.

        Raises:
            QmError: QM403 not_permitted: names of origins and tables are not for users.
        """
        if sender_of(request).role == "user":
            raise QmError(
                403,
                "not_permitted",
                "Only operators may read metrics.",
                "Use the key of an operator, or set metrics.open if only monitoring can reach"
                " this port.",
            )
        return await self.for_everybody(request)


_STATES: Final = ("idle", "connecting", "connected", "down")
Value = float | Mapping[str, float]


class ServiceState(Collector):
    """Gauges, and counters that other parts keep themselves.

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
        """Describes nothing, so that the registry need not read everything to learn the names."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Reads everything now."""
        yield _gauge("build_info", "1, with the version as label.", {__version__: 1}, "version")
        yield _gauge("sessions", "Sessions of clients.", self._sessions())
        yield from self._database()
        yield from self._upstreams()
        yield from self._models()
        yield from self._lookups()

    def _database(self) -> Iterator[Metric]:
        size, idle = self._service.database.connections()
        counts = {"used": size - idle, "idle": idle}
        yield _gauge("database_connections", "Connections to the database.", counts, "state")
        outage = self._service.outage
        is_away = outage.since is not None
        yield _gauge("database_away", "1 while the database does not answer.", is_away)
        yield _counter(
            "database_outages", "Number of times that the database was away.", outage.outages
        )
        replica = self._service.retriever.replica
        says = "Searches made at the read replica: taken, behind (too late), failed."
        yield _counter("replica_searches", says, replica.counts() if replica else {}, "outcome")
        says = "1 while calls made without the database are not handed in."
        yield _gauge("spool_waiting", says, not self._service.spool.is_empty())
        says = "Work that waits for the service: embeddings, refreshes, jobs."
        yield _gauge("queue", says, {row["name"]: row["waiting"] for row in self.queues}, "name")

    def _upstreams(self) -> Iterator[Metric]:
        states = self._service.upstreams.supervisor.states()
        count = Counter(state.state for state in states.values())
        counts = {state: count[state] for state in _STATES}
        yield _gauge("upstreams", "Upstreams, by state of the connection.", counts, "state")
        up = {name: state.state == "connected" for name, state in states.items()}
        yield _gauge("upstream_up", "1 while it is connected.", up, "origin")
        running = {name: state.in_flight for name, state in states.items()}
        says = "Requests that run or wait for their turn."
        yield _gauge("upstream_in_flight", says, running, "origin")
        waiting = {name: state.waiting for name, state in states.items()}
        says = "Of these, requests that wait for others to end."
        yield _gauge("upstream_waiting", says, waiting, "origin")
        says = "Origins that are paused because their breaker is open."
        yield _gauge("origins_paused", says, self._service.upstreams.breakers.count_open())

    def _models(self) -> Iterator[Metric]:
        embedder, reranker = self._service.retriever.embedder, self._service.retriever.reranker
        says = "Goals whose vector was remembered (hit), or not (miss)."
        yield _counter(
            "goal_vectors", says, {"hit": embedder.hits, "miss": embedder.misses}, "result"
        )
        batchers = {"embedding": embedder.batcher}
        batchers |= {"reranking": reranker.batcher} if reranker else {}
        calls = {name: batcher.calls for name, batcher in batchers.items()}
        yield _counter("model_calls", "Calls of a model, each of one batch.", calls, "model")
        items = {name: batcher.items for name, batcher in batchers.items()}
        yield _counter("model_items", "Texts or pairs in those batches.", items, "model")
        waiting = {name: len(batcher) for name, batcher in batchers.items()}
        yield _gauge("model_waiting", "Requests that wait for a model.", waiting, "model")

    def _lookups(self) -> Iterator[Metric]:
        lookups = self._service.lookups
        yield _gauge(
            "lookup_cache_rows", "Rows of answers that are remembered.", lookups.cache.rows
        )
        waiting = len(lookups.observer.log)
        yield _gauge("lookup_log_waiting", "Queries not yet in the log of lookups.", waiting)


def _gauge(name: str, says: str, value: Value, label: str | None = None) -> Metric:
    return _filled(GaugeMetricFamily, name, says, value, label)


def _counter(name: str, says: str, value: Value, label: str | None = None) -> Metric:
    return _filled(CounterMetricFamily, name, says, value, label)


def _filled(
    family: type[GaugeMetricFamily | CounterMetricFamily],
    name: str,
    says: str,
    value: Value,
    label: str | None,
) -> Metric:
    """One number, or one for each value of a label."""
    metric = family(f"{PREFIX}_{name}", says, labels=[label] if label else [])
    samples = (
        {(key,): number for key, number in value.items()}
        if isinstance(value, Mapping)
        else {(): value}
    )
    for labels, number in samples.items():
        metric.add_metric(labels, number)
    return metric
