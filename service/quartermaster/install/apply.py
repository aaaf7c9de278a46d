"""Installs or updates the schema: one connection, one transaction, one advisory lock, re-runnable."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import LiteralString, cast

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from psycopg import sql
from sqlalchemy.pool import NullPool

from quartermaster import __version__
from quartermaster.errors import QmError
from quartermaster.install import discover
from quartermaster.install.discover import Actor, Step

Connection = psycopg.Connection[tuple[object, ...]]
Progress = Callable[[str], None]

LOCK = "select pg_advisory_xact_lock(hashtextextended('quartermaster.install', 0))"
# What a session of the installer sets: no noise from "if not exists", nothing found by accident.
SESSION = "set local client_min_messages = warning; set local search_path = pg_catalog, pg_temp"


@dataclass(frozen=True)
class InstallReport:
    """What an installation found.

    Attributes:
        version: the release now installed.
        server: version of PostgreSQL.
        missing: optional parts that are absent, with the reason.
    """

    version: str
    server: str
    missing: dict[str, str]


def install(
    dsn: str, *, service_password: str | None = None, progress: Progress = lambda _: None
) -> InstallReport:
    """Brings the database to this release; safe to repeat and to run from several places at once.

    Args:
        dsn: an administrator's connection: superuser, or CREATEROLE and owner of the database.
        service_password: password for the login role ``qm_service``; left as it is when None.
        progress: told what is happening.

    Raises:
        QmError: QM503 database_unavailable, QM500 extension_missing, server_too_old,
            migration_edited, install_failed, check_failed. Nothing is changed then.
    """
    # SQLAlchemy owns the transaction, because Alembic keeps the ledger through it; all else runs on
    # the same psycopg connection.
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=NullPool
    )
    try:
        bound = engine.connect()
    except sqlalchemy.exc.OperationalError as error:
        raise QmError(
            503,
            "database_unavailable",
            f"cannot connect to the database: {str(error.orig).splitlines()[0]}",
            "Check that the server runs and that the DSN names the right host, port and password.",
        ) from error
    with bound, bound.begin():
        return _install(bound, service_password, progress)


def _install(
    bound: sqlalchemy.Connection, service_password: str | None, progress: Progress
) -> InstallReport:
    connection = cast(Connection, bound.connection.dbapi_connection)
    if connection.info.server_version < 150000:
        raise QmError(
            500,
            "server_too_old",
            f"the server is PostgreSQL {connection.info.server_version // 10000}",
            "Use PostgreSQL 15 to 18.",
        )
    connection.execute(LOCK)
    connection.execute(SESSION)

    progress("roles and extensions")
    missing = _prepare(connection)
    has_python = "plpython3u" not in missing
    progress("migrations")
    _as_owner(connection)
    connection.execute("set local check_function_bodies = off")
    _migrate(bound)
    progress("functions")
    functions = discover.functions(has_python=has_python)
    _run_all(connection, functions)
    progress("seeds, policies and grants")
    _run_all(connection, discover.steps_after_functions())
    connection.execute("set local check_function_bodies = on")
    _run_all(connection, functions)
    _as_administrator(connection)
    _record(connection, service_password)
    progress("checks")
    run_checks(connection)
    server = connection.info.parameter_status("server_version") or ""
    return InstallReport(__version__, server, missing)


def refresh_functions(dsn: str) -> int:
    """Re-applies the functions and nothing else, checked. Returns how many files."""
    with psycopg.connect(dsn) as connection, connection.transaction():
        connection.execute(LOCK)
        connection.execute(SESSION)
        row = connection.execute("select core.has_capability('plpython3u')").fetchone()
        functions = discover.functions(has_python=bool(row and row[0]))
        _run_all(connection, functions)
        _as_administrator(connection)
        return len(functions)


def run_checks(connection: Connection) -> None:
    """Runs sql/checks/.

    Raises:
        QmError: QM500 check_failed, with the rule and the offending objects.
    """
    for step in discover.checks():
        offenders = [str(row[0]) for row in _execute(connection, step).fetchall()]
        if offenders:
            raise QmError(
                500,
                "check_failed",
                f"{step.name}: {', '.join(offenders)}",
                "The head of that file says what the rule is for and how to mend it.",
            )


def _prepare(connection: Connection) -> dict[str, str]:
    missing: dict[str, str] = {}
    for step in discover.steps_before_migrations():
        name = step.name.rsplit("/", 1)[-1].removesuffix(".sql").split("_", 1)[-1]
        try:
            with connection.transaction():
                _execute(connection, step)
        except psycopg.Error as error:
            reason = str(error).splitlines()[0]
            if step.optional:
                missing[name] = reason
            elif "/required/" in step.name:
                raise QmError(
                    500,
                    "extension_missing",
                    f"the extension {name} cannot be created: {reason}",
                    "Install its package on the database server (extensions/README.md lists them).",
                ) from error
            else:
                raise _failed(step.name, error) from error
    version = connection.execute(
        "select string_to_array(extversion, '.')::int[] >= '{0,8}', extversion"
        " from pg_extension where extname = 'vector'"
    ).fetchone()
    if version is None or not version[0]:
        raise QmError(
            500,
            "extension_missing",
            f"pgvector is {version[1] if version else 'absent'}, 0.8 is the least",
            "Update pgvector on the server, then: alter extension vector update.",
        )
    return missing


def _migrate(bound: sqlalchemy.Connection) -> None:
    steps = discover.migrations()
    config = Config()
    config.set_main_option("script_location", str(discover.database_folder() / "migrations"))
    config.attributes["connection"] = bound
    try:
        command.upgrade(config, "head")
    except (sqlalchemy.exc.DBAPIError, psycopg.Error) as error:
        raise _failed(f"one of {len(steps)} migrations", error) from error


def _record(connection: Connection, service_password: str | None) -> None:
    connection.execute("select core.probe_capabilities()")
    connection.execute(
        "insert into core.release (version, git_sha) values (%s, %s)"
        " on conflict (version) do update set git_sha = coalesce(excluded.git_sha, release.git_sha)",
        (__version__, git_sha()),
    )
    if service_password is not None:
        connection.execute(
            sql.SQL("alter role qm_service password {}").format(sql.Literal(service_password))
        )


def git_sha() -> str | None:
    """Short commit of a source checkout; None in an installed wheel."""
    folder = discover.database_folder()
    if not (folder / ".git").exists():
        return None
    result = subprocess.run(
        ["git", "-C", str(folder), "rev-parse", "--short=12", "HEAD"],
        capture_output=True,
        text=True,
    )
    return result.stdout.strip() or None


def _run_all(connection: Connection, steps: Iterable[Step]) -> None:
    for step in steps:
        if step.actor is Actor.ADMINISTRATOR:
            # PL/Python: only a superuser may create it, then it is the owner's like the rest.
            _as_administrator(connection)
            _execute(connection, step)
            identity = sql.Identifier(*discover.function_identity(step).split("."))
            connection.execute(sql.SQL("alter function {} owner to qm_owner").format(identity))
        else:
            _as_owner(connection)
            _execute(connection, step)
    _as_owner(connection)


def _execute(connection: Connection, step: Step) -> psycopg.Cursor[tuple[object, ...]]:
    try:
        return connection.execute(cast(LiteralString, step.sql))
    except psycopg.Error as error:
        if step.optional or "/required/" in step.name:
            raise
        raise _failed(step.name, error) from error


def _failed(name: str, error: Exception) -> QmError:
    return QmError(
        500,
        "install_failed",
        f"{name}: {str(error).strip()}",
        "Nothing was changed. Mend the cause and run the installation again.",
    )


def _as_owner(connection: Connection) -> None:
    connection.execute("set local role qm_owner")


def _as_administrator(connection: Connection) -> None:
    connection.execute("reset role")
