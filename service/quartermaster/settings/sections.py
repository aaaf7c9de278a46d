"""The small settings sections, each for one part of the service."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quartermaster.settings.base import Hours, Names, NotNegative, Port, Positive, Seconds, Section
from quartermaster.settings.models import Name


class Server(Section):
    """The address of the service; an empty ``allowed_hosts`` allows only loopback names."""

    host: str = "127.0.0.1"
    port: Port = 8765
    public_url: str | None = None
    allowed_hosts: Names = ()
    allowed_origins: Names = ()
    max_body_bytes: Positive = 4 * 1024 * 1024


class Database(Section):
    """The database server; without ``dsn``, the embedded server is started.

    ``dsn`` is the installer's connection, and ``service_dsn`` is the service's (role qm_service).
    ``listen_dsn`` is the service's connection that bypasses a pooler, and ``read_dsn`` is its
    connection to a read replica.
    """

    dsn: str | None = None
    service_dsn: str | None = None
    listen_dsn: str | None = None
    read_dsn: str | None = None
    pool_min: NotNegative = 1
    pool_max: Positive = 8
    statement_timeout_ms: NotNegative = 30_000


class Postgres(Section):
    """The embedded server; with port 0, a free port is chosen at the first start."""

    port: Port = 0
    shared_buffers: Annotated[str, Field(pattern=r"^\d+(kB|MB|GB)$")] = "512MB"


class Upstream(Section):
    """Limits for each connection to an upstream MCP server, in seconds and bytes."""

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
    """The number of origins that are read concurrently, and of retries after a failure."""

    concurrency: Positive = 4
    retries: NotNegative = 3


class Audit(Section):
    """The interval at which the end of the audit chain is signed, if there are new records."""

    sign_every_s: Seconds = 60


class Outage(Section):
    """The behaviour in an outage; if ``serve`` is false, the service refuses all requests."""

    serve: bool = True
    renew_every_s: Seconds = 60
    max_age_h: Hours = 24


class Log(Section):
    """The log on stderr: its level, and whether it is JSON or text for people."""

    level: Literal["debug", "info", "warning", "error", "critical"] = "info"
    as_json: bool = Field(default=True, alias="json")


class Lookup(Section):
    """The cache for lookup tables, and whether their queries are stored."""

    cache_rows: NotNegative = 50_000
    cache_ttl_s: Seconds = 86_400
    keep_queries: bool = False


class Limits(Section):
    """The rate limits for one principal in one process; 0 per second means no limit."""

    requests_per_s: NotNegative = 0
    requests_burst: Positive = 200
    lookups_per_s: NotNegative = 50
    lookups_burst: Positive = 200


class Metrics(Section):
    """Access to ``/metrics``: only operators, or everyone who can reach it."""

    open: bool = False


class Llm(Section):
    """The language model that chooses among the first candidates and gives a reason.

    ``none`` means no model, and ``openai`` any server that is compatible with OpenAI's protocol,
    such as Ollama. ``url`` includes ``/v1``. If ``temperature`` or ``max_tokens`` is null, it is
    not sent.
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
    """Time limits for the tools of ``/mcp/reconcile`` in milliseconds, and the language model.

    ``open_as`` is the principal for HTTP requests without a key; if it is null, they see only a
    manifest.
    """

    open_as: Name | None = None
    search_timeout_ms: Positive = 300
    rerank_timeout_ms: Positive = 150
    llm: Llm = Llm()


Locator = Annotated[str, Field(pattern=r"^(secret|env):[A-Za-z0-9_./-]+$")]


class Snapshots(Section):
    """An object store for artifacts; without ``store``, they are only in the data directory.

    Without keys, the keys in the environment are used, such as AWS_ACCESS_KEY_ID.
    """

    store: Annotated[str, Field(pattern=r"^[a-z0-9+]+://[^?#@]+$")] | None = None
    endpoint: Annotated[str, Field(pattern=r"^https?://")] | None = None
    region: str | None = None
    access_key: Locator | None = None
    secret_key: Locator | None = None


class Kinds(Section):
    """The user's own kinds of cards: folders with migrations/, functions/ and sql/kinds/."""

    folders: Names = ()
