"""``qm principal``: manages who may use Quartermaster, and how they authenticate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import typer
from typer import Argument

from quartermaster import api
from quartermaster.cli.command import Command, Decision, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import counted
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError

Name = Annotated[str, "Name of the principal."]

noun = Noun("Manage the people, agents and services that may use Quartermaster.")


@noun.verb()
def create_command(
    qm: Qm,
    name: Name,
    kind: Annotated[Literal["person", "agent", "service"], "Kind of the principal."] = "agent",
    role: Annotated[
        Literal["user", "operator", "admin"], "Role: what the principal may do."
    ] = "user",
    organisation: Annotated[str | None, "Organisation of the principal."] = None,
) -> Row:
    """Create a principal. To give it a key, run qm key create."""
    given = {"name": name, "kind": kind, "role": role}
    made: int = qm.call_value(api.create_principal(**given, organisation=organisation))
    qm.say(f"Created {name}. Give it a key with: qm key create {name}.")
    return {"id": made, **given}


@noun.verb()
def list_command(qm: Qm) -> Sequence[Row]:
    """List the principals."""
    rows = qm.read(api.list_principals())
    columns = (
        "name",
        ("role", _role),
        "organisation",
        ("authenticates by", _doors),
        ("last used", "last_used_at"),
    )
    return qm.table(rows, columns)


@noun.verb()
def disable_command(qm: Decision, name: Name) -> Row:
    """Refuse all further requests from a principal."""
    row = next((row for row in qm.call(api.list_principals()) if row["name"] == name), None)
    if row is None:
        raise QmError(
            404,
            "principal_not_found",
            f"There is no principal called {name!r}.",
            "See qm principal list.",
        )
    qm.say(f"{name} ({row['role']}) authenticates by: {_doors(row)}.")
    if qm.confirmed(f"Disable {name}?"):
        qm.call(api.enable_principal(name=name, enabled=False))
        qm.say(f"Disabled. To undo: qm principal enable {name}.")
    return row | {"disabled": not qm.dry_run}


@noun.verb()
def enable_command(qm: Qm, name: Name) -> Row:
    """Accept requests from a disabled principal again."""
    qm.call(api.enable_principal(name=name, enabled=True))
    qm.say(f"Enabled. To undo: qm principal disable {name}.")
    return {"name": name, "enabled": True}


@noun.verb()
def curator_command(
    qm: Qm,
    name: Name,
    of: Annotated[
        Literal["lookups", "decisions"],
        'What to curate: the rows of lookup tables ("lookups"), or the decisions of projects'
        ' ("decisions").',
    ] = "lookups",
    remove: Annotated[bool, "Remove the right to curate."] = False,
) -> Row:
    """Let a principal curate the lookup tables or decisions that it may see. Operators may always
    curate lookup tables. Only people who got the right from this command may curate decisions.
    """
    qm.call(api.appoint_curator(name=name, is_curator=not remove, curates=of))
    undo = f"qm principal curator {name} --of {of}{'' if remove else ' --remove'}"
    qm.say(f"{name} {'may no longer' if remove else 'may now'} curate {of}. To undo: {undo}.")
    return {"name": name, "is_curator": not remove, "curates": of}


@noun.verb()
def map_role_command(
    qm: Qm,
    name: Name,
    database_role: Annotated[str | None, "Login role on the database server.", Argument()] = None,
    none: Annotated[bool, "Remove the mapping."] = False,
) -> Row:
    """Map a database login role to a principal, so that its sessions act as the principal."""
    if (database_role is None) != none:
        raise typer.BadParameter("Give either a login role or --none.")
    [row] = qm.call(api.map_role(name=name, database_role=database_role))
    if none:
        qm.say(f"No login role is mapped to {name} any longer.")
    else:
        undo = f"qm principal map-role {name} --none"
        qm.say(f"Sessions of {database_role} act as {name}. To undo: {undo}.")
    if row["is_superuser"]:
        qm.note(
            "The role is a superuser, so row policies do not apply to it, even if it is mapped."
        )
    for statement in row["next_steps"]:
        who = (
            "As the login that installed Quartermaster, or a superuser"
            if statement.partition(" ")[0] in {"grant", "revoke"}
            else "As a superuser, or whoever created the login"
        )
        qm.note(f"{who}, run in psql: {statement};")
    return row


@noun.verb()
def bind_command(
    qm: Qm,
    name: Name,
    subject: Annotated[
        str | None,
        "Subject of the user's tokens: the value of the claim that the setting"
        " auth.oidc.subject_claim names (default: sub).",
        Argument(),
    ] = None,
    issuer: Annotated[str | None, "Token issuer; default: the setting auth.oidc.issuer."] = None,
    none: Annotated[bool, "Remove the binding."] = False,
) -> Row:
    """Let an OpenID Connect user act as a principal."""
    if (subject is None) != none:
        raise typer.BadParameter("Give either a subject or --none.")
    issuer = None if none else issuer or _issuer(qm)
    qm.call(api.bind_subject(name=name, issuer=issuer, subject=subject))
    if none:
        qm.say(f"Tokens can no longer be used to act as {name}.")
    else:
        undo = f"qm principal bind {name} --none"
        qm.say(f"Tokens from {issuer} for {subject} act as {name}. To undo: {undo}.")
    return {"name": name, "issuer": issuer, "subject": subject}


def _role(row: Row) -> str:
    curates = [
        ", curator of " + what
        for what, may in (("lookups", row["is_curator"]), ("decisions", row["curates_decisions"]))
        if may
    ]
    return f"{row['role']}, {row['kind']}{''.join(curates)}{'' if row['enabled'] else ', disabled'}"


def _doors(row: Row) -> str:
    doors = [counted(row["live_keys"], "live key")] if row["live_keys"] else []
    if row["database_role"]:
        doors.append(f"database role {row['database_role']}")
    if row["issuer"]:
        doors.append(f"tokens from {row['issuer']}")
    return ", ".join(doors) or "nothing yet"


def _issuer(qm: Command) -> str:
    issuer = qm.settings().auth.oidc.issuer
    if issuer is None:
        raise QmError(
            422,
            "issuer_missing",
            "The settings do not name a token issuer.",
            "Set auth.oidc.issuer in the settings, or give --issuer.",
        )
    return issuer
