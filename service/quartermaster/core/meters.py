"""Counters and histograms that are updated when an event happens. Other metrics read their values
only when somebody requests the metrics. Labels contain names of doors, modes, origins or jobs,
never texts that a client can choose freely.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, Protocol

from prometheus_client import CollectorRegistry, Counter, Histogram

PREFIX: Final = "quartermaster"
FAST_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.04, 0.06, 0.1, 0.15, 0.3, 0.9, 3)
_SLOW_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class SearchOutcome(Protocol):
    """The outcome of a search, and the durations of its stages."""

    @property
    def rows(self) -> Sequence[object]:
        """The rows that the search returned."""
        ...

    @property
    def seconds(self) -> Mapping[str, float]:
        """Durations in seconds, by stage."""
        ...


class Meters:
    """The counters and histograms of one process.

    Attributes:
        registry: registry that contains all counters and histograms.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, namespace=PREFIX, registry=self.registry)
        histogram = partial(Histogram, namespace=PREFIX, registry=self.registry)
        self.requests = counter(
            "requests", "HTTP requests, by response status.", ["door", "status"]
        )
        self.request_seconds = histogram(
            "request_seconds",
            "Time from an HTTP request to the headers of its response.",
            ["door"],
            buckets=_SLOW_S,
        )
        self.selections = counter(
            "selections",
            "Searches for tools, by result (found, empty or failed).",
            ["mode", "outcome"],
        )
        self.selection_seconds = histogram(
            "selection_seconds",
            "Time of each stage of a search (embed, candidates, rerank, search).",
            ["mode", "stage"],
            buckets=FAST_S,
        )
        self.calls = counter(
            "calls",
            "Tool calls, probes, and reads of resources and prompts, by outcome in the call log.",
            ["origin", "outcome"],
        )
        self.call_seconds = histogram(
            "call_seconds",
            "Time from a client's tool call to its reply.",
            ["origin"],
            buckets=_SLOW_S,
        )
        self.limited = counter(
            "limited", "Requests refused because their principal sent too many of them.", ["what"]
        )
        self.dropped_notifications = counter(
            "notifications_dropped",
            "Malformed notifications of the database, which were ignored.",
            ["channel"],
        )
        self.jobs = counter(
            "jobs", "Job runs in this process, by result (ok or failed).", ["job", "outcome"]
        )

    def call(self, origin: str, outcome: str, seconds: float) -> None:
        """Counts a request to an upstream."""
        self.calls.labels(origin, outcome).inc()
        self.call_seconds.labels(origin).observe(seconds)

    def request(self, door: str, status: int, seconds: float) -> None:
        """Counts an HTTP request."""
        self.requests.labels(door, str(status)).inc()
        self.request_seconds.labels(door).observe(seconds)

    @contextmanager
    def selection(self, mode: str | None, found: SearchOutcome) -> Generator[None]:
        """Counts the search in the block. If the search failed, the mode is omitted, because it may
        be any text.
        """
        known, outcome = "none", "failed"
        try:
            yield
            known, outcome = mode or "default", "found" if found.rows else "empty"
        finally:
            self.selections.labels(known, outcome).inc()
        for stage, seconds in found.seconds.items():
            self.selection_seconds.labels(known, stage).observe(seconds)
