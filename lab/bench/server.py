"""A database server for one measurement, with the schema installed, as `qm up` would run it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from quartermaster.install import apply
from quartermaster.settings.sections import PostgresSettings
from quartermaster.substrate.embedded import EmbeddedServer
from tests.support.database import SERVICE_PASSWORD, runtime_dir, with_parts

Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True)
class BenchDatabase:
    """Three connections to the throw-away database; each commits every statement.

    Attributes:
        owner: the superuser, who looks behind the api.
        service: the service's login in the role of an operator, under the row policies.
        reader: the same in the role that owns the reading functions, which may run their parts.
        dsn: the owner's.
    """

    owner: Connection
    service: Connection
    reader: Connection
    dsn: str

    @property
    def version(self) -> str:
        """Of PostgreSQL."""
        return self.owner.info.parameter_status("server_version") or ""


@contextmanager
def throw_away() -> Generator[BenchDatabase]:
    """Provides a new server with default settings and an empty catalog; gone at the end."""
    place = Path(tempfile.mkdtemp(prefix="qm-bench-"))
    # Open to the user that PostgreSQL runs as.
    place.chmod(0o755)
    try:
        memory = PostgresSettings().shared_buffers
        with EmbeddedServer(place / "data", runtime_dir(), shared_buffers=memory) as server:
            apply.install(server.dsn, service_password=SERVICE_PASSWORD)
            service_dsn = with_parts(
                server.dsn, database="quartermaster", user="qm_service", password=SERVICE_PASSWORD
            )
            with (
                psycopg.connect(server.dsn, autocommit=True) as owner,
                psycopg.connect(service_dsn, autocommit=True) as service,
                psycopg.connect(service_dsn, autocommit=True) as reader,
            ):
                owner.execute("grant qm_reader to qm_service with inherit false")
                for asking, role in ((service, "qm_operator"), (reader, "qm_reader")):
                    asking.execute(
                        "select set_config('qm.principal', principal_id::text, false)"
                        " from api.find_principal('quartermaster')"
                    )
                    asking.execute(f"set role {role}")
                # Every question is asked twice, and both times it is to be searched for.
                owner.execute("update core.setting set value = '\"0 s\"' where name = 'pool.ttl'")
                yield BenchDatabase(owner, service, reader, server.dsn)
    finally:
        shutil.rmtree(place, ignore_errors=True)
