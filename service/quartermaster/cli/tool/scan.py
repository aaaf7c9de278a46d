"""``qm tool scan`` and ``qm tool probe``: check definitions, and run tools on their examples."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

import typer
from rich.progress import TextColumn

from quartermaster.cli.options import DataDir, Dsn, Json
from quartermaster.cli.output import err, note, print_json, print_rows
from quartermaster.cli.progress import progress_bar
from quartermaster.cli.review import print_scan
from quartermaster.cli.session import Session, open_session
from quartermaster.cli.waiting import is_service_running
from quartermaster.core.errors import QmError

_POLL_S: Final = 0.2
_WAIT_S: Final = 120.0


def register(tool: typer.Typer) -> None:
    """Adds the commands."""
    tool.command("scan")(scan_command)
    tool.command("probe")(probe_command)


def scan_command(
    names: Annotated[
        list[str] | None, typer.Argument(help="Names of tools; default: all tools.")
    ] = None,
    duplicates: Annotated[
        bool,
        typer.Option(
            "--duplicates", help="Also find near duplicates in other origins, by vectors."
        ),
    ] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Scan definitions for poisoning, and quarantine dangerous tools.

    Exit status 1: a tool was quarantined.
    """
    found: dict[str, Any] = {"tools": 0, "findings": 0, "quarantined": []}
    with open_session(data_dir, dsn) as session:
        total = len(names) if names else session.call_value("status")["tools"]
        with progress_bar(TextColumn("{task.completed:,.0f} tools")) as bar:
            task = bar.add_task("Scanning", total=total)
            after = 0
            while rows := session.call(
                "scan_tools", after_id=after, names=names, duplicates=duplicates
            ):
                [row] = rows
                after = row["last_id"]
                found["tools"] += row["tools"]
                found["findings"] += row["findings"]
                found["quarantined"] += row["quarantined"]
                bar.update(task, completed=found["tools"])
    if json:
        print_json(found)
    else:
        print_scan(found, "tool")
    if found["quarantined"]:
        raise typer.Exit(1)


def probe_command(
    name: Annotated[str, typer.Argument(help="Name of a read-only tool.")],
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Run a tool on its examples, and check that it keeps its promises.

    Exit status 1: it broke one.
    """
    with open_session(data_dir, dsn) as session:
        known = {probe["call_id"] for probe in _probes(session, name)}
        asked: int = session.call_value("request_probe", name=name)
        if not is_service_running(data_dir):
            note("No service is running. The tool is probed when you next run: qm up.")
            return
        with err.status(f"probing {name}"):
            probes = _wait(session, name, known, asked)
    if json:
        print_json(probes)
    else:
        columns = ("example", "is_honest", "sandbox", "problem")
        print_rows(probes, columns, as_json=False)
    if any(probe["is_honest"] is False for probe in probes):
        raise typer.Exit(1)


def _wait(session: Session, name: str, known: set[int], asked: int) -> list[dict[str, Any]]:
    deadline = time.monotonic() + _WAIT_S
    while time.monotonic() < deadline:
        fresh = [probe for probe in _probes(session, name) if probe["call_id"] not in known]
        if len(fresh) >= asked:
            return sorted(fresh, key=lambda probe: probe["example"])
        time.sleep(_POLL_S)
    raise QmError(
        504,
        "probe_unfinished",
        f"{name} was not probed within {_WAIT_S:.0f} s.",
        f"Its origin may be down or busy. See the result later with: qm tool show {name}.",
    )


def _probes(session: Session, name: str) -> list[dict[str, Any]]:
    return session.call_value("get_tool", name=name)["probes"]
