"""``qm tool probe``: a tool's promises tried out."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

import typer

from quartermaster.cli.output import err, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Session, open_session
from quartermaster.cli.waiting import is_service_running
from quartermaster.core.errors import QmError

_POLL_S: Final = 0.2
_WAIT_S: Final = 120.0


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
    return session.call_value("get_item", kinds=["tool"], name=name)["probes"]
