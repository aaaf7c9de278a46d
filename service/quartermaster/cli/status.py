"""``qm status``: what is installed, what is in the catalog, what is on its way."""

from __future__ import annotations

from typing import Any, Final

import typer

from quartermaster.cli.output import out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, open_session

_FACTS: Final = (
    *("version", "postgresql", "origins", "tools"),
    *("tools_withheld", "tools_deprecated", "model", "unembedded"),
)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("status")(status_command)


def status_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Show what is there: version, servers, tools, and what is on its way."""
    with open_session(data_dir, dsn) as session:
        status: dict[str, Any] = session.call_value("status")
        [arrivals] = session.call("count_arrivals")
    if json:
        print_json(status)
        return
    rows = [(fact.replace("_", " "), status[fact]) for fact in _FACTS]
    by_status: dict[str, int] = status["origins_by_status"]
    rows += [(f"origins {name}", number) for name, number in sorted(by_status.items())]
    print_table(("status", ""), rows)
    if arrivals["hint"]:
        out.print(arrivals["hint"])
