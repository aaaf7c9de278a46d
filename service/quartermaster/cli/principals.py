"""``qm principal``: who may ask, and through which doors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from quartermaster.cli.options import DryRun, Yes
from quartermaster.cli.output import err, minute, out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Row, open_session
from quartermaster.core import paths
from quartermaster.core.errors import QmError

Name = Annotated[str, typer.Argument(help="Name of the principal.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    principal = typer.Typer(no_args_is_help=True, help="People, agents and services that may ask.")
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
        Literal["person", "agent", "service"], typer.Option(help="What it is.")
    ] = "agent",
    role: Annotated[
        Literal["user", "operator", "admin"], typer.Option(help="What it may do.")
    ] = "user",
    organisation: Annotated[str | None, typer.Option(help="Whose it is.")] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Let somebody new ask; `qm key create` gives them a way in."""
    with open_session(data_dir, dsn) as session:
        made: int = session.call_value(
            "create_principal", name=name, kind=kind, role=role, organisation=organisation
        )
    if json:
        print_json({"id": made, "name": name, "kind": kind, "role": role})
    else:
        out.print(f"Created {name}. Give it a key with: qm key create {name}", markup=False)


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the principals."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_principals")
    if json:
        print_json(rows)
        return
    print_table(
        ("name", "what", "organisation", "doors", "last used"),
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
    """Keep somebody out, from the next request on; `enable` lets them in again."""
    with open_session(data_dir, dsn) as session:
        found = [row for row in session.call("list_principals") if row["name"] == name]
        if not found:
            raise QmError(
                404,
                "principal_not_found",
                f"there is no principal called {name!r}",
                "List principals with: qm principal list.",
            )
        if not json:
            out.print(f"{name} ({found[0]['role']}): {_doors(found[0])}.", markup=False)
        if not dry_run:
            if not yes:
                typer.confirm("Keep it out?", abort=True, err=True)
            session.call("enable_principal", name=name, enabled=False)
    if json:
        print_json(found[0] | {"disabled": not dry_run})
    elif not dry_run:
        out.print("Disabled.")


def enable_command(name: Name, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Let somebody in again."""
    with open_session(data_dir, dsn) as session:
        session.call("enable_principal", name=name, enabled=True)
    out.print("Enabled.")


def curator_command(
    name: Name,
    remove: Annotated[bool, typer.Option("--remove", help="It curates no more.")] = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Let somebody curate the lookup tables that they may see; operators may anyway."""
    with open_session(data_dir, dsn) as session:
        session.call("appoint_curator", name=name, is_curator=not remove)
    out.print(f"{name} may curate{' no more' if remove else ''}.", markup=False)


def map_role_command(
    name: Name,
    database_role: Annotated[
        str | None, typer.Argument(help="Login role of the database server.")
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Take the mapping away.")] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Make the psql sessions of a login role act as this principal."""
    if (database_role is None) != none:
        raise typer.BadParameter("give a login role, or --none")
    with open_session(data_dir, dsn) as session:
        [row] = session.call("map_role", name=name, database_role=database_role)
    if json:
        print_json(row)
        return
    out.print(f"Sessions of {database_role or 'no login'} act as {name}.", markup=False)
    if row["is_superuser"]:
        err.print("It is a superuser: no row policy stops it, whoever it acts as.")
    for statement in row["next_steps"]:
        err.print(f"Let the server's administrator run: {statement};", markup=False)


def bind_command(
    name: Name,
    subject: Annotated[str | None, typer.Argument(help="As the issuer's tokens name it.")] = None,
    issuer: Annotated[
        str | None, typer.Option(help="Of the tokens; else auth.oidc.issuer of the settings.")
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Tokens act as it no more.")] = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Make the tokens of a subject act as this principal."""
    if (subject is None) != none:
        raise typer.BadParameter("give a subject, or --none")
    known = None if none else issuer or _issuer(data_dir)
    with open_session(data_dir, dsn) as session:
        session.call("bind_subject", name=name, issuer=known, subject=subject)
    whose = f"Tokens of {known} for {subject}" if known else "No tokens"
    out.print(f"{whose} act as {name}.", markup=False)


def _doors(row: Row) -> str:
    doors = [f"{row['live_keys']} live keys"] if row["live_keys"] else []
    if row["database_role"]:
        doors.append(f"database role {row['database_role']}")
    if row["issuer"]:
        doors.append(f"tokens of {row['issuer']}")
    return ", ".join(doors) or "none"


def _issuer(data_dir: Path | None) -> str:
    from quartermaster.settings import load

    issuer = load(paths.data_dir(data_dir)).auth.oidc.issuer
    if issuer is None:
        raise QmError(
            422,
            "issuer_missing",
            "The settings name no issuer of tokens.",
            "Set auth.oidc.issuer, or give --issuer.",
        )
    return issuer
