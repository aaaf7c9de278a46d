"""``qm install``: installs or updates the schema."""

from __future__ import annotations

from typing import Annotated, Any

from quartermaster.cli.command import Consent
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import note

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
) -> dict[str, Any]:
    """Install or update the schema.

    The installation is one transaction. Installing the same release again changes nothing.
    """
    from quartermaster.install.apply import install, refresh_functions
    from quartermaster.install.kind_folders import configured_folders

    target, folders = qm.target, configured_folders(qm.data_dir)
    if functions_only:
        count = refresh_functions(target, folders)
        qm.say(f"{count} functions reapplied.")
        return {"functions": count}
    is_embedded = qm.dsn is None and qm.settings().database.dsn is None
    if limit_logins and not is_embedded:
        qm.say(
            "This changes the rights and settings of all roles in this database"
            " (sql/login_limits.sql). Other databases of the server stay as they are."
        )
        qm.confirmed("Limit the logins of this database?")
    report = install(
        target, limit_logins=limit_logins or is_embedded, progress=note, folders=folders
    )
    qm.say(f"Quartermaster {report.version} is installed on PostgreSQL {report.server}.")
    for name, reason in report.missing.items():
        qm.say(f"Not available: {name}. {reason}")
    return {"version": report.version, "postgresql": report.server, "missing": report.missing}
