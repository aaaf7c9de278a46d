"""``qm origin show``: how a server is reached, how it does, and what it offers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from quartermaster.cli.output import print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, open_session


def show_command(
    name: Annotated[str, typer.Argument(help="Name of the origin.")],
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show a server: how it is reached, its last refresh, its tools."""
    with open_session(data_dir, dsn) as session:
        origin: dict[str, Any] = session.call_value("get_origin", name=name)
    if json:
        print_json(origin)
        return
    tools, refresh = origin.pop("tools"), origin.pop("last_refresh")
    breaker: dict[str, Any] | None = origin.pop("breaker")
    said: dict[str, Any] | None = origin.pop("instructions")
    if said:
        origin["instructions"] = f"{said['status']}: qm asset show {said['name']}"
    rows = [(key, value) for key, value in origin.items() if value not in (None, "", [], {})]
    print_table(("origin", name), [*rows, *_login(origin, data_dir)])
    if breaker:
        rows = [(key, value) for key, value in breaker.items() if value is not None]
        print_table(("breaker", ""), rows)
    if refresh:
        rows = [(key, value) for key, value in refresh.items() if value not in (None, [])]
        print_table(("last refresh", ""), rows)
    rows = [(tool["name"], tool["version"], tool["deprecated_at"], tool["brief"]) for tool in tools]
    print_table(("tool", "version", "deprecated", "brief"), rows)


def _login(origin: dict[str, Any], data_dir: Path | None) -> list[tuple[str, str]]:
    """Whether the service is logged in, where that is needed; of no interest elsewhere."""
    if origin["auth"].get("grant") not in {"authorization_code", "client_credentials"}:
        return []
    from quartermaster.cli.login_flow import state_of_login

    return [("login", state_of_login(origin, data_dir))]
