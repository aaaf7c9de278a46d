"""All settings: one strict schema, read from one YAML file and the environment, then frozen.

The reference, with a comment for every key, is ``default_settings.yaml`` beside this module.
``QM_SECTION__KEY`` in the environment overrides a key: ``QM_SERVER__PORT=9000``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from quartermaster.core.errors import QmError
from quartermaster.settings.auth import Auth
from quartermaster.settings.base import Section
from quartermaster.settings.models import Embedding, Reranker
from quartermaster.settings.modes import Canary, Modes
from quartermaster.settings.sections import (
    Audit,
    Database,
    Ingest,
    Kinds,
    Limits,
    Log,
    Lookup,
    Metrics,
    Outage,
    Postgres,
    Reconcile,
    Server,
    Snapshots,
    Upstream,
)
from quartermaster.settings.source import Source, explain, read_environment, read_yaml

FILE_NAME: Final = "quartermaster.yaml"


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
    """The settings file to read, and whether the user named it.

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
