"""The small sections of the settings, each for one part of the service."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quartermaster.settings.base import Hours, Names, NotNegative, Port, Positive, Seconds, Section
from quartermaster.settings.models import Name


class Server(Section):
    """Where the service listens; an empty ``allowed_hosts`` admits loopback names only."""

    host: str = "127.0.0.1"
    port: Port = 8765
    public_url: str | None = None
    allowed_hosts: Names = ()
    allowed_origins: Names = ()
    max_body_bytes: Positive = 4 * 1024 * 1024


class Database(Section):
    """The database server; without ``dsn`` the embedded one is started.

    ``dsn`` is the installer's connection, ``service_dsn`` the service's (role qm_service),
    ``listen_dsn`` the same past a pooler, ``read_dsn`` the same at a read replica.
    """

    dsn: str | None = None
    service_dsn: str | None = None
    listen_dsn: str | None = None
    read_dsn: str | None = None
    pool_min: NotNegative = 1
    pool_max: Positive = 8
    statement_timeout_ms: NotNegative = 30_000


class Postgres(Section):
    """The embedded server; port 0 picks a free one at the first start."""

    port: Port = 0
    shared_buffers: Annotated[str, Field(pattern=r"^\d+(kB|MB|GB)$")] = "512MB"


class Upstream(Section):
    """Limits for every connection to an upstream MCP server, in seconds and bytes."""

    connect_timeout_s: Seconds = 30
    list_timeout_s: Seconds = 30
    call_timeout_s: Seconds = 60
    max_concurrency: Positive = 8
    max_queue: NotNegative = 64
    idle_stop_s: Annotated[float, Field(ge=0)] = 3600
    max_memory_mb: NotNegative = 4096
    max_tools_per_origin: Positive = 10_000
    max_tool_bytes: Positive = 256 * 1024


class Ingest(Section):
    """How many origins are read at once, and how often a failed one is tried again."""

    concurrency: Positive = 4
    retries: NotNegative = 3


class Audit(Section):
    """How often the end of the audit chain is signed, if it has moved."""

    sign_every_s: Seconds = 60


class Outage(Section):
    """What the service does in an outage; with ``serve`` false it refuses everything."""

    serve: bool = True
    renew_every_s: Seconds = 60
    max_age_h: Hours = 24


class Log(Section):
    """What the service logs to stderr, as JSON or for people."""

    level: Literal["debug", "info", "warning", "error", "critical"] = "info"
    as_json: bool = Field(default=True, alias="json")


class Lookup(Section):
    """What the service caches of lookup tables, and what it stores of queries to them."""

    cache_rows: NotNegative = 50_000
    cache_ttl_s: Seconds = 86_400
    keep_queries: bool = False


class Limits(Section):
    """How much one principal may ask of one process; 0 a second means no limit."""

    requests_per_s: NotNegative = 0
    requests_burst: Positive = 200
    lookups_per_s: NotNegative = 50
    lookups_burst: Positive = 200


class Metrics(Section):
    """Who may read ``/metrics``: operators, or everybody who reaches it."""

    open: bool = False


class Llm(Section):
    """The language model that decides among the first candidates, with a reason; ``none``: no
    model.

    ``openai`` is any server of that protocol, Ollama's, too; ``url`` is up to and with ``/v1``.
    ``temperature`` and ``max_tokens`` null are not sent.
    """

    provider: Literal["none", "anthropic", "openai"] = "none"
    url: Name | None = None
    model: Name | None = None
    api_key: str | None = None
    timeout_s: Seconds = 10
    candidates: Annotated[int, Field(ge=5, le=10)] = 10
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.0
    max_tokens: Positive | None = 500


class Reconcile(Section):
    """How long a tool of ``/mcp/reconcile`` may take, in milliseconds, and what finishes.

    ``open_as`` is the principal that those without a key are, over HTTP; null: they are nobody.
    """

    open_as: Name | None = None
    search_timeout_ms: Positive = 300
    rerank_timeout_ms: Positive = 150
    llm: Llm = Llm()


Locator = Annotated[str, Field(pattern=r"^(secret|env):[A-Za-z0-9_./-]+$")]


class Snapshots(Section):
    """An object store for the artifacts; without ``store`` they are in the data directory only.

    Without keys those of the environment count (AWS_ACCESS_KEY_ID and the like).
    """

    store: Annotated[str, Field(pattern=r"^[a-z0-9+]+://[^?#@]+$")] | None = None
    endpoint: Annotated[str, Field(pattern=r"^https?://")] | None = None
    region: str | None = None
    access_key: Locator | None = None
    secret_key: Locator | None = None


class Kinds(Section):
    """Kinds of card of the user's own: folders with migrations/, functions/ and sql/kinds/."""

    folders: Names = ()
