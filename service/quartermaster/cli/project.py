"""``qm project``: manages projects, the code bases that decisions and findings are about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer import Argument, Option

from quartermaster import api
from quartermaster.cli.command import Command, Decision, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import counted
from quartermaster.cli.session import Row
from quartermaster.core.api_call import ApiCall
from quartermaster.core.errors import argument_invalid
from quartermaster.projects.invitations import answered_text, role_text

Name = Annotated[str, "Name of the project, or OWNER/NAME."]
OptionalName = Annotated[
    str | None, "Name of the project, or OWNER/NAME; default: your only project.", Argument()
]

_ANSWERS: Final[dict[str, Callable[..., ApiCall[Any]]]] = {
    "accept": api.accept_project,
    "decline": api.decline_project,
    "leave": api.leave_project,
}

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
    made: int = qm.call_value(api.add_project(name=chosen, root=str(root)))
    qm.say(f"Added {chosen}. To invite others: qm project members {chosen} --add PRINCIPAL.")
    return {"id": made, "project": chosen, "root": str(root)}


@noun.verb()
def list_command(qm: Qm) -> Sequence[Row]:
    """List your projects and the invitations that you have not answered; administrators see all
    projects.
    """
    invitations: list[Row] = [
        {
            "project": row["project"],
            "owner": row["owner"],
            "root": None,
            "role": "invited",
            "members": None,
            "created_at": None,
            "invited_by": row["invited_by"],
            "invited_as": row["role"],
        }
        for row in qm.read(api.list_invitations())
    ]
    rows = qm.read(api.list_projects()) + invitations
    columns = ("project", "owner", ("your role", _role), "members", ("folder", "root"))
    qm.table(rows, columns, empty="No projects. Add one with: qm project add PATH.")
    if invitations:
        qm.note("To answer an invitation: qm project accept OWNER/NAME, or qm project decline.")
    return rows


@noun.verb()
def accept_command(qm: Qm, name: Name) -> Row:
    """Accept an invitation to a project. Until then, nothing changes for you."""
    return _answer(qm, name, "accept")


@noun.verb()
def decline_command(qm: Qm, name: Name) -> Row:
    """Decline an invitation to a project. Nobody can repeat it, but you can still accept it."""
    return _answer(qm, name, "decline")


def _answer(qm: Command, name: str, answer: str) -> Row:
    """Accepts an invitation, declines it or leaves the project. Acts for the same principal as the
    commands that list projects: the owner of the key or, with a DSN, the database login.
    """
    if qm.dsn is None:
        given = {"project": name, "answer": answer}
        result = qm.service.result_of("project_invitations", given, "/mcp/knowledge")
        done: dict[str, Any] = result["structuredContent"]
    else:
        [done] = qm.call(_ANSWERS[answer](project=name))
    qm.say(answered_text(answer, done))
    return done


@noun.verb()
def show_command(qm: Qm, name: OptionalName = None) -> Row:
    """Show a project and its members."""
    found: dict[str, Any] = qm.call_value(api.show_project(project=name))
    _show(qm, found)
    return found


@noun.verb()
def members_command(
    qm: Qm,
    name: OptionalName = None,
    add: Annotated[
        str | None,
        "Principal to add. A principal that you did not create is invited, and becomes a member "
        "when it accepts. If it is already a member, its role changes.",
        Option(metavar="PRINCIPAL"),
    ] = None,
    owner: Annotated[
        bool, "With --add: the principal may change the members and remove the project."
    ] = False,
    remove: Annotated[
        str | None,
        "Member to remove, or principal whose invitation to withdraw.",
        Option(metavar="PRINCIPAL"),
    ] = None,
) -> Row:
    """Show, add or remove members of a project. Only members see what is stored about it."""
    if owner and add is None:
        raise typer.BadParameter("--owner needs --add PRINCIPAL.")
    if add is not None:
        _add(qm, name, add, "owner" if owner else "member")
    if remove is not None:
        _remove(qm, name, remove)
    found: dict[str, Any] = qm.call_value(api.show_project(project=name))
    if add is None and remove is None:
        _show(qm, found)
    return found


@noun.verb()
def leave_command(qm: Decision, name: Name) -> Row:
    """Leave a project. You then see nothing of it; its owners can invite you again."""
    found: dict[str, Any] = qm.read_value(api.show_project(project=name))
    qm.foretell(f"After that, you see nothing of {name} until one of its owners invites you again.")
    if qm.confirmed(f"Leave {name}?"):
        _answer(qm, name, "leave")
    return found | {"left": not qm.dry_run}


@noun.verb()
def remove_command(qm: Decision, name: Name) -> Row:
    """Remove a project and all that is stored about it. This cannot be undone.

    The files of the project are not deleted.
    """
    [found] = qm.call(api.remove_project(project=name, dry_run=True))
    counts = [
        counted(number, what)
        for what, number in (
            ("card", found["cards"]),
            ("package", found["packages"]),
            ("scan", found["scans"]),
            ("member", found["members"]),
        )
    ]
    stored = f"{', '.join(counts[:-1])} and {counts[-1]}"
    qm.say(f"This permanently removes {name} and {stored}. No files are deleted.")
    if qm.confirmed(f"Remove {name}?"):
        qm.call(api.remove_project(project=name))
        qm.say("Removed.")
    return found | {"removed": not qm.dry_run}


def _role(row: Row) -> str | None:
    by = row.get("invited_by")
    return f"invited by {by} as {row['invited_as']}" if by else row["role"]


def _add(qm: Qm, name: str | None, principal: str, role: str) -> None:
    done: str = qm.call_value(api.put_project_member(member=principal, role=role, project=name))
    if done == "member":
        qm.say(f"{principal} is now {role_text(role)}.")
        return
    found: dict[str, Any] = qm.call_value(api.show_project(project=name))
    accept = f"qm project accept {found['owner']}/{found['project']}"
    qm.say(f"{principal} is invited, and becomes {role_text(role)} with: {accept}.")


def _remove(qm: Qm, name: str | None, principal: str) -> None:
    done: str = qm.call_value(api.remove_project_member(member=principal, project=name))
    if done == "withdrawn":
        qm.say(f"The invitation of {principal} is withdrawn.")
        return
    again = " ".join(["qm project members", *([name] if name else []), "--add", principal])
    qm.say(f"{principal} is no longer a member. To undo: {again}.")


def _show(qm: Qm, found: Row) -> None:
    members = ", ".join(f"{each['name']} ({each['role']})" for each in found["members"])
    facts = {"owner": found["owner"], "folder": found["root"], "members": members}
    if found["invited"]:
        facts["invited"] = ", ".join(
            f"{each['name']} ({'declined' if each['declined'] else each['role']})"
            for each in found["invited"]
        )
    qm.facts("Project", found["project"], facts)
