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

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from quartermaster.errors import QmError
from quartermaster.settings_source import Source, explain, read_environment, read_yaml

FILE_NAME: Final = "quartermaster.yaml"

Port = Annotated[int, Field(ge=0, le=65535)]
Positive = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(gt=0)]
Weight = Annotated[float, Field(ge=0)]


def _split_list(value: object) -> object:
    # An environment variable holds one string: names separated by commas.
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


Names = Annotated[tuple[str, ...], BeforeValidator(_split_list)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Server(_Section):
    """Where the service listens; an empty ``allowed_hosts`` admits loopback names only."""

    host: str = "127.0.0.1"
    port: Port = 8765
    allowed_hosts: Names = ()
    allowed_origins: Names = ()
    max_body_bytes: Positive = 4 * 1024 * 1024


class Database(_Section):
    """A server of one's own; without ``dsn`` the embedded one is started.

    ``dsn`` is the installer's connection, ``service_dsn`` the service's (role qm_service).
    """

    dsn: str | None = None
    service_dsn: str | None = None
    pool_min: NotNegative = 1
    pool_max: Positive = 8
    statement_timeout_ms: NotNegative = 30_000


class Postgres(_Section):
    """The embedded server; port 0 picks a free one at the first start."""

    port: Port = 0
    shared_buffers: Annotated[str, Field(pattern=r"^\d+(kB|MB|GB)$")] = "128MB"


class Upstream(_Section):
    """Limits for every connection to an upstream MCP server, in seconds and bytes."""

    connect_timeout_s: Seconds = 30
    list_timeout_s: Seconds = 30
    call_timeout_s: Seconds = 60
    max_concurrency: Positive = 8
    max_tools_per_origin: Positive = 10_000
    max_tool_bytes: Positive = 256 * 1024


class Ingest(_Section):
    """How many origins are read at once, and how often a failed one is tried again."""

    concurrency: Positive = 4
    retries: NotNegative = 3


class Embedding(_Section):
    """The embedding model; ``threads`` 0 means one per core."""

    model: Annotated[str, Field(min_length=1)] = "all-MiniLM-L6-v2"
    batch_size: Positive = 32
    threads: NotNegative = 0


class Log(_Section):
    """What is logged to stderr, and whether as JSON or for people."""

    level: Literal["debug", "info", "warning", "error", "critical"] = "info"
    as_json: bool = Field(default=True, alias="json")


class Profile(_Section):
    """One mode of selection: candidates per channel, what is reranked and exposed, weights."""

    lexical: NotNegative
    dense: NotNegative
    fuzzy: NotNegative
    rerank: NotNegative
    expose: Positive
    ef_search: Annotated[int, Field(ge=1, le=1000)]
    mmr_lambda: Annotated[float, Field(ge=0, le=1)] = Field(default=0.3, alias="lambda")
    weight_lexical: Weight = 1.0
    weight_dense: Weight = 1.5
    weight_fuzzy: Weight = 0.3


class Profiles(_Section):
    """The three modes; a key left out keeps its default."""

    fast: Profile = Profile(lexical=24, dense=16, fuzzy=8, rerank=16, expose=5, ef_search=40)
    balanced: Profile = Profile(lexical=48, dense=32, fuzzy=16, rerank=32, expose=8, ef_search=80)
    thorough: Profile = Profile(lexical=96, dense=64, fuzzy=24, rerank=64, expose=10, ef_search=160)


class Settings(_Section):
    """Everything that can be set."""

    server: Server = Server()
    database: Database = Database()
    postgres: Postgres = Postgres()
    upstream: Upstream = Upstream()
    ingest: Ingest = Ingest()
    embedding: Embedding = Embedding()
    log: Log = Log()
    profiles: Profiles = Profiles()


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
    return (files("quartermaster") / "default_settings.yaml").read_text(encoding="utf-8")
