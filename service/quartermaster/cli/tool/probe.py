"""``qm tool probe``: run a tool on its examples."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

import typer

from quartermaster.cli.options import DataDir, Dsn, Json
from quartermaster.cli.output import err, note, print_json, print_rows
from quartermaster.cli.session import Session, open_session
from quartermaster.cli.waiting import is_service_running
from quartermaster.core.errors import QmError

_POLL_S: Final = 0.2
_WAIT_S: Final = 120.0


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
    return session.call_value("get_item", kinds=["tool"], name=name)["probes"]
