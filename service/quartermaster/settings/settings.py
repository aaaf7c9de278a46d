"""All settings: one strict schema, read from one YAML file and the environment, then frozen.

The reference, with a comment for every key, is ``default_settings.yaml`` beside this module.
``QM_SECTION__KEY`` in the environment overrides a key: ``QM_SERVER__PORT=9000``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError

from quartermaster.core.errors import QmError
from quartermaster.settings.auth import Auth
from quartermaster.settings.base import Hours, Names, NotNegative, Port, Positive, Seconds, Section
from quartermaster.settings.models import Embedding, Reranker
from quartermaster.settings.modes import Canary, Modes
from quartermaster.settings.operations import Kinds, Limits, Lookup, Metrics
from quartermaster.settings.reconcile import Reconcile
from quartermaster.settings.snapshots import Snapshots
from quartermaster.settings.source import Source, explain, read_environment, read_yaml

FILE_NAME: Final = "quartermaster.yaml"


class Server(Section):
    """Where the service listens; an empty ``allowed_hosts`` admits loopback names only."""

    host: str = "127.0.0.1"
    port: Port = 8765
    public_url: str | None = None
    allowed_hosts: Names = ()
    allowed_origins: Names = ()
    max_body_bytes: Positive = 4 * 1024 * 1024


class Database(Section):
    """A server of one's own; without ``dsn`` the embedded one is started.

    ``dsn`` is the installer's connection, ``service_dsn`` the service's (role qm_service),
    ``listen_dsn`` the same past a pooler, ``read_dsn`` the same at a standby.
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
    """What is done without the database; ``serve`` false refuses everything until it is back."""

    serve: bool = True
    renew_every_s: Seconds = 60
    max_age_h: Hours = 24


class Log(Section):
    """What is logged to stderr, and whether as JSON or for people."""

    level: Literal["debug", "info", "warning", "error", "critical"] = "info"
    as_json: bool = Field(default=True, alias="json")


class Settings(Section):
    """Everything that can be set."""

    server: Server = Server()
    auth: Auth = Auth()
    database: Database = Database()
    postgres: Postgres = Postgres()
    upstream: Upstream = Upstream()
    ingest: Ingest = Ingest()
    embedding: Embedding = Embedding()
    reranker: Reranker = Reranker()
    audit: Audit = Audit()
    snapshots: Snapshots = Snapshots()
    outage: Outage = Outage()
    kinds: Kinds = Kinds()
    lookup: Lookup = Lookup()
    reconcile: Reconcile = Reconcile()
    limits: Limits = Limits()
    metrics: Metrics = Metrics()
    log: Log = Log()
    modes: Modes = Modes()
    canary: Canary = Canary()


def settings_path(explicit: Path | None, data: Path) -> tuple[Path, bool]:
    """The settings file to read, and whether somebody asked for it by name.

    Args:
        explicit: the one of ``--settings``; it wins over ``QM_SETTINGS``.
        data: the data directory, whose ``quartermaster.yaml`` is the default.
    """
    if explicit is not None:
        return explicit, True
    if from_environment := os.environ.get("QM_SETTINGS"):
        return Path(from_environment), True
    return data / FILE_NAME, False


def load(
    data: Path, explicit: Path | None = None, environment: Mapping[str, str] | None = None
) -> Settings:
    """Read the settings file, then the environment over it.

    Args:
        data: the data directory.
        explicit: the file of ``--settings``.
        environment: variables to read instead of the process's own.

    Raises:
        QmError: QM422 ``settings_invalid``, with file and line, for a missing file that was asked
            for, bad YAML, an unknown key (and the nearest known one) or a wrong value.
    """
    path, was_asked_for = settings_path(explicit, data)
    if path.exists():
        source = read_yaml(path)
    elif was_asked_for:
        raise QmError(
            422,
            "settings_invalid",
            f"The settings file {path} does not exist.",
            "Name an existing file with --settings or QM_SETTINGS, or leave both out.",
        )
    else:
        source = Source({}, {})
    source = source.over_defaults(Settings().model_dump(mode="json", by_alias=True))
    source = source.overridden_by(
        read_environment(os.environ if environment is None else environment)
    )
    try:
        return Settings.model_validate(source.values)
    except ValidationError as error:
        raise explain(error, Settings, source) from None


def default_settings_text() -> str:
    """The commented reference file, every key at its default."""
    return (files("quartermaster.settings") / "default_settings.yaml").read_text(encoding="utf-8")
