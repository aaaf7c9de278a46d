"""``qm status``: versions, servers, tools, and work in progress."""

from __future__ import annotations

from typing import Any, Final

import typer

from quartermaster.cli.options import DataDir, Dsn, Json
from quartermaster.cli.output import print_facts, print_json, say, tallied
from quartermaster.cli.session import open_session

_FACTS: Final = ("version", "postgresql", "origins", "model", "unembedded")
_TALLIES: Final = ("cards", "withheld", "deprecated")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("status")(status_command)


def status_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Show versions, servers, tools and work in progress."""
    with open_session(data_dir, dsn) as session:
        status: dict[str, Any] = session.call_value("status")
        [arrivals] = session.call("count_arrivals")
    if json:
        print_json(status)
        return
    by_status: dict[str, int] = status["origins_by_status"]
    facts = {fact: status[fact] for fact in _FACTS}
    facts |= {fact: tallied(status[fact]) for fact in _TALLIES}
    facts |= {f"origins {name}": number for name, number in sorted(by_status.items())}
    print_facts("status", "", facts)
    if arrivals["hint"]:
        say(arrivals["hint"])
