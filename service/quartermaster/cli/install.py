"""``qm install``: installs or updates the schema."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from quartermaster.cli.command import Consent
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import note

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
    qm: Consent,
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
) -> dict[str, Any]:
    """Install or update the schema.

    The installation is one transaction. Installing the same release again changes nothing.
    """
    from quartermaster.install.apply import install, refresh_functions
    from quartermaster.install.kind_folders import configured_folders

    target, folders = qm.target, configured_folders(qm.data_dir)
    if print_admin_sql:
        from quartermaster.install.admin_sql import admin_sql

        script = admin_sql(target)
        if not qm.json:
            typer.echo(script, nl=False)
        return {"sql": script}
    if functions_only:
        count = refresh_functions(target, folders)
        qm.say(f"{count} functions reapplied.")
        return {"functions": count}
    is_embedded = qm.dsn is None and qm.settings().database.dsn is None
    if limit_logins and not is_embedded:
        qm.say(
            "This changes the rights and settings of all roles in this database. Other databases of"
            " the server stay as they are."
        )
        for change in _LIMITS:
            qm.say(f"* {change}")
        qm.confirmed("Limit the logins of this database?")
    report = install(
        target, limit_logins=limit_logins or is_embedded, progress=note, folders=folders
    )
    qm.say(f"Quartermaster {report.version} is installed on PostgreSQL {report.server}.")
    for name, reason in report.missing.items():
        qm.say(f"Not available: {name}. {reason}")
    if report.unlimited:
        qm.say(f"Logins of psql are not limited: {report.unlimited}.")
    qm.say("Next: qm doctor checks the database.")
    return {"version": report.version, "postgresql": report.server, "missing": report.missing}
