"""``qm origin``: the servers that tools come from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from quartermaster.cli import origin_options as options
from quartermaster.cli.decisions import approval_command
from quartermaster.cli.options import AsOf, Yes
from quartermaster.cli.origin_login import login_command, logout_command
from quartermaster.cli.origin_show import show_command
from quartermaster.cli.origin_trouble import log_command, reset_command, unavailable
from quartermaster.cli.output import err, out, print_rows
from quartermaster.cli.secret_values import open_store
from quartermaster.cli.session import DataDir, Dsn, Json, Session, open_session
from quartermaster.cli.waiting import is_service_running, print_refreshes, wait_for_refreshes
from quartermaster.core.errors import QmError

Name = Annotated[str, typer.Argument(help="Name of the origin.")]
Wait = Annotated[bool, typer.Option(help="Wait for the tools.")]
Pairs = Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    origin = typer.Typer(no_args_is_help=True, help="Servers that tools come from.")
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


def add_command(
    name: Name,
    command: Annotated[str | None, typer.Option(help="Program and arguments, quoted.")] = None,
    url: Annotated[str | None, typer.Option(help="Address of its endpoint.")] = None,
    sse: Annotated[bool, typer.Option("--sse", help="The address speaks the older SSE.")] = False,
    env: Pairs = None,
    header: Pairs = None,
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    cwd: Annotated[str | None, typer.Option(help="Working directory of the program.")] = None,
    token: options.Token = None,
    per_principal: options.PerPrincipal = False,
    scope: options.Scope = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    issuer: options.Issuer = None,
    audience: options.Audience = None,
    pin: options.Pins = None,
    ca_file: options.CaFile = None,
    client_cert: options.ClientCertificate = None,
    client_key: options.ClientKey = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace one of that name.")] = False,
    wait: Wait = True,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Add a server; values of --env and --header are secrets, ${VAR} is read at run time."""
    from quartermaster.catalog.importers.origin_definition import define_origin
    from quartermaster.cli.import_servers import missing_values

    server: dict[str, Any] = {"url": url, "env": _pairs("--env", env), "description": description}
    server |= {"headers": _pairs("--header", header), "cwd": cwd}
    if command is not None:
        program, *args = shlex.split(command) or [""]
        server |= {"command": program, "args": args}
    elif url is not None and sse:
        server["type"] = "sse"
    given = {key: value for key, value in server.items() if value not in (None, "", {})}
    try:
        origin = define_origin(name, given, None, [])
    except ValueError as reason:
        raise QmError(
            422, "origin_invalid", f"{name}: {reason}", "Give --command or --url; see --help."
        ) from None
    with open_session(data_dir, dsn) as session:
        secrets = open_store(data_dir)
        if not replace and any(row["name"] == name for row in session.call("list_origins")):
            raise QmError(
                409,
                "origin_exists",
                f"there is an origin called {name!r} already",
                "Choose another name, or replace it with --replace.",
            )
        for secret, value in origin.secrets.items():
            secrets.put(secret, value)
        auth = options.auth_of(
            token, per_principal, scope, client_id, client_secret, issuer, audience
        )
        tls = options.tls_of(pin, ca_file, client_cert, client_key)
        session.call("add_origin", **origin.arguments, replace=replace, auth=auth, tls=tls)
        out.print(f"{'Replaced' if replace else 'Added'} {name}.", markup=False)
        if auth.get("grant") == "authorization_code":
            out.print(f"Log in to it with: qm origin login {name}", markup=False)
            return
        for sentence in missing_values(origin):
            err.print(sentence, markup=False)
        _refresh(session, name, wait, data_dir)


def list_command(
    as_of: AsOf = None, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """List the servers."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_origins", as_of=as_of)
    now = ("name", "transport", "status", "tools", "refreshed_at", "failure")
    then = ("name", "transport", "tools", "description")
    for row in [] if json else rows:
        trouble = unavailable(row["unavailable_until"], row["unavailable_because"])
        row["failure"] = "; ".join(text for text in (row["failure"], trouble) if text)
    print_rows(rows, now if as_of is None else then, json)


def refresh_command(
    name: Annotated[str | None, typer.Argument(help="Name of the origin; all without.")] = None,
    wait: Wait = True,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Read the tools of a server, or of all, again; status 1: one could not be read."""
    with open_session(data_dir, dsn) as session:
        _refresh(session, name, wait, data_dir)


def remove_command(
    name: Name,
    yes: Yes = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Take a server and its tools out of the catalog; their history stays."""
    with open_session(data_dir, dsn) as session:
        origin: dict[str, Any] = session.call_value("get_origin", name=name)
        live = [tool["name"] for tool in origin["tools"] if tool["deprecated_at"] is None]
        out.print(f"{name}: {len(live)} tools go.", markup=False)
        for tool in live[:10]:
            out.print(f"  {tool}", markup=False)
        if len(live) > 10:
            out.print(f"  and {len(live) - 10} more")
        if not yes:
            typer.confirm("Remove it?", abort=True)
        session.call("remove_origin", name=name)
    out.print("Removed. Adding it again brings the tools back.")


def _refresh(session: Session, name: str | None, wait: bool, data_dir: Path | None) -> None:
    given = {} if name is None else {"name": name}
    refreshes = {r["origin"]: r["refresh_id"] for r in session.call("request_refresh", **given)}
    if not is_service_running(data_dir):
        err.print("No service is running; tools are read when `qm up` runs next.")
        return
    if wait and refreshes:
        rows = wait_for_refreshes(session, refreshes)
        print_refreshes(rows)
        if any(row["status"] == "failed" for row in rows):
            raise typer.Exit(1)


def _pairs(option: str, given: list[str] | None) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or not name:
            # The text may hold a credential, so it is not repeated.
            raise typer.BadParameter(f"{option} takes NAME=VALUE")
        pairs[name] = value
    return pairs
