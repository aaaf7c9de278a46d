"""``qm principal``: who may use Quartermaster, and how they authenticate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Yes
from quartermaster.cli.output import confirm, counted, minute, note, print_json, print_table, say
from quartermaster.cli.session import Row, open_session
from quartermaster.core import paths
from quartermaster.core.errors import QmError

Name = Annotated[str, typer.Argument(help="Name of the principal.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    principal = typer.Typer(
        no_args_is_help=True,
        help="Manage the people, agents and services that may use Quartermaster.",
    )
    principal.command("create")(create_command)
    principal.command("list")(list_command)
    principal.command("disable")(disable_command)
    principal.command("enable")(enable_command)
    principal.command("curator")(curator_command)
    principal.command("map-role")(map_role_command)
    principal.command("bind")(bind_command)
    app.add_typer(principal, name="principal")


def create_command(
    name: Name,
    kind: Annotated[
        Literal["person", "agent", "service"], typer.Option(help="Kind of the principal.")
    ] = "agent",
    role: Annotated[
        Literal["user", "operator", "admin"], typer.Option(help="Role: what the principal may do.")
    ] = "user",
    organisation: Annotated[str | None, typer.Option(help="Organisation of the principal.")] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Create a principal; give it a key with qm key create."""
    with open_session(data_dir, dsn) as session:
        made: int = session.call_value(
            "create_principal", name=name, kind=kind, role=role, organisation=organisation
        )
    if json:
        print_json({"id": made, "name": name, "kind": kind, "role": role})
    else:
        say(f"Created {name}. Give it a key with: qm key create {name}.")


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the principals."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_principals")
    if json:
        print_json(rows)
        return
    print_table(
        ("name", "role", "organisation", "authenticates by", "last used"),
        [
            (
                row["name"],
                f"{row['role']}, {row['kind']}"
                + (", curator" if row["is_curator"] else "")
                + ("" if row["enabled"] else ", disabled"),
                row["organisation"],
                _doors(row),
                minute(row["last_used_at"]),
            )
            for row in rows
        ],
    )


def disable_command(
    name: Name,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Refuse the requests of a principal, from the next one on."""
    with open_session(data_dir, dsn) as session:
        found = [row for row in session.call("list_principals") if row["name"] == name]
        if not found:
            raise QmError(
                404,
                "principal_not_found",
                f"There is no principal called {name!r}.",
                "See qm principal list.",
            )
        if not json:
            say(f"{name} ({found[0]['role']}) authenticates by: {_doors(found[0])}.")
        if not dry_run:
            confirm(f"Disable {name}?", yes=yes)
            session.call("enable_principal", name=name, enabled=False)
    if json:
        print_json(found[0] | {"disabled": not dry_run})
    elif not dry_run:
        say(f"Disabled. To undo: qm principal enable {name}.")


def enable_command(
    name: Name, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Accept the requests of a disabled principal again."""
    with open_session(data_dir, dsn) as session:
        session.call("enable_principal", name=name, enabled=True)
    if json:
        print_json({"name": name, "enabled": True})
    else:
        say(f"Enabled. To undo: qm principal disable {name}.")


def curator_command(
    name: Name,
    remove: Annotated[bool, typer.Option("--remove", help="Take the right away.")] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Let a principal curate the lookup tables that it may see; operators always may."""
    with open_session(data_dir, dsn) as session:
        session.call("appoint_curator", name=name, is_curator=not remove)
    if json:
        print_json({"name": name, "is_curator": not remove})
    else:
        undo = f"qm principal curator {name}{'' if remove else ' --remove'}"
        say(f"{name} {'may no longer' if remove else 'may now'} curate. To undo: {undo}.")


def map_role_command(
    name: Name,
    database_role: Annotated[
        str | None, typer.Argument(help="Login role of the database server.")
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Remove the mapping.")] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Map a login role of the database: its psql sessions act as this principal."""
    if (database_role is None) != none:
        raise typer.BadParameter("Give either a login role or --none.")
    with open_session(data_dir, dsn) as session:
        [row] = session.call("map_role", name=name, database_role=database_role)
    if json:
        print_json(row)
        return
    if database_role is None:
        say(f"No login role is mapped to {name} any more.")
    else:
        undo = f"qm principal map-role {name} --none"
        say(f"Sessions of {database_role} act as {name}. To undo: {undo}.")
    if row["is_superuser"]:
        note("The role is a superuser: row policies do not apply to it, whoever it acts as.")
    for statement in row["next_steps"]:
        note(f"Ask the administrator of the server to run: {statement};")


def bind_command(
    name: Name,
    subject: Annotated[str | None, typer.Argument(help="Subject, as the tokens name it.")] = None,
    issuer: Annotated[
        str | None,
        typer.Option(help="Issuer of the tokens; default: the setting auth.oidc.issuer."),
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Remove the binding.")] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Bind a subject of an issuer: its tokens act as this principal."""
    if (subject is None) != none:
        raise typer.BadParameter("Give either a subject or --none.")
    known = None if none else issuer or _issuer(data_dir)
    with open_session(data_dir, dsn) as session:
        session.call("bind_subject", name=name, issuer=known, subject=subject)
    if json:
        print_json({"name": name, "issuer": known, "subject": subject})
    elif known is None:
        say(f"No tokens act as {name} any more.")
    else:
        undo = f"qm principal bind {name} --none"
        say(f"Tokens of {known} for {subject} act as {name}. To undo: {undo}.")


def _doors(row: Row) -> str:
    doors = [counted(row["live_keys"], "live key")] if row["live_keys"] else []
    if row["database_role"]:
        doors.append(f"database role {row['database_role']}")
    if row["issuer"]:
        doors.append(f"tokens of {row['issuer']}")
    return ", ".join(doors) or "nothing yet"


def _issuer(data_dir: Path | None) -> str:
    from quartermaster.settings import load

    issuer = load(paths.data_dir(data_dir)).auth.oidc.issuer
    if issuer is None:
        raise QmError(
            422,
            "issuer_missing",
            "The settings do not name an issuer of tokens.",
            "Set auth.oidc.issuer in the settings, or give --issuer.",
        )
    return issuer
