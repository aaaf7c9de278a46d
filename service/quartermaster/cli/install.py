"""``qm install``: installs or updates the schema."""

from __future__ import annotations

from typing import Annotated, Any

from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import note

noun = Noun()


@noun.verb()
def install_command(
    qm: Qm,
    functions_only: Annotated[bool, "Reapply only the functions, without migrations."] = False,
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
    report = install(target, progress=note, folders=folders)
    qm.say(f"Quartermaster {report.version} is installed on PostgreSQL {report.server}.")
    for name, reason in report.missing.items():
        qm.say(f"Not available: {name}. {reason}")
    return {"version": report.version, "postgresql": report.server, "missing": report.missing}
