"""Two look-alikes of managed databases, made on a server of the tests that nothing else uses.

Their administrator is no superuser. What only the provider may do is done with `provider_dsn`. The
pooler is PgBouncer of Debian, which scripts/test-prerequisites.sh installs on this machine.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, LiteralString
from urllib.parse import urlencode

import psycopg
from psycopg import sql

from tests.support import database as databases
from tests.support import pgbouncer
from tests.support.certificates import Authority
from tests.support.database import SERVICE_PASSWORD, Database, Server, with_parts
from tests.support.place import new_place

ADMINISTRATOR: Final = "customer"
PASSWORD: Final = "the customer's, on loopback"
EXTENSIONS: Final = ("vector", "pg_trgm", "unaccent")
_SERVERS: Final[dict[str, Callable[[], AbstractContextManager[Server]]]] = {
    "postgresql-17": databases.debian,
    "postgresql-18": databases.embedded,
}


@dataclass(frozen=True)
class LookAlike:
    """A database as a provider hands it over.

    Attributes:
        server: on which it is; its superuser is the provider.
        database: with the administrator's connection string in `dsn`.
        provider_dsn: the superuser's connection string for this database.
        pooled_dsn: the administrator's through the pooler in transaction mode; None without one.
    """

    server: Server
    database: Database
    provider_dsn: str
    pooled_dsn: str | None = None

    @property
    def dsn(self) -> str:
        """The administrator's connection string."""
        return self.database.dsn

    def pooled(self, dsn: str) -> str:
        """Returns the connection string of another login through the pooler."""
        assert self.pooled_dsn is not None
        place = self.pooled_dsn.partition("@")[2]
        return f"{dsn.partition('@')[0]}@{place}"


@contextmanager
def extensions_elsewhere(server: Server) -> Generator[LookAlike]:
    """Provides the extensions stand in a schema `extensions` of the provider, who has made them.

    The administrator has CREATEROLE, CREATEDB and BYPASSRLS, and owns the database.

    Args:
        server: without roles of ours.
    """
    with _handed_over(server, "createrole createdb bypassrls") as look_alike:
        with psycopg.connect(look_alike.provider_dsn, autocommit=True) as provider:
            provider.execute("create role provider nologin")
        _make_extensions(look_alike)
        yield look_alike


@contextmanager
def create_role_only(
    server: Server, *, idle_s: float = 60, statement_timeout: str = "60s"
) -> Generator[LookAlike]:
    """Nothing is there but the database: its owner has CREATEROLE, and a pooler stands in front.

    Only TLS is let in, with a certificate of the provider's own authority. The administrator's
    statements may take `statement_timeout`. Connections that are idle for `idle_s` are ended, those
    to the server and those to the pooler.

    Args:
        server: without roles of ours.
        idle_s: in seconds.
        statement_timeout: as the setting of PostgreSQL.
    """
    with (
        new_place("qm-provider-") as folder,
        _handed_over(server, "createrole") as look_alike,
        ExitStack() as stack,
    ):
        authority = Authority(folder, "provider")
        name = look_alike.database.name
        with psycopg.connect(look_alike.provider_dsn, autocommit=True) as provider:
            _demand_tls(provider, name, authority)
            administrator = sql.Identifier(ADMINISTRATOR)
            limit = sql.SQL("alter role {} set statement_timeout = {}")
            provider.execute(limit.format(administrator, statement_timeout))
            ends = sql.SQL("alter database {} set idle_session_timeout = {}")
            provider.execute(ends.format(sql.Identifier(name), f"{int(idle_s * 1000)}ms"))
        options = urlencode({"sslmode": "verify-full", "sslrootcert": authority.certificate})
        pooled = stack.enter_context(
            pgbouncer.pooled(look_alike.provider_dsn, _pooler(authority, idle_s))
        )
        as_administrator = {"user": ADMINISTRATOR, "password": PASSWORD, "database": name}
        yield LookAlike(
            server,
            Database(
                name,
                f"{look_alike.dsn}?{options}",
                f"{look_alike.database.service_dsn}?{options}",
            ),
            f"{look_alike.provider_dsn}?{options}",
            f"{with_parts(pooled, **as_administrator)}?{options}",
        )


LOOK_ALIKES: Final[dict[str, Callable[[Server], AbstractContextManager[LookAlike]]]] = {
    "extensions elsewhere": extensions_elsewhere,
    "create role only": create_role_only,
}


@contextmanager
def look_alike(name: str, server: str) -> Generator[LookAlike]:
    """Provides a look-alike on a new server of its own.

    Args:
        name: key of `LOOK_ALIKES`.
        server: postgresql-17 or postgresql-18.
    """
    with new_server(server) as running, LOOK_ALIKES[name](running) as made:
        yield made


@contextmanager
def another_database(name: str, look_alike: LookAlike) -> Generator[LookAlike]:
    """Provides a second database of the same administrator, as the provider hands it over; without
    TLS.

    Args:
        name: key of `LOOK_ALIKES`.
        look_alike: the first one.
    """
    with _given_database(look_alike.server) as another:
        if name == "extensions elsewhere":
            _make_extensions(another)
        yield another


def new_server(server: str) -> AbstractContextManager[Server]:
    """Returns a new server, postgresql-17 or postgresql-18."""
    return _SERVERS[server]()


@contextmanager
def _handed_over(server: Server, attributes: LiteralString) -> Generator[LookAlike]:
    """A new database, and its owner, whom it makes."""
    with psycopg.connect(server.admin_dsn, autocommit=True) as provider:
        create = sql.SQL(f"create role {{}} login {attributes} password {{}}")
        provider.execute(create.format(sql.Identifier(ADMINISTRATOR), PASSWORD))
    with _given_database(server) as look_alike:
        yield look_alike


@contextmanager
def _given_database(server: Server) -> Generator[LookAlike]:
    """Provides a new database of the administrator."""
    with server.empty() as database:
        with database.connect() as provider:
            give = sql.SQL("alter database {} owner to {}")
            administrator = sql.Identifier(ADMINISTRATOR)
            provider.execute(give.format(sql.Identifier(database.name), administrator))
        dsn = with_parts(
            database.dsn, database=database.name, user=ADMINISTRATOR, password=PASSWORD
        )
        service_dsn = with_parts(
            database.dsn, database=database.name, user="qm_service", password=SERVICE_PASSWORD
        )
        yield LookAlike(server, Database(database.name, dsn, service_dsn), database.dsn)


def _make_extensions(look_alike: LookAlike) -> None:
    """In the provider's own schema."""
    with psycopg.connect(look_alike.provider_dsn, autocommit=True) as provider:
        provider.execute("create schema extensions authorization provider")
        provider.execute("grant usage on schema extensions to public")
        for name in EXTENSIONS:
            create = sql.SQL("create extension {} with schema extensions")
            provider.execute(create.format(sql.Identifier(name)))


def _demand_tls(
    provider: psycopg.Connection[tuple[object, ...]], database: str, authority: Authority
) -> None:
    """The server takes connections to this database with TLS only."""
    served = authority.certify("server")
    place = provider.execute("select current_setting('data_directory')").fetchone()
    rules = provider.execute(
        "select current_setting('hba_file'), pg_read_file(current_setting('hba_file'))"
    ).fetchone()
    assert place
    assert rules
    _write(provider, f"{place[0]}/provider.pem", served.certificate.read_text())
    _write(provider, f"{place[0]}/provider.key", served.key.read_text())
    rule = f"hostssl {database} all all scram-sha-256\nhost {database} all all reject\n"
    _write(provider, str(rules[0]), rule + str(rules[1]))
    settings = {"ssl_cert_file": "provider.pem", "ssl_key_file": "provider.key", "ssl": "on"}
    for setting, value in settings.items():
        change = sql.SQL("alter system set {} = {}")
        provider.execute(change.format(sql.Identifier(setting), value))
    provider.execute("select pg_reload_conf()")


def _write(provider: psycopg.Connection[tuple[object, ...]], path: str, text: str) -> None:
    """Writes a file as the server, which may see other folders than this process."""
    lines = sql.SQL("copy (select unnest({}::text[])) to program {}")
    program = f"umask 077; cat > '{path}'"
    provider.execute(lines.format(text.splitlines(), program))


def _pooler(authority: Authority, idle_s: float) -> str:
    served = authority.certify("pooler")
    return f"""
auth_user = postgres
auth_query = select usename, passwd from pg_shadow where usename = $1
client_tls_sslmode = require
client_tls_cert_file = {_readable(served.certificate)}
client_tls_key_file = {_readable(served.key)}
server_tls_sslmode = require
client_idle_timeout = {idle_s}
"""


def _readable(path: Path) -> Path:
    path.chmod(0o644)
    return path
