"""Installs or updates the schema in one transaction; the installation can be repeated."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import psycopg
from psycopg import sql

from quartermaster import __version__
from quartermaster.core.errors import QmError
from quartermaster.install import discover, migrations
from quartermaster.install.connection import Connection, connected
from quartermaster.install.discover import database_folder
from quartermaster.install.execute import (
    LIMIT_LOGINS,
    SHARE,
    as_owner,
    begin,
    check_bodies,
    execute_step,
    let_owner_act,
    owner_rows,
    run_all,
    run_checks,
    run_functions,
    set_service_password,
    settle,
    wait_for_turn,
)
from quartermaster.install.extensions import open_schemas
from quartermaster.install.installed import require_installer
from quartermaster.install.kind_folder import KindFolder
from quartermaster.install.kind_folders import recorded
from quartermaster.install.locks import lock_tables
from quartermaster.install.pooler import require_direct
from quartermaster.install.rehearsal import InstallationChanges, State, changes_since, state
from quartermaster.install.retries import again_in_conflict
from quartermaster.install.shared import with_better_way
from quartermaster.install.suitable import require_suitable

Progress = Callable[[str], None]


def git_sha() -> str | None:
    """Returns the short commit hash of a source checkout, or the value of QM_GIT_SHA in an
    image.
    """
    folder = database_folder()
    if not (folder / ".git").exists():
        return os.environ.get("QM_GIT_SHA") or None
    result = subprocess.run(
        ["git", "-C", str(folder), "rev-parse", "--short=12", "HEAD"],
        capture_output=True,
        text=True,
    )
    return result.stdout.strip() or None


_UNLIMITED_SETTINGS: Final = """
select c.reason from core.capability as c where c.name = 'login_limits' and not c.installed
"""


_MAY_USE_PYTHON: Final = """
select r.rolsuper and exists (select from pg_language as l where l.lanname = 'plpython3u')
from pg_roles as r where r.rolname = current_user
"""


@dataclass(frozen=True)
class InstallReport:
    """Result of an installation.

    Attributes:
        version: release that is now installed.
        server: PostgreSQL version.
        missing: reasons by the names of the optional extensions that are missing.
        unlimited: why psql logins are not limited; None if they are.
        changes: the changes that the installation would make; None unless it was a rehearsal.
        lacking: the error that names the extensions that another user must create first; None if
            there are none. If it is set, the rehearsal ended there, and `changes` contains the
            changes up to there and the schemas that would follow.
    """

    version: str
    server: str
    missing: dict[str, str]
    unlimited: str | None
    changes: InstallationChanges | None = None
    lacking: QmError | None = None


@again_in_conflict
def install(
    dsn: str,
    *,
    service_password: str | None = None,
    limit_logins: bool = False,
    shared: bool = False,
    is_rehearsal: bool = False,
    progress: Progress = lambda _: None,
    folders: Sequence[KindFolder] = (),
) -> InstallReport:
    """Updates the database to this release; it can be repeated, and run concurrently.

    If the transaction meets a deadlock, it is rolled back and run again.

    Args:
        dsn: DSN of an administrator: a superuser, or the database owner with CREATEROLE.
        service_password: password for the login role ``qm_service``; None does not change it.
        limit_logins: whether sql/login_limits.sql may change the rights of all roles in this
            database; limits of an earlier installation stay in any case.
        shared: whether other applications may use the database; their rights are then kept, and the
            database remembers this.
        is_rehearsal: whether the installation is rolled back at its end.
        progress: function that receives the name of each step.
        folders: kind folders of the user, applied after the shipped files.

    Raises:
        QmError: QM503 database_unavailable, database_read_only, retryable, QM500
            extension_missing, server_too_old, schema_too_old, schema_too_new, migration_edited,
            encoding_unsuitable, letters_unknown, triggers_disabled, objects_lost, install_failed,
            check_failed; QM409 object_foreign, owner_renamed; QM403 not_permitted if another login
            has installed, or if logins are to be limited without a superuser; QM409
            database_shared, database_published or schema_taken if others use the database. Nothing
            is changed then.
    """
    started = time.monotonic()
    require_direct(dsn)
    with (
        connected(dsn) as connection,
        connection.transaction(force_rollback=is_rehearsal),
    ):
        _require_server(connection)
        _begin(connection)
        if shared:
            connection.execute(SHARE)
        before = state(connection) if is_rehearsal else None
        server = connection.info.parameter_status("server_version") or ""
        progress("roles and extensions")
        _prepare(connection)
        missing, lacking = _create_extensions(connection)
        if lacking is not None:
            if before is None:
                raise lacking
            changes = _changes_to_here(before, connection, started)
            return InstallReport(__version__, server, missing, None, changes, lacking)
        _require_extensions(connection)
        progress("migrations")
        _migrate(connection, folders)
        progress("functions, policies and grants")
        _apply_functions(connection, folders, has_python="plpython3u" not in missing)
        if limit_logins:
            _limit_logins(connection)
        unlimited = _finish(connection, folders, service_password, progress)
        changes = None
        if before is not None:
            changes = changes_since(before, connection, time.monotonic() - started)
        return InstallReport(__version__, server, missing, unlimited, changes)


@again_in_conflict
def refresh_functions(dsn: str, folders: Sequence[KindFolder] = ()) -> int:
    """Reapplies the functions with their grants, and returns the number of files.

    Args:
        dsn: see `install`.
        folders: see `install`; their kinds are applied too, because they contain grants.

    Raises:
        QmError: QM503 retryable, QM500 schema_too_old, install_failed, QM409 owner_renamed, QM403
            not_permitted. Nothing is changed then.
    """
    with connected(dsn) as connection, connection.transaction():
        _begin(connection)
        let_owner_act(connection)
        execute_step(connection, discover.refusal())
        functions = discover.functions(has_python=_may_use_python(connection))
        execute_step(connection, discover.replacement())
        run_all(connection, [discover.reset_functions()])
        number = run_functions(connection, functions, folders)
        as_owner(connection, "select core.record_objects('function')")
        settle(connection)
        return number


def _begin(connection: Connection) -> None:
    """Prepares the transaction: waits for other installations to end, and applies the installer's
    settings. These override the settings of the database, the login and the session.
    """
    begin(connection)
    require_suitable(connection)
    require_installer(connection)
    wait_for_turn(connection)
    connection.execute(discover.schemas())


def _migrate(connection: Connection, folders: Sequence[KindFolder]) -> None:
    lock_tables(connection)
    execute_step(connection, discover.replacement())
    # A column that a view uses cannot be changed.
    as_owner(connection, discover.BEFORE_MIGRATIONS)
    check_bodies(connection, "off")
    execute_step(connection, discover.ledger())
    own = discover.all_migrations()
    for name, steps in (own | {f.name: f.migrations() for f in folders}).items():
        migrations.run(connection, steps, name)


def _apply_functions(
    connection: Connection, folders: Sequence[KindFolder], *, has_python: bool
) -> None:
    run_all(connection, discover.reset())
    functions = discover.functions(has_python=has_python)
    run_functions(connection, functions, folders, discover.steps_after_functions())


def _limit_logins(connection: Connection) -> None:
    execute_step(connection, discover.withheld_functions())
    connection.execute(LIMIT_LOGINS)
    execute_step(connection, discover.login_limits())


def _finish(
    connection: Connection,
    folders: Sequence[KindFolder],
    service_password: str | None,
    progress: Progress,
) -> str | None:
    """Records what was installed, schedules the jobs, and checks the result.

    Returns:
        Why psql logins are not limited; None if they are.
    """
    _record(connection, folders)
    unlimited = owner_rows(connection, _UNLIMITED_SETTINGS)
    execute_step(connection, discover.schedule())
    if service_password is not None:
        set_service_password(connection, service_password)
    progress("checks")
    run_checks(connection, discover.checks())
    settle(connection)
    return unlimited[0][0] if unlimited else None


def _require_server(connection: Connection) -> None:
    major = connection.info.server_version // 10000
    if major < 15:
        raise QmError(
            500,
            "server_too_old",
            f"the server runs PostgreSQL {major}",
            "Use PostgreSQL 15 to 18.",
        )


def _prepare(connection: Connection) -> None:
    for step in discover.preparation():
        try:
            with connection.transaction():
                execute_step(connection, step)
        except QmError as error:
            raise with_better_way(error, connection) from error
    run_checks(connection, [discover.shadows()])


def _create_extensions(connection: Connection) -> tuple[dict[str, str], QmError | None]:
    """Creates the extensions. Returns why optional extensions are missing, and an error if another
    user must create a required extension.
    """
    missing: dict[str, str] = {}
    lacking: list[str] = []
    for step in discover.extensions():
        name = step.name.rsplit("/", 1)[-1].removesuffix(".sql").split("_", 1)[-1]
        try:
            with connection.transaction():
                execute_step(connection, step)
        except QmError as error:
            cause = error.__cause__
            if not isinstance(cause, psycopg.Error):
                raise
            if step.optional:
                missing[name] = str(cause).splitlines()[0]
            elif isinstance(cause, psycopg.errors.InsufficientPrivilege):
                lacking.append(name)
            else:
                raise _unusable(name, cause) from error
    if "plpython3u" not in missing and not _may_use_python(connection):
        missing["plpython3u"] = "Only a superuser can create functions in PL/Python."
    return missing, _not_permitted(connection, lacking) if lacking else None


def _changes_to_here(before: State, connection: Connection, started: float) -> InstallationChanges:
    """Returns the changes of a rehearsal that ends because an extension is missing. Includes the
    schemas that an installation would create next.
    """
    as_owner(connection, discover.make_schemas())
    return changes_since(before, connection, time.monotonic() - started)


def _require_extensions(connection: Connection) -> None:
    version = connection.execute(
        "select string_to_array(extversion, '.')::int[] >= '{0,8}', extversion"
        " from pg_extension where extname = 'vector'"
    ).fetchone()
    if version is None or not version[0]:
        found = version[1] if version else "absent"
        raise QmError(
            500,
            "extension_missing",
            f"the extension vector cannot be used: version 0.8 or newer is needed, found: {found}",
            "Update its package on the database server. Then the owner of the extension must run:"
            " alter extension vector update;",
        )
    open_schemas(connection)


def _may_use_python(connection: Connection) -> bool:
    row = connection.execute(_MAY_USE_PYTHON).fetchone()
    return bool(row and row[0])


def _not_permitted(connection: Connection, lacking: Sequence[str]) -> QmError:
    statements = "; ".join(f"create extension {name}" for name in lacking)
    return QmError(
        403,
        "not_permitted",
        f"this database lacks the extensions {', '.join(lacking)}, and {connection.info.user} may"
        " not create them",
        "Let a superuser, or whom your provider allows to create extensions, run in this database:"
        f" {statements}; (qm install --print-admin-sql prints everything that needs an"
        " administrator)",
    )


def _unusable(name: str, error: psycopg.Error) -> QmError:
    return QmError(
        500,
        "extension_missing",
        f"the extension {name} cannot be used: {str(error).splitlines()[0]}",
        "Install or update this extension's package on the database server (extensions/README.md"
        " lists the packages).",
    )


def _record(connection: Connection, folders: Sequence[KindFolder]) -> None:
    # An administrator who is not a superuser may not write here.
    release = sql.SQL(
        "insert into core.release (version, git_sha, digest) values ({}, {}, {})"
        " on conflict (version) do update"
        " set digest = excluded.digest, git_sha = coalesce(excluded.git_sha, release.git_sha);"
    ).format(__version__, git_sha(), discover.digest())
    as_owner(connection, recorded(folders), "kind folders")
    # No trigger has told the caches what migrations have changed.
    as_owner(connection, "update core.version set value = value + 1")
    as_owner(
        connection,
        "select core.probe_capabilities();"
        "select search.create_words_index();"
        f"{release.as_string(connection)}"
        "select core.record_objects();"
        # A running service of another version then ends.
        "notify qm_installation;",
    )
