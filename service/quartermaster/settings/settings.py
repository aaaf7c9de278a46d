"""All settings: a strict, frozen schema, and functions that read the values from one YAML file and
the environment.

The reference, with a comment for every key, is ``default_settings.yaml`` next to this module. Each
kind has such a file next to its sections.
``QM_SECTION__KEY`` in the environment overrides a key: ``QM_SERVER__PORT=9000``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError, create_model

from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import entries, loaded
from quartermaster.settings import sections
from quartermaster.settings.source import SettingsSource, explain, read_environment, read_yaml

FILE_NAME: Final = "quartermaster.yaml"


GROUP: Final = "quartermaster.settings"
"""Group of entry points that add the sections of kinds: the key, and the `Section`."""

S = TypeVar("S", bound=sections.Section)


class Settings(sections.Section):
    """The settings of the core. `schema` returns a class that also has the sections of kinds."""

    server: sections.ServerSettings = sections.ServerSettings()
    auth: sections.AuthSettings = sections.AuthSettings()
    database: sections.DatabaseSettings = sections.DatabaseSettings()
    postgres: sections.PostgresSettings = sections.PostgresSettings()
    upstream: sections.UpstreamSettings = sections.UpstreamSettings()
    ingest: sections.IngestSettings = sections.IngestSettings()
    embedding: sections.EmbeddingSettings = sections.EmbeddingSettings()
    reranker: sections.RerankerSettings = sections.RerankerSettings()
    audit: sections.AuditSettings = sections.AuditSettings()
    snapshots: sections.SnapshotSettings = sections.SnapshotSettings()
    outage: sections.OutageSettings = sections.OutageSettings()
    kinds: sections.KindSettings = sections.KindSettings()
    limits: sections.LimitSettings = sections.LimitSettings()
    metrics: sections.MetricSettings = sections.MetricSettings()
    log: sections.LogSettings = sections.LogSettings()
    modes: sections.ModesSettings = sections.ModesSettings()
    canary: sections.CanarySettings = sections.CanarySettings()

    @property
    def is_private(self) -> bool:
        """Whether only users of this machine can reach the service and its database."""
        server, database = self.server, self.database
        names = {server.host, *server.allowed_hosts} - sections.LOOPBACK_NAMES
        return not (names or server.public_url or database.dsn or database.service_dsn)

    def of(self, section: type[S]) -> S:
        """Returns the section of a kind. If these settings contain only the core's sections, the
        section has its default values.

        Args:
            section: class of the section.
        """
        values = (getattr(self, name) for name in type(self).model_fields)
        return next((value for value in values if isinstance(value, section)), section())


@cache
def schema() -> type[Settings]:
    """Returns the class of all settings: the settings of the core, and the sections of the
    installed kinds.

    Raises:
        QmError: QM500 kind_package_broken.
    """
    added: dict[str, Any] = {}
    for entry in entries(GROUP):
        section = loaded(entry, type)
        added[entry.name] = (section, section())
    return create_model("Settings", __base__=Settings, **added)


def settings_path(explicit: Path | None, data: Path) -> tuple[Path, bool]:
    """Returns the path of the settings file, and whether the user chose the file.

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
        environment: variables to read; None reads the environment of the process.

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
        source = SettingsSource({}, {})
    defaults = SettingsSource(schema()().model_dump(mode="json", by_alias=True), {})
    variables = os.environ if environment is None else environment
    source = read_environment(variables).over(source.over(defaults))
    try:
        return schema().model_validate(source.values)
    except ValidationError as error:
        raise explain(error, schema(), source) from None
