"""``qm tool scan`` and ``qm tool probe``: definitions looked at, promises tried out."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

import typer
from rich.progress import TextColumn

from quartermaster.cli.output import err, out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Session, open_session
from quartermaster.cli.waiting import is_service_running, progress_bar
from quartermaster.core.errors import QmError

_POLL_S: Final = 0.2
_WAIT_S: Final = 120.0


def register(tool: typer.Typer) -> None:
    """Adds the commands."""
    tool.command("scan")(scan_command)
    tool.command("probe")(probe_command)


def scan_command(
    names: Annotated[
        list[str] | None, typer.Argument(help="Callable names; all tools without.")
    ] = None,
    duplicates: Annotated[
        bool, typer.Option("--duplicates", help="Compare vectors, too: near duplicates elsewhere.")
    ] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Look for poisoned definitions; what is dangerous goes into quarantine. Status 1: some did."""
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
        out.print(f"{found['tools']:,} tools, {found['findings']:,} findings.")
        for name in found["quarantined"]:
            out.print(f"  in quarantine now: {name}", markup=False)
    if found["quarantined"]:
        raise typer.Exit(1)


def probe_command(
    name: Annotated[str, typer.Argument(help="Callable name of a tool that reads only.")],
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Run a tool on its own examples, and see whether it keeps what it promises; status 1: no."""
    with open_session(data_dir, dsn) as session:
        known = {probe["call_id"] for probe in _probes(session, name)}
        asked: int = session.call_value("request_probe", name=name)
        if not is_service_running(data_dir):
            err.print("No service is running; it is probed when `qm up` runs next.")
            return
        probes = _wait(session, name, known, asked)
    if json:
        print_json(probes)
    else:
        columns = ("example", "is_honest", "sandbox", "problem")
        print_table(columns, [[probe[column] for column in columns] for probe in probes])
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
        f"{name} was not probed within {_WAIT_S:.0f} s",
        "Its origin may be away or busy: qm origin show. Look later with: qm tool show NAME.",
    )


def _probes(session: Session, name: str) -> list[dict[str, Any]]:
    return session.call_value("get_tool", name=name)["probes"]
