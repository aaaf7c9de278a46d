"""Database servers for tests: a template with the schema installed, and clones of it."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import LiteralString, cast
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install import apply, discover
from quartermaster.substrate import os_user
from quartermaster.substrate.embedded import EmbeddedServer
from tests.support import debian_server
from tests.support.canary import searched_database
from tests.support.model import cached_model_dir
from tests.support.place import new_place
from tests.support.process_ends import crashes, watched
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
SERVICE_PASSWORD = "only for tests, on loopback"
_TEMPLATE = "qm_template"


def run_script(connection: psycopg.Connection[tuple[object, ...]], text: str) -> None:
    """Runs a script of several statements; psycopg's `execute` takes one when it prepares."""
    connection.execute(cast(LiteralString, text))


@dataclass(frozen=True)
class Database:
    """A database with the schema, pgTAP (schema `tap`) and the helpers of tests (schema `t`).

    Attributes:
        name: of the database.
        dsn: the superuser's connection string.
        service_dsn: that of the login role `qm_service`.
    """

    name: str
    dsn: str
    service_dsn: str

    def connect(self, *, as_service: bool = False) -> psycopg.Connection[tuple[object, ...]]:
        """Returns a new connection that commits each statement; the caller closes it."""
        return psycopg.connect(self.service_dsn if as_service else self.dsn, autocommit=True)

    async def ends_are_written(self) -> None:
        """Until no call is open: how one went that went well is written after its reply."""
        still_open = "select from calls.call where outcome = 'pending'"
        with self.connect() as connection:
            await until(lambda: not connection.execute(still_open).fetchall())


@dataclass
class Server:
    """A running PostgreSQL of the tests.

    Attributes:
        name: for test ids.
        admin_dsn: the superuser's connection string for some database.
        admin: a connection to it, which makes and drops the databases of tests; None for a server
            that tests stop: each statement opens one.
        pgtap: script that makes pgTAP; None where there is none.
        programs: folder of `pg_dump` and `psql`, None where the host has none.
    """

    name: str
    admin_dsn: str
    admin: psycopg.Connection[tuple[object, ...]] | None
    pgtap: Path | None
    programs: Path | None = None
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _has_template: bool = False

    def database(self, name: str) -> Database:
        """Returns the connection strings of a database of this server, whether it exists or not."""
        return Database(
            name,
            with_parts(self.admin_dsn, database=name),
            with_parts(self.admin_dsn, database=name, user="qm_service", password=SERVICE_PASSWORD),
        )

    @contextmanager
    def empty(self) -> Generator[Database]:
        """Provides a new database without anything in it, dropped at the end."""
        with self.temporary("template0") as database:
            yield database

    @contextmanager
    def clone(self, original: Database | None = None) -> Generator[Database]:
        """Provides a copy of a database that nobody is connected to, dropped at the end.

        Args:
            original: None: the template.
        """
        if original is None:
            self._ensure_template()
        with self.temporary(original.name if original else _TEMPLATE) as database:
            with database.connect() as connection:
                run_script(connection, (ROOT / "sql" / "database.sql").read_text())
                if original is None:
                    connection.execute("set qm.limit_logins = on")
                    run_script(connection, discover.withheld_functions().sql)
                    run_script(connection, discover.login_limits().sql)
            yield database

    @contextmanager
    def temporary(self, template: str) -> Generator[Database]:
        """Provides a copy of a database as PostgreSQL makes it, dropped at the end."""
        database = self.database(f"qm_test_{os.getpid()}_{next(self._numbers)}")
        # The other strategy writes every page of the copy to the log as well.
        self._admin("create database {} template {} strategy file_copy", database.name, template)
        try:
            with searched_database(database.dsn):
                yield database
        finally:
            self._admin("drop database {} with (force)", database.name)

    def _ensure_template(self) -> None:
        if self._has_template:
            return
        database = self.database(_TEMPLATE)
        # One that failed in the middle would let every later test fail, too.
        self._admin("drop database if exists {} with (force)", _TEMPLATE)
        self._admin("create database {} template template0", _TEMPLATE)
        apply.install(database.dsn, service_password=SERVICE_PASSWORD, limit_logins=True)
        self.add_test_parts(database)
        self._has_template = True

    def add_test_parts(
        self, database: Database, written: Callable[[str], str] = lambda text: text
    ) -> None:
        """Adds schemas `tap` and `t` to an installed database.

        Args:
            database: of this server.
            written: how the helpers of tests are to be written.
        """
        with database.connect() as connection:
            if self.pgtap is not None:
                connection.execute("create schema tap")
                connection.execute("set search_path = tap, public")
                connection.execute("set client_min_messages = warning")
                run_script(connection, _without_collations(self.pgtap.read_text()))
                connection.execute("grant usage on schema tap to public")
                connection.execute("reset search_path")
            for folder in (ROOT, *(ROOT / "kinds" / kind.name for kind in discover.kinds())):
                for path in sorted(folder.glob("tests/sql/_setup/*.sql")):
                    run_script(connection, written(path.read_text(encoding="utf-8")))
            # For qm doctor, the parts of tests are not a change by somebody.
            connection.execute("select core.record_objects()")
            connection.execute("analyze")

    def _admin(self, statement: LiteralString, *names: str) -> None:
        retained = self.admin and nullcontext(self.admin)
        with retained or psycopg.connect(self.admin_dsn, autocommit=True) as admin:
            admin.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _without_collations(pgtap: str) -> str:
    """pgTAP, changed to compare rows as they are stored.

    PostgreSQL does not compare rows whose columns have different collations, such as those of a
    table and those of a list of values.
    """
    compared = "have_rec IS DISTINCT FROM want_rec"
    assert compared in pgtap
    return pgtap.replace(
        compared,
        "((have_rec *= want_rec) IS NOT TRUE AND NOT (have_rec IS NULL AND want_rec IS NULL))",
    )


def with_parts(
    dsn: str, *, database: str, user: str | None = None, password: str | None = None
) -> str:
    """Returns the connection string for another database, and for another user where one is
    given.
    """
    parts = urlsplit(dsn)
    place = parts.netloc
    if user is not None:
        escaped = (password or "").replace(" ", "%20").replace(",", "%2C")
        place = f"{user}:{escaped}@{place.rpartition('@')[2]}"
    return urlunsplit(parts._replace(netloc=place, path=f"/{database}"))


def runtime_dir() -> Path:
    """Returns where PostgreSQL is unpacked for all test runs: QM_TEST_CACHE, else build/ of the
    checkout.

    Root's own folders are closed to the user that PostgreSQL runs as; a shared place under
    /var/tmp stands in for them.
    """
    cache = os.environ.get("QM_TEST_CACHE")
    folder = (Path(cache) if cache else ROOT / "build").absolute() / "runtime"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        os_user.require_traversable(folder, os_user.server_user(folder / "none"))
    except QmError:
        folder = Path("/var/tmp/qm-test-runtime")
        folder.mkdir(mode=0o755, exist_ok=True)
    return folder


@contextmanager
def embedded(shared_buffers: str | None = None) -> Generator[Server]:
    """PostgreSQL 18 out of the wheel, empty, for the length of the block.

    Args:
        shared_buffers: PostgreSQL's setting; None keeps the small cache that tests need.
    """
    with (
        new_place("qm-tests-") as place,
        EmbeddedServer(
            place / "data", runtime_dir(), shared_buffers=shared_buffers
        ) as embedded_server,
        watched(str(place), partial(crashes, embedded_server.log_path)),
    ):
        relax(embedded_server.dsn)
        with psycopg.connect(embedded_server.dsn, autocommit=True) as admin:
            yield Server(
                "postgresql-18",
                embedded_server.dsn,
                admin,
                _pgtap_for_embedded(),
                embedded_server.psql.parent,
            )


def relax(dsn: str) -> None:
    """Spares a server of tests what makes each commit and each connection slow."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        # Nothing here has to survive a power cut.
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.execute(sql.SQL("alter system set {} = off").format(sql.Identifier(setting)))
        connection.execute("select pg_reload_conf()")
    hash_once(dsn)


def hash_once(dsn: str, **passwords: str) -> None:
    """Hashes passwords once instead of 4096 times, which both sides of each connection would do.

    Args:
        dsn: the superuser's connection string, whose password is hashed anew.
        passwords: of other login roles, likewise.
    """
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("alter system set scram_iterations = 1")
        connection.execute("set scram_iterations = 1")
        for role, password in {connection.info.user: connection.info.password, **passwords}.items():
            connection.execute(
                sql.SQL("alter role {} password {}").format(
                    sql.Identifier(role), sql.Literal(password)
                )
            )
        connection.execute("select pg_reload_conf()")


@contextmanager
def debian() -> Generator[Server]:
    """PostgreSQL 17 of Debian 13; `debian_root.skip_reason` says whether it can be had."""
    visible = [ROOT / "extensions" / "plpy", cached_model_dir()]
    with debian_server.running(visible=visible) as server:
        relax(server.dsn)
        with psycopg.connect(server.dsn, autocommit=True) as admin:
            yield Server("postgresql-17", server.dsn, admin, server.pgtap_sql)


def _pgtap_for_embedded() -> Path | None:
    """Returns the newest whole pgTAP script that scripts/test-prerequisites.sh has unpacked."""
    folder = ROOT / "build" / "pgtap"
    whole = [path for path in folder.rglob("pgtap--*.sql") if path.name.count("--") == 1]
    return max(whole, key=lambda p: [int(n) for n in p.stem[7:].split(".")], default=None)
