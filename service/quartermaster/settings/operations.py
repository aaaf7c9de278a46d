"""Settings of how the service is run: lookups, limits, metrics."""

from __future__ import annotations

from quartermaster.settings.base import Names, NotNegative, Positive, Seconds, Section


class Lookup(Section):
    """What the service remembers of lookup tables, and what it keeps of queries to them."""

    cache_rows: NotNegative = 50_000
    cache_ttl_s: Seconds = 86_400
    keep_queries: bool = False


class Limits(Section):
    """What one principal may ask of one process; 0 a second is no limit."""

    requests_per_s: NotNegative = 0
    requests_burst: Positive = 200
    lookups_per_s: NotNegative = 50
    lookups_burst: Positive = 200


class Metrics(Section):
    """Who may read ``/metrics``: operators, or everybody who reaches it."""

    open: bool = False


class Kinds(Section):
    """Kinds of card of one's own: folders with migrations/, functions/ and sql/kinds/."""

    folders: Names = ()
