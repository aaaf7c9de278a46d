"""``qm project``: manages projects, the code bases that decisions and findings are about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from quartermaster.cli.command import Decision, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import counted
from quartermaster.cli.session import Row
from quartermaster.core.errors import argument_invalid

Name = Annotated[str, "Name of the project, or OWNER/NAME."]
OptionalName = Annotated[
    str | None, "Name of the project, or OWNER/NAME; default: your only project.", Argument()
]

noun = Noun("Manage projects: code bases with their decisions, findings and members.")


@noun.verb()
def add_command(
    qm: Qm,
    path: Annotated[Path, "Folder of the project."],
    name: Annotated[str | None, "Name of the project; default: the name of the folder."] = None,
) -> Row:
    """Add a project. Only its members see what is stored about it; you become its owner."""
    root = path.expanduser().resolve()
    if not root.is_dir():
        raise argument_invalid(f"{path} is not a folder.", "Give the folder of the project.")
    chosen = name or root.name
    made: int = qm.call_value("add_project", name=chosen, root=str(root))
    qm.say(f"Added {chosen}. To let others see it: qm project members {chosen} --add PRINCIPAL.")
    return {"id": made, "project": chosen, "root": str(root)}


@noun.verb()
def list_command(qm: Qm) -> list[Row]:
    """List your projects; administrators see all projects."""
    rows = qm.read("list_projects")
    columns = ("project", "owner", ("your role", "role"), "members", ("folder", "root"))
    return qm.table(rows, columns, empty="No projects. Add one with: qm project add PATH.")


@noun.verb()
def show_command(qm: Qm, name: OptionalName = None) -> Row:
    """Show a project and its members."""
    found: Row = qm.call_value("show_project", project=name)
    _show(qm, found)
    return found


@noun.verb()
def members_command(
    qm: Qm,
    name: OptionalName = None,
    add: Annotated[
        str | None,
        "Principal to add. If it is already a member, its role changes.",
        Option(metavar="PRINCIPAL"),
    ] = None,
    owner: Annotated[
        bool, "With --add: the principal may change the members and remove the project."
    ] = False,
    remove: Annotated[str | None, "Member to remove.", Option(metavar="PRINCIPAL")] = None,
) -> Row:
    """Show, add or remove members of a project. Only members see what is stored about it."""
    if owner and add is None:
        raise typer.BadParameter("--owner needs --add PRINCIPAL.")
    if add is not None:
        role = "owner" if owner else "member"
        qm.call("put_project_member", member=add, role=role, project=name)
        qm.say(f"{add} is now {'an owner' if owner else 'a member'}.")
    if remove is not None:
        qm.call("remove_project_member", member=remove, project=name)
        undo = f"qm project members {name} --add {remove}"
        qm.say(f"{remove} is no longer a member. To undo: {undo}.")
    found: Row = qm.call_value("show_project", project=name)
    if add is None and remove is None:
        _show(qm, found)
    return found


@noun.verb()
def leave_command(qm: Decision, name: Name) -> Row:
    """Leave a project. You then see nothing of it; its owners can add you again."""
    found: Row = qm.call_value("show_project", project=name)
    qm.foretell(f"After that, you see nothing of {name} until one of its owners adds you again.")
    if qm.confirmed(f"Leave {name}?"):
        qm.call("remove_project_member", member=None, project=name)
        qm.say(f"You have left {name}.")
    return found | {"left": not qm.dry_run}


@noun.verb()
def remove_command(qm: Decision, name: Name) -> Row:
    """Remove a project and all that is stored about it. This cannot be undone.

    The files of the project are not deleted.
    """
    [found] = qm.call("remove_project", project=name, dry_run=True)
    counts = [counted(found[f"{what}s"], what) for what in ("card", "package", "scan", "member")]
    stored = f"{', '.join(counts[:-1])} and {counts[-1]}"
    qm.say(f"This permanently removes {name} and {stored}. No files are deleted.")
    if qm.confirmed(f"Remove {name}?"):
        qm.call("remove_project", project=name)
        qm.say("Removed.")
    return found | {"removed": not qm.dry_run}


def _show(qm: Qm, found: Row) -> None:
    members = ", ".join(f"{each['name']} ({each['role']})" for each in found["members"])
    facts = {"owner": found["owner"], "folder": found["root"], "members": members}
    qm.facts("Project", found["project"], facts)
