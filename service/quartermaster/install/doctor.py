"""Checks a database, and says how to fix each problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import psycopg

from quartermaster import DISTRIBUTION, __version__
from quartermaster.core.errors import QmError
from quartermaster.install import discover, migrations
from quartermaster.install.changes import changes
from quartermaster.install.connection import Connection, connected, is_replica
from quartermaster.install.execute import begin, let_owner_act, owner_rows, run_checks
from quartermaster.install.installed import has_schema, latest_release, require_installer
from quartermaster.install.kind_folder import KindFolder
from quartermaster.install.kind_folders import changed_folders, unnamed_folders
from quartermaster.install.service_access import refused_service
from quartermaster.install.suitable import KNOWS_LETTERS

_REPLICA: Final = (
    "The database is a replica, which can only be read. Use the address of the primary server."
)
_OF_CAPABILITY: Final = ("name", "state", "version", "used_for", "stand_in", "reason")
_CAPABILITIES: Final = """
select name, case when installed then 'ok' when required then 'missing' else 'absent' end as state,
    version, used_for, stand_in, reason
from api.list_capabilities()
"""

_LIMITS: Final = """
select s.name, s.value #>> '{}' as value from core.setting as s
where s.name like 'login.%' order by s.name
"""

_CREATED_SINCE: Final = """
select c.name from core.capability as c
inner join pg_extension as e on e.extname = c.name collate core.c_utf8
where not c.installed and c.reason not like 'created, but %'
"""


@dataclass(frozen=True)
class Diagnosis:
    """The result of checking a database.

    Attributes:
        server: PostgreSQL version.
        installed: schema version; None if there is no schema.
        capabilities: rows of core.capability, required ones first.
        limits: limits for the sessions of a psql login, by setting.
        problems: descriptions of the problems and how to fix them; empty if there are none.
    """

    server: str
    installed: str | None
    capabilities: list[dict[str, Any]]
    limits: dict[str, str]
    problems: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Returns the diagnosis as a dict for JSON."""
        return asdict(self)


def diagnose(
    dsn: str, folders: Sequence[KindFolder] = (), service_password: str | None = None
) -> Diagnosis:
    """Checks the server, the schema, the capabilities and the rules in sql/checks/.

    Args:
        dsn: DSN of an administrator.
        folders: kind folders of the user.
        service_password: password of the login role qm_service, which is tried out; None skips this
            check.

    Raises:
        QmError: QM503 database_unavailable; QM403 not_permitted if another login has installed.
    """
    with connected(dsn) as connection:
        server = connection.info.parameter_status("server_version") or ""
        if is_replica(connection):
            # The owner cannot act there: that takes a function.
            return Diagnosis(server, None, [], {}, [_REPLICA])
        begin(connection)
        if not has_schema(connection):
            return Diagnosis(server, None, [], {}, ["The schema is not installed. Run qm install."])
        try:
            require_installer(connection)
        except QmError as error:
            if error.slug == "not_permitted":
                raise
            problem = f"{error.message[0].upper()}{error.message[1:]}. {error.hint}"
            return Diagnosis(server, None, [], {}, [problem])
        let_owner_act(connection)
        try:
            release = latest_release(connection)
            if release and not release[1]:
                message = (
                    "The functions were taken away (qm uninstall --keep-data). Run qm install."
                )
                return Diagnosis(server, release[0], [], {}, [message])
            if migrations.is_newer(connection):
                message = "The database was installed by a newer release. Use that or a newer one."
                return Diagnosis(server, release[0] if release else None, [], {}, [message])
            problems = list(_problems(connection, release, folders))
            if service_password and (refused := refused_service(dsn, service_password)):
                problems.append(refused)
            return Diagnosis(
                server,
                release[0] if release else None,
                [
                    dict(zip(_OF_CAPABILITY, row, strict=True))
                    for row in owner_rows(connection, _CAPABILITIES)
                ],
                dict(owner_rows(connection, _LIMITS)),
                problems,
            )
        except psycopg.errors.ProgrammingError as error:
            # Somebody has dropped what the checks need, or has taken the right to it.
            message = error.diag.message_primary or str(error)
            problems = [*changes(connection), f"The database cannot be checked: {message}."]
            return Diagnosis(server, None, [], {}, problems)


def _problems(
    connection: Connection, release: tuple[Any, ...] | None, folders: Sequence[KindFolder]
) -> Iterator[str]:
    if connection.execute("show default_transaction_read_only").fetchone() == ("on",):
        yield (
            "The database is set to read only (default_transaction_read_only). Free disk space if"
            " that was the reason, and reset the setting."
        )
    if connection.execute(KNOWS_LETTERS).fetchone() != (True,):
        yield (
            "PostgreSQL knows no letters but a to z in the locale of this database, so mistyped"
            " names in other letters are not found. Move to a database with the character type"
            " C.UTF-8 (docs/databases.md)."
        )
    if release is None or release[0] != __version__:
        yield f"The schema is not from this release ({__version__}). Run qm install."
    elif release[1] != discover.digest():
        yield "The SQL files differ from what is installed. Run qm install."
    for (name,) in owner_rows(connection, _CREATED_SINCE):
        yield f"The extension {name} was created after the installation. Run qm install."
    for name in changed_folders(connection, folders):
        yield f"The kind folder {name} differs from what is installed. Run qm install."
    for folder in unnamed_folders(connection, folders):
        state = (
            f"so its {folder.cards} cards are hidden"
            if folder.is_hidden
            else f"whose {folder.cards} cards the next qm install hides"
        )
        missed, remedy = (
            (f"The package {DISTRIBUTION}-{folder.name} is not installed", "Install it")
            if folder.is_shipped
            else (
                f"Neither kinds.folders nor a package names the kind folder {folder.name}",
                "Name it",
            )
        )
        yield (
            f"{missed}, {state}. {remedy} again and run qm install, or remove it with all its"
            f" data: qm kind remove {folder.name}."
        )
    yield from changes(connection)
    try:
        run_checks(connection, discover.checks())
    except QmError as error:
        yield f"{error.message}. {error.hint}"
