"""``qm origin``: the servers that tools come from."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from quartermaster.cli.options import AsOf, DataDir, DryRun, Dsn, Json, OriginName, Wait, Yes
from quartermaster.cli.origin.add import add_command
from quartermaster.cli.origin.login import login_command, logout_command
from quartermaster.cli.origin.trouble import log_command, reset_command, unavailable
from quartermaster.cli.output import (
    confirm,
    print_facts,
    print_json,
    print_rows,
    say,
    tallied,
)
from quartermaster.cli.session import open_session
from quartermaster.cli.waiting import report_refreshes

_SHOWN = 10


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    origin = typer.Typer(no_args_is_help=True, help="Manage the servers that tools come from.")
    origin.command("add")(add_command)
    origin.command("list")(list_command)
    origin.command("show")(show_command)
    origin.command("refresh")(refresh_command)
    origin.command("remove")(remove_command)
    origin.command("approval")(approval_command)
    origin.command("log")(log_command)
    origin.command("reset")(reset_command)
    origin.command("login")(login_command)
    origin.command("logout")(logout_command)
    app.add_typer(origin, name="origin")


def list_command(
    as_of: AsOf = None, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """List the servers."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_origins", as_of=as_of)
    now = ("name", "transport", "status", "items", "refreshed_at", "failure")
    then = ("name", "transport", "items", "description")
    for row in [] if json else rows:
        row["items"] = tallied(row["items"])
        trouble = unavailable(row["unavailable_until"], row["unavailable_because"])
        row["failure"] = "; ".join(text for text in (row["failure"], trouble) if text)
    empty = "No servers. Add some with: qm import FILE, or: qm origin add NAME --command PROGRAM."
    print_rows(rows, now if as_of is None else then, json, empty=empty)


def show_command(
    name: OriginName, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Show a server: how it is reached, its last refresh, what it offers."""
    with open_session(data_dir, dsn) as session:
        origin: dict[str, Any] = session.call_value("get_origin", name=name)
    if json:
        print_json(origin)
        return
    items, refresh = origin.pop("items"), origin.pop("last_refresh")
    breaker: dict[str, Any] | None = origin.pop("breaker")
    print_facts("origin", name, origin | _login(origin, data_dir))
    if breaker:
        print_facts("breaker", "", breaker)
    if refresh:
        print_facts("last refresh", "", refresh)
    print_rows(
        items, ("kind", "name", "version", "status", "deprecated_at", "brief"), as_json=False
    )


def refresh_command(
    name: Annotated[
        str | None, typer.Argument(help="Name of the origin; default: all origins.")
    ] = None,
    wait: Wait = True,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Read the tools of one server or of all again.

    Exit status 1: a server could not be read.
    """
    given = {} if name is None else {"name": name}
    with open_session(data_dir, dsn) as session:
        requested = session.call("request_refresh", **given)
        report_refreshes(session, requested, data_dir, wait=wait, as_json=json)


def remove_command(
    name: OriginName,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Remove a server and its items from the catalog; their history is kept."""
    with open_session(data_dir, dsn) as session:
        origin: dict[str, Any] = session.call_value("get_origin", name=name)
        items = [item for item in origin["items"] if item["deprecated_at"] is None]
        live = [item["name"] for item in items]
        if not json:
            going = tallied(Counter(item["kind"] for item in items)) or "nothing else"
            say(f"This removes {name} and {going}{':' if live else '.'}")
            for item in live[:_SHOWN]:
                say(f"  {item}")
            if len(live) > _SHOWN:
                say(f"  and {len(live) - _SHOWN} more")
        if not dry_run:
            confirm(f"Remove {name}?", yes=yes)
            session.call("remove_origin", name=name)
    if json:
        print_json({"name": name, "items": live, "removed": not dry_run})
    elif not dry_run:
        say("Removed. To undo, add it again: qm origin add restores its items and their history.")


def approval_command(
    name: OriginName,
    approval: Annotated[
        str | None,
        typer.Argument(help="none, changes or all; default: the setting of the database."),
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Choose which tools of a server wait for approval."""
    with open_session(data_dir, dsn) as session:
        chosen: str = session.call_value("set_approval", origin=name, approval=approval)
    if json:
        print_json({"name": name, "approval": chosen})
        return
    waiting = {
        "none": "No tools wait",
        "changes": "Changed tools wait",
        "all": "New and changed tools wait",
    }
    say(f"{waiting[chosen]} for approval.")


def _login(origin: dict[str, Any], data_dir: Path | None) -> dict[str, str]:
    """Whether the service is logged in, where the origin needs that."""
    if origin["auth"].get("grant") not in {"authorization_code", "client_credentials"}:
        return {}
    from quartermaster.cli.origin.login_flow import state_of_login

    return {"login": state_of_login(origin, data_dir)}
