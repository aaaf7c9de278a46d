"""The sections of the settings. Each section configures one part of the service."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

Port = Annotated[int, Field(ge=0, le=65535)]
Positive = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(gt=0)]
Hours = Annotated[float, Field(gt=0)]
Weight = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Name = Annotated[str, Field(min_length=1)]
Device = Literal["auto", "cpu", "cuda", "coreml"]
DEVICE: Final[Device] = "auto"
# All of these algorithms use a private key. With a shared secret, everyone who can verify could
# also sign.
Algorithm = Literal[
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
]
LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
Effort = Annotated[int, Field(ge=1, le=1000)]
Scoring = Literal["fusion", "learned"]
Locator = Annotated[str, Field(pattern=r"^(secret|env):[A-Za-z0-9_./-]+$")]


def _split_list(value: object) -> object:
    # An environment variable can contain only one string, so names are separated by commas.
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


Names = Annotated[tuple[str, ...], BeforeValidator(_split_list)]


class Section(BaseModel):
    """A part of the settings. Unknown keys are errors, and values cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RemoteModelSettings(Section):
    """A server that runs models: its base URL, and the locator of the key for it."""

    url: Name | None = None
    api_key: str | None = None
    request_timeout_s: Seconds = 30


class EmbeddingSettings(RemoteModelSettings):
    """The embedding model. ``threads`` 0 means one thread per core. ``dimension`` and the prefixes
    are only for ``api_remote``, because a model folder contains these values.
    """

    provider: Literal["onnx_local", "api_remote"] = "onnx_local"
    model: Name = "minilm-tools-4"
    batch_size: Positive = 32
    threads: NotNegative = 0
    device: Device = DEVICE
    query_cache: NotNegative = 1_000
    dimension: Positive | None = None
    query_prefix: str = ""
    passage_prefix: str = ""


class RerankerSettings(RemoteModelSettings):
    """The reranker.

    If ``max_tokens`` is null, the model's limit is used; if ``margin`` is null, all texts are
    scored. ``documents_field`` is the name of the request member in which the server expects the
    texts.
    """

    provider: Literal["none", "onnx_local", "api_remote"] = "none"
    model: Name | None = None
    threads: NotNegative = 0
    device: Device = DEVICE
    max_tokens: Annotated[int, Field(ge=16)] | None = None
    margin: Annotated[float, Field(ge=0)] | None = None
    margin_keep: Positive = 10
    timeout_s: Seconds = 2
    documents_field: Literal["documents", "texts"] = "documents"


class OidcSettings(Section):
    """An issuer of bearer tokens (JWT). Without ``issuer``, tokens are not accepted."""

    issuer: str | None = None
    audience: Names = ()
    jwks_url: str | None = None
    algorithms: tuple[Algorithm, ...] = ("RS256", "ES256", "EdDSA")
    subject_claim: str = Field(default="sub", min_length=1)
    name_claim: str | None = None
    role_claim: str | None = None
    roles: dict[str, Literal["user", "operator", "admin"]] = Field(default_factory=dict)
    organisation_claim: str | None = None
    required_scopes: Names = ()
    leeway_s: NotNegative = 30
    create_principals: bool = False

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.issuer is not None and not self.audience:
            # Without an audience, a token for any other service of the same issuer would be
            # accepted.
            raise ValueError("if issuer is set, audience must also be set")
        for url in (self.issuer, self.jwks_url):
            if url is not None and not is_safe_url(url):
                raise ValueError(f"{url} neither uses https nor is on this machine")
        return self


class AuthSettings(Section):
    """Settings for the authentication of requests."""

    oidc: OidcSettings = OidcSettings()


def is_safe_url(url: str) -> bool:
    """Returns whether data that is loaded from a URL is protected against changes in transit."""
    parts = urlsplit(url)
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK_NAMES)
    )


class ModeSettings(Section):
    """The settings of a selection mode: candidates per channel, numbers of reranked and returned
    cards, and weights.

    ``lambda`` is the share of novelty in MMR, and ``weight_rerank`` is the share of the
    cross-encoder in the score. The next five weights are the utility coefficients. If ``scoring``
    is learned and the database has coefficients for the embedding model, these coefficients replace
    the fusion weights. A channel whose weight is 0 has no effect in either case.

    ``floor`` is a probability. If the probability that any card fits is lower, all cards in the
    list are marked as weak matches. ``tail`` is a share of the best card's probability. A card with
    a smaller share is not shown. In large catalogs and for long goals, a smaller share than
    ``tail`` is enough.
    """

    lexical: NotNegative
    dense: NotNegative
    fuzzy: NotNegative
    rerank: NotNegative
    top: Positive
    ef_search: Effort
    mmr_lambda: Share = Field(default=0.3, alias="lambda")
    weight_lexical: Weight = 1.0
    weight_dense: Weight = 1.5
    weight_fuzzy: Weight = 0.3
    weight_rerank: Share = 0.3
    weight_score: Weight = 1.0
    weight_success: Weight = 0.05
    weight_latency: Weight = 0.02
    weight_risk: Weight = 0.0
    weight_unavailable: Share = 0.5
    floor: Share = 0.235
    tail: Share = 0.04
    scoring: Scoring = "learned"


class ModesSettings(Section):
    """The three selection modes. A missing key has its default value."""

    fast: ModeSettings = ModeSettings(
        lexical=24, dense=24, fuzzy=8, rerank=16, top=5, ef_search=240
    )
    balanced: ModeSettings = ModeSettings(
        lexical=48, dense=48, fuzzy=16, rerank=32, top=8, ef_search=240
    )
    thorough: ModeSettings = balanced


class CanaryModeSettings(Section):
    """The settings that a canary changes in its mode. Its other settings stay the same."""

    lexical: NotNegative | None = None
    dense: NotNegative | None = None
    fuzzy: NotNegative | None = None
    rerank: NotNegative | None = None
    top: Positive | None = None
    ef_search: Effort | None = None
    mmr_lambda: Share | None = Field(default=None, alias="lambda")
    weight_lexical: Weight | None = None
    weight_dense: Weight | None = None
    weight_fuzzy: Weight | None = None
    weight_rerank: Share | None = None
    weight_score: Weight | None = None
    weight_success: Weight | None = None
    weight_latency: Weight | None = None
    weight_risk: Weight | None = None
    weight_unavailable: Share | None = None
    floor: Share | None = None
    tail: Share | None = None
    scoring: Scoring | None = None

    @model_serializer(mode="wrap")
    def _without_absent(self, serialize: SerializerFunctionWrapHandler) -> dict[str, object]:
        return {key: value for key, value in serialize(self).items() if value is not None}


class CanarySettings(Section):
    """A canary, which answers a percentage of one mode's selections with other settings. The
    percentage 0 disables it.
    """

    mode: Literal["fast", "balanced", "thorough"] = "balanced"
    percent: Annotated[float, Field(ge=0, le=100)] = 0.0
    changes: CanaryModeSettings = CanaryModeSettings()


class ServerSettings(Section):
    """The address of the service and its limits for requests, in bytes and seconds.

    An empty ``allowed_hosts`` allows only loopback names. ``tls_cert``, ``tls_key`` and ``tls_ca``
    are PEM files; ``tls_ca`` contains the authorities that clients on this machine must trust.
    """

    host: str = "127.0.0.1"
    port: Port = 8765
    public_url: str | None = None
    allowed_hosts: Names = ()
    allowed_origins: Names = ()
    tls_cert: Name | None = None
    tls_key: Name | None = None
    tls_ca: Name | None = None
    max_body_bytes: Positive = 4 * 1024 * 1024
    max_header_bytes: Positive = 64 * 1024
    header_timeout_s: Seconds = 10
    body_timeout_s: Seconds = 60
    write_timeout_s: Seconds = 60


class DatabaseSettings(Section):
    """The database server. Without ``dsn``, the embedded server is started.

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


class PostgresSettings(Section):
    """The embedded server. With port 0, a free port is chosen at the first start."""

    port: Port = 0
    shared_buffers: Annotated[str, Field(pattern=r"^\d+(kB|MB|GB)$")] = "512MB"
    session_memory: Annotated[str, Field(pattern=r"^\d+(kB|MB|GB)$")] | None = None


class UpstreamSettings(Section):
    """Limits for each connection to an upstream MCP server, in seconds and bytes.

    ``unconfined``: whether local servers may run as the service's own user if this machine cannot
    confine them. None allows it only if nobody outside this machine can add servers
    (`Settings.is_private`).
    """

    connect_timeout_s: Seconds = 30
    longest_start_s: Seconds = 300
    list_timeout_s: Seconds = 30
    call_timeout_s: Seconds = 60
    max_concurrency: Positive = 8
    max_queue: NotNegative = 256
    idle_stop_s: Annotated[float, Field(ge=0)] = 3600
    max_memory_mb: NotNegative = 4096
    max_processes: NotNegative = 512
    max_open_files: NotNegative = 4096
    unconfined: bool | None = None
    max_tools_per_origin: Positive = 10_000
    max_tool_bytes: Positive = 256 * 1024


class IngestSettings(Section):
    """Reading of catalogs: the number of origins that are read concurrently, the number of retries
    after a failure, and whether agents are offered tools with which they propose phrases for the
    tools of new servers.
    """

    concurrency: Positive = 4
    retries: NotNegative = 3
    agents_propose_phrases: bool = False


class AuditSettings(Section):
    """Signing of the audit chain. At each interval, the chain's head is signed if there are new
    records.

    Each signed head is sent to the destinations. A destination is ``syslog``,
    ``syslog://HOST:PORT``, an HTTP URL, ``s3://BUCKET/PREFIX``, or the path of a file.
    """

    sign_every_s: Seconds = 60
    heads_to: Names = ()


class OutageSettings(Section):
    """The behaviour in an outage. If ``serve`` is false, the service refuses all requests."""

    serve: bool = True
    renew_every_s: Seconds = 60
    max_age_h: Hours = 24
    spool_mb: NotNegative = 1024


class LogSettings(Section):
    """The log: its level, its format (JSON or text for people), and whether ``qm up`` also writes
    it to stderr.
    """

    level: Literal["debug", "info", "warning", "error", "critical"] = "info"
    as_json: bool = Field(default=True, alias="json")
    stderr: bool = False


class LimitSettings(Section):
    """Limits for how much of one process each principal may use; see docs/shares.md."""

    requests_per_s: NotNegative = 100
    requests_burst: Positive = 400
    lookups_per_s: NotNegative = 50
    lookups_burst: Positive = 200
    sessions: NotNegative = 200
    searches: NotNegative = 0
    search_queue: NotNegative = 500
    project_calls: NotNegative = 0
    project_queue: NotNegative = 200
    project_call_s: Seconds = 600
    project_memory_mb: NotNegative = 0
    kept_free: Annotated[float, Field(ge=0, lt=1)] = 0.25


class MetricSettings(Section):
    """Access to ``/metrics``: only operators, or everyone who can reach the service."""

    open: bool = False


class LanguageModelSettings(Section):
    """A server that runs a language model.

    ``none`` means no model; ``openai`` means any server that is compatible with OpenAI's protocol,
    such as Ollama. ``url`` includes ``/v1``. If ``temperature`` or ``max_tokens`` is null, it is
    not sent.
    """

    provider: Literal["none", "anthropic", "openai"] = "none"
    url: Name | None = None
    model: Name | None = None
    api_key: str | None = None
    timeout_s: Seconds = 60
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.0
    max_tokens: Positive | None = 2000


class SnapshotSettings(Section):
    """An object store for artifacts. Without ``store``, artifacts are kept only in the data
    directory. Without keys, the keys in the environment, such as AWS_ACCESS_KEY_ID, are used.
    """

    store: Annotated[str, Field(pattern=r"^[a-z0-9+]+://[^?#@]+$")] | None = None
    endpoint: Annotated[str, Field(pattern=r"^https?://")] | None = None
    region: str | None = None
    access_key: Locator | None = None
    secret_key: Locator | None = None


class KindSettings(Section):
    """The user's own kinds of cards: folders with migrations/, functions/ and sql/kinds/."""

    folders: Names = ()
