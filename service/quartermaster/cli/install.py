"""``qm install``: installs or updates the schema."""

from __future__ import annotations

from typing import Annotated

from quartermaster.cli.command import Plain
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import note

noun = Noun()


@noun.verb()
def install_command(
    qm: Plain,
    functions_only: Annotated[bool, "Reapply only the functions, without migrations."] = False,
) -> None:
    """Install or update the schema.

    The installation is one transaction. Installing the same release again changes nothing.
    """
    from quartermaster.install.apply import install, refresh_functions
    from quartermaster.install.kind_folders import configured_folders

    target, folders = qm.target, configured_folders(qm.data_dir)
    if functions_only:
        qm.say(f"{refresh_functions(target, folders)} functions reapplied.")
        return
    report = install(target, progress=note, folders=folders)
    qm.say(f"Quartermaster {report.version} is installed on PostgreSQL {report.server}.")
    for name, reason in report.missing.items():
        qm.say(f"Not available: {name}. {reason}")
