"""All settings: a strict, frozen schema, read from one YAML file and the environment.

The reference, with a comment for every key, is ``default_settings.yaml`` next to this module.
``QM_SECTION__KEY`` in the environment overrides a key: ``QM_SERVER__PORT=9000``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from quartermaster.core.errors import QmError
from quartermaster.settings import sections
from quartermaster.settings.source import Source, explain, read_environment, read_yaml

FILE_NAME: Final = "quartermaster.yaml"


class Settings(sections.Section):
    """All settings."""

    server: sections.Server = sections.Server()
    auth: sections.Auth = sections.Auth()
    database: sections.Database = sections.Database()
    postgres: sections.Postgres = sections.Postgres()
    upstream: sections.Upstream = sections.Upstream()
    ingest: sections.Ingest = sections.Ingest()
    embedding: sections.Embedding = sections.Embedding()
    reranker: sections.Reranker = sections.Reranker()
    audit: sections.Audit = sections.Audit()
    snapshots: sections.Snapshots = sections.Snapshots()
    outage: sections.Outage = sections.Outage()
    kinds: sections.Kinds = sections.Kinds()
    knowledge: sections.Knowledge = sections.Knowledge()
    lookup: sections.Lookup = sections.Lookup()
    reconcile: sections.Reconcile = sections.Reconcile()
    decisions: sections.Decisions = sections.Decisions()
    limits: sections.Limits = sections.Limits()
    metrics: sections.Metrics = sections.Metrics()
    log: sections.Log = sections.Log()
    modes: sections.Modes = sections.Modes()
    canary: sections.Canary = sections.Canary()

    @property
    def is_private(self) -> bool:
        """Whether only people on this machine reach the service and its database."""
        server, database = self.server, self.database
        names = {server.host, *server.allowed_hosts} - sections.LOOPBACK_NAMES
        return not (names or server.public_url or database.dsn or database.service_dsn)


def settings_path(explicit: Path | None, data: Path) -> tuple[Path, bool]:
    """The settings file to read, and whether the user chose it.

    Args:
        explicit: file given with ``--settings``; it takes precedence over ``QM_SETTINGS``.
        data: data directory, whose ``quartermaster.yaml`` is the default.
    """
    if explicit is not None:
        return explicit, True
    if from_environment := os.environ.get("QM_SETTINGS"):
        return Path(from_environment), True
    return data / FILE_NAME, False


def load(
    data: Path, explicit: Path | None = None, environment: Mapping[str, str] | None = None
) -> Settings:
    """Reads the settings file, and applies the overrides from the environment.

    Args:
        data: data directory.
        explicit: file given with ``--settings``.
        environment: variables to read instead of the environment of the process.

    Raises:
        QmError: QM422 ``settings_invalid``, with file and line, if a requested file is missing, the
            YAML is invalid, a key is unknown (with the nearest known key) or a value is wrong.
    """
    path, was_asked_for = settings_path(explicit, data)
    if path.exists():
        source = read_yaml(path)
    elif was_asked_for:
        raise QmError(
            422,
            "settings_invalid",
            f"The settings file {path} does not exist.",
            "Choose an existing file with --settings or QM_SETTINGS, or use neither of them.",
        )
    else:
        source = Source({}, {})
    defaults = Source(Settings().model_dump(mode="json", by_alias=True), {})
    variables = os.environ if environment is None else environment
    source = read_environment(variables).over(source.over(defaults))
    try:
        return Settings.model_validate(source.values)
    except ValidationError as error:
        raise explain(error, Settings, source) from None
