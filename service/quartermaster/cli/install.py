"""``qm install``: installs or updates the schema."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from quartermaster.cli.command import Command, Decision
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import note
from quartermaster.core.errors import QmError, argument_invalid

if TYPE_CHECKING:
    from quartermaster.install.apply import InstallReport
    from quartermaster.install.kind_folders import KindFolder
    from quartermaster.install.rehearsal import InstallationChanges

# What sql/login_limits.sql does.
_LIMITS: Final = (
    "Functions of PostgreSQL with which a login could stop the server or fill its disk are revoked"
    " from public: those for advisory locks, transaction ids, large objects, exported snapshots and"
    " messages in the log. (Afterwards, the function core.withheld_functions lists them.)",
    "Temporary files of one process are limited to 256 MB (temp_file_limit).",
    "pg_stat_statements keeps no statements (pg_stat_statements.track = none).",
    "The service's login and the one that installs are exempt from the last two.",
)

noun = Noun()


@noun.verb()
def install_command(
    qm: Decision,
    functions_only: Annotated[bool, "Reapply only the functions, without migrations."] = False,
    limit_logins: Annotated[
        bool,
        "Also revoke from PUBLIC, in this database, the functions with which a login could stop the"
        " server. The embedded server is always limited.",
    ] = False,
    print_admin_sql: Annotated[
        bool,
        "Only print what an administrator of the database server must run first, if the login of"
        " the DSN is not a superuser.",
    ] = False,
    shared: Annotated[
        bool,
        "Install into a database that others use, and take no right from them (docs/doors.md names"
        " the cost). The database remembers this.",
    ] = False,
) -> dict[str, Any]:
    """Install or update the schema.

    The installation is one transaction. Installing the same release again changes nothing. With
    --dry-run, the command makes and lists all changes, and then takes them back. A running service
    waits until it is done.
    """
    from quartermaster.install.apply import install
    from quartermaster.install.installed import is_installed
    from quartermaster.install.kind_folders import configured_folders

    target, folders = qm.target, configured_folders(qm.data_dir)
    if print_admin_sql:
        return _print_admin_sql(qm)
    if functions_only:
        return _reapply_functions(qm, folders)
    is_embedded = qm.dsn is None and qm.settings().database.dsn is None
    if limit_logins and not is_embedded:
        _confirm_limits(qm)
    is_there = qm.dry_run and is_installed(target, folders)
    report = install(
        target,
        limit_logins=limit_logins or is_embedded,
        shared=shared,
        is_rehearsal=qm.dry_run,
        progress=note,
        folders=folders,
    )
    _say_outcome(qm, report, is_there=is_there)
    for name, reason in report.missing.items():
        qm.say(f"Not available: {name}. {reason}")
    if report.unlimited:
        qm.say(f"Logins of psql are not limited: {report.unlimited}.")
    installed = {
        "version": report.version,
        "postgresql": report.server,
        "missing": report.missing,
    }
    if report.changes:
        _list_changes(qm, report.changes, report.lacking)
        return installed | report.changes.as_dict()
    qm.say("Next: qm doctor checks the database.")
    return installed


def _print_admin_sql(qm: Command) -> dict[str, Any]:
    from quartermaster.install.admin_sql import admin_sql

    script = admin_sql(qm.target)
    if not qm.json:
        typer.echo(script, nl=False)
    return {"sql": script}


def _reapply_functions(qm: Command, folders: Sequence[KindFolder]) -> dict[str, Any]:
    from quartermaster.install.apply import refresh_functions

    if qm.dry_run:
        raise argument_invalid(
            "--functions-only changes only functions of Quartermaster.", "Leave out --dry-run."
        )
    count = refresh_functions(qm.target, folders)
    qm.say(f"{count} functions reapplied.")
    return {"functions": count}


def _confirm_limits(qm: Command) -> None:
    qm.say(
        "This changes the rights and settings of all roles in this database. Other databases of"
        " the server stay as they are."
    )
    for change in _LIMITS:
        qm.say(f"* {change}")
    qm.confirmed("Limit the logins of this database?")


def _say_outcome(qm: Command, report: InstallReport, *, is_there: bool) -> None:
    done = "would be" if qm.dry_run and not is_there else "is"
    already = " already" if is_there else ""
    once = ", once an administrator has created what is missing" if report.lacking else ""
    qm.say(
        f"Quartermaster {report.version} {done}{already} installed on PostgreSQL {report.server}"
        f"{once}."
    )


def _list_changes(qm: Command, changes: InstallationChanges, lacking: QmError | None) -> None:
    for what, rows in (
        ("Roles", changes.roles),
        ("Schemas", changes.schemas),
        ("Extensions", changes.extensions),
    ):
        if rows:
            qm.say(f"{what}: {', '.join(' '.join(row) for row in rows)}.")
    for role, member in changes.memberships:
        qm.say(f"New member of {role}: {member}")
    for done, rights in (("Granted to", changes.grants), ("Revoked from", changes.revokes)):
        for (role, privilege, kind), alike in groupby(
            sorted(rights, key=_by_role), key=lambda right: _by_role(right)[:3]
        ):
            names = ", ".join(name for _, _, name, _ in alike)
            qm.say(f"{done} {role}: {privilege} on {kind} {names}")
    for role, database, setting in changes.settings:
        whose = " in ".join(
            f"{kind} {name}" for kind, name in (("role", role), ("database", database)) if name
        )
        qm.say(f"New setting of {whose}: {setting}")
    if lacking:
        raise lacking
    qm.say(f"Rights in the schemas of Quartermaster, for its own roles: {changes.own_grants}.")
    qm.say(f"This took {changes.seconds} s{qm.preview}.")


def _by_role(right: list[Any]) -> tuple[Any, ...]:
    privilege, kind, name, role = right
    return role, privilege, kind, name
