"""The metrics of lookup tables."""

from __future__ import annotations

from functools import partial

from prometheus_client import Counter, Histogram

from quartermaster.core.meters import FAST_S, PREFIX, Meters


class LookupMeters:
    """The counters and histograms for requests to lookup tables, labelled with doors and tables.

    Args:
        meters: the meters of the process, to which these meters are added.

    Attributes:
        refusals: counter of requests that were refused because the principal sent too many.
    """

    def __init__(self, meters: Meters) -> None:
        counter = partial(Counter, namespace=PREFIX, registry=meters.registry)
        histogram = partial(Histogram, namespace=PREFIX, registry=meters.registry)
        self.refusals = meters.limited.labels("lookups")
        self.lookups = counter(
            "lookups",
            "Queries to lookup tables, by result (match, found, empty or refused), and requests"
            " that failed.",
            ["table", "door", "outcome"],
        )
        self.seconds = histogram(
            "lookup_seconds",
            "Requests to lookup tables, each with one query or a batch.",
            ["door"],
            buckets=FAST_S,
        )
        self.cache = counter(
            "lookup_cache",
            "Lookup queries, by result: answered from the cache (hit) or not (miss).",
            ["result"],
        )
        self.shadows = counter(
            "lookup_shadows",
            "Queries sent to a shadow, by result: same first row, other first row, or skipped.",
            ["table", "outcome"],
        )
        self.unwritten = counter(
            "lookup_log_dropped", "Queries that are missing from the lookup log."
        )
