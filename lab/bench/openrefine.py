"""A real OpenRefine against the reconciliation API: `make openrefine ARGS="LOOKUP.csv GOLD.csv"`.

Starts OpenRefine (Debian package `openrefine`) without a window and a throw-away Quartermaster, and
runs a project end to end through OpenRefine's own commands: it reads the manifest, guesses the
type, reconciles 300 and 3,000 rows, reads the facets, and extends the data. Then a real browser
(Debian package `chromium`) opens the project, adds the service, and points at a candidate, so that
OpenRefine shows its preview. Prints what matched, what was right, and the seconds, and ends with
status 1 if 3,000 rows take longer than their budget. Without the package `openrefine`, it says so
and ends.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import anyio
import anyio.to_thread
import httpx2
import structlog
from rich.console import Console

from quartermaster import api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.eval.gold import Task
from quartermaster.service import open_service
from quartermaster.settings.sections import DatabaseSettings as Connections
from quartermaster.settings.sections import LimitSettings
from quartermaster.settings.settings import Settings
from quartermaster_lookup import api as lookup_api
from quartermaster_lookup.eval.gold_pairs import read_pairs
from quartermaster_lookup.table_file import read_rows
from tests.service.doors.http.test_http import add_key, serving
from tests.support.canary import canary
from tests.support.chromium import PROGRAM, browsing
from tests.support.database import Database, embedded
from tests.support.model import cached_model_dir
from tests.support.waiting import wait_until

SIZES: Final = (300, 3_000)
COLUMN: Final = "name"
BUDGET: Final = "45,20"
_STARTS_S: Final = 90
_RUNS_S: Final = 600
_USER: Final = "openrefine"
console = Console()


class Refine:
    """OpenRefine's command API.

    Args:
        port: port of the running OpenRefine.

    Attributes:
        url: address of its pages.
    """

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._http = httpx2.Client(
            base_url=f"{self.url}/command/core/", timeout=120, trust_env=False
        )

    def is_ready(self) -> bool:
        """Returns whether it answers."""
        try:
            return self._http.get("get-version").status_code == 200
        except httpx2.TransportError:
            return False

    def get(self, command: str, **given: object) -> Any:
        """Returns the answer to a command that reads."""
        return self._http.get(command, params=_texts(given)).raise_for_status().json()

    def post(self, command: str, **given: object) -> Any:
        """Returns the answer to a command that changes something."""
        token = {"csrf_token": self.get("get-csrf-token")["token"]}
        answer = self._http.post(command, params=token, data=_texts(given))
        return answer.raise_for_status().json()

    def create(self, name: str, values: list[str]) -> str:
        """Creates a project with one column, and returns its id."""
        stream = io.StringIO()
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerows([[COLUMN], *([" ".join(value.split())] for value in values)])
        answer = self._http.post(
            "create-project-from-upload",
            params={
                "csrf_token": self.get("get-csrf-token")["token"],
                "format": "text/line-based/*sv",
                "options": json.dumps({"separator": ",", "trimStrings": False}),
            },
            files={"project-file": (f"{name}.csv", stream.getvalue().encode(), "text/csv")},
            data={"project-name": name},
            follow_redirects=False,
        )
        return parse_qs(urlsplit(answer.headers["location"]).query)["project"][0]

    def wait(self, project: str) -> None:
        """Waits until no long process of a project runs."""
        assert wait_until(
            lambda: not self.get("get-processes", project=project)["processes"], _RUNS_S
        )


def _texts(given: dict[str, object]) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in given.items()
    }


@contextmanager
def openrefine() -> Generator[Refine]:
    """Provides a running OpenRefine with an empty workspace; stopped at the end."""
    folder = Path(tempfile.mkdtemp(prefix="qm-openrefine-"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["openrefine", "-i", "127.0.0.1", "-p", str(port), "-d", str(folder)]
    command += ["-x", "refine.headless=true", "-m", "1024M"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        refine = Refine(port)
        if not wait_until(lambda: process.poll() is not None or refine.is_ready(), _STARTS_S):
            raise SystemExit((folder / "log").read_text()[-2_000:])
        yield refine
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Ours:
    """What the service takes of the seconds.

    Attributes:
        database: its database.
        log: milliseconds of each request that the service has answered.
    """

    database: Database
    log: list[float]

    def cpu_s(self) -> float:
        """Returns seconds of processor time of this process and of its connections to the database.
        They stay the same when other programs are busy.
        """
        statement = "select pid from pg_stat_activity where usename = 'qm_service'"
        with self.database.connect() as connection:
            pids = [int(str(pid)) for (pid,) in connection.execute(statement).fetchall()]
        return time.process_time() + sum(map(_cpu_of, pids))


def _cpu_of(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_project(
    refine: Refine, root: str, table: str, tasks: list[Task], ours: Ours
) -> tuple[str, float, float]:
    """Reconciles strings in a project of their own, and prints what came of it.

    Args:
        refine: the running OpenRefine.
        root: address of the service.
        table: name of the lookup table.
        tasks: the strings, with the right rows.
        ours: what the service takes.

    Returns:
        The project, the seconds that its reconciliation took, and how many of them were ours.
    """
    manifest = httpx2.get(root, trust_env=False).raise_for_status().json()
    project = refine.create(f"{table} {len(tasks)}", [task.goal for task in tasks])
    guessed = refine.post("guess-types-of-column", project=project, columnName=COLUMN, service=root)
    config: dict[str, Any] = {
        "mode": "standard-service",
        "service": root,
        "identifierSpace": manifest["identifierSpace"],
        "schemaSpace": manifest["schemaSpace"],
        "type": {"id": table, "name": table},
        "autoMatch": True,
        "columnDetails": [],
    }
    engine: dict[str, Any] = {"facets": [], "mode": "row-based"}
    ours.log.clear()
    cpu_s = ours.cpu_s()
    started = time.perf_counter()
    refine.post("reconcile", project=project, columnName=COLUMN, config=config, engine=engine)
    refine.wait(project)
    seconds = time.perf_counter() - started
    cpu_s = ours.cpu_s() - cpu_s
    batches, ours_s = len(ours.log), sum(ours.log) / 1_000
    rows = refine.get("get-rows", project=project, start="0", limit=str(len(tasks)), engine=engine)
    recons: list[dict[str, Any]] = []
    pool = rows.get("pool", {}).get("recons", {})
    for row in rows["rows"]:
        recon: Any = row["cells"][0].get("r")
        recons.append(pool.get(str(recon)) or recon or {})
    matched = [
        (one["m"]["id"], task) for one, task in zip(recons, tasks, strict=True) if one.get("m")
    ]
    right = sum(found in task.accepted for found, task in matched)
    choices = sum(bool(one.get("c")) and not one.get("m") for one in recons)
    facet = {
        "type": "list",
        "name": "judgment",
        "columnName": COLUMN,
        "expression": "cell.recon.judgment",
        "omitBlank": False,
        "omitError": False,
        "selectBlank": False,
        "selectError": False,
        "invert": False,
        "selection": list[Any](),
    }
    judging = {"mode": "row-based", "facets": [facet]}
    facets = refine.post("compute-facets", project=project, engine=judging)["facets"][0]["choices"]
    judged = {each["v"]["v"]: each["c"] for each in facets}
    proposed = httpx2.get(f"{root}/extend/propose?type={table}", trust_env=False).json()
    property_id = proposed["properties"][0]["id"]
    refine.post(
        "extend-data",
        project=project,
        engine=engine,
        baseColumnName=COLUMN,
        endpoint=root,
        identifierSpace=manifest["identifierSpace"],
        schemaSpace=manifest["schemaSpace"],
        columnInsertIndex="1",
        extension={"properties": [{"id": property_id, "name": property_id}]},
    )
    refine.wait(project)
    filled = refine.get(
        "get-rows", project=project, start="0", limit=str(len(tasks)), engine=engine
    )
    extended = sum(len(row["cells"]) > 1 and bool(row["cells"][1]) for row in filled["rows"])
    types = [each["id"] for each in guessed.get("types", [])]
    console.print(
        f"{len(tasks):,} rows: {len(matched):,} matched, {right:,} right, {choices:,} with choices,"
        f" {seconds:.1f} s, of which ours {ours_s:.1f} s in {batches} batches"
        f" ({cpu_s:.1f} s of processor time);"
        f" type guessed: {types[:1]}; facet: {judged}; {property_id} extended in {extended:,} rows"
    )
    return project, seconds, ours_s


def preview(refine: Refine, root: str, project: str, picture: Path) -> None:
    """Points at the first candidate that a person may choose, and prints what the preview shows."""
    with browsing() as page:
        page.open(f"{refine.url}/project?project={project}")
        page.wait_for("typeof ReconciliationManager !== 'undefined'")
        page.evaluate(
            "new Promise(done => ReconciliationManager.registerStandardService("
            f"{json.dumps(root)}, () => ReconciliationManager.save(done)))"
        )
        # The services are read when the page is loaded.
        page.open(f"{refine.url}/project?project={project}#")
        page.evaluate("location.reload()")
        candidate = ".data-table-recon-candidate:has(.data-table-recon-topic)"
        page.wait_for(f"document.querySelector({json.dumps(candidate)})")
        named = page.evaluate(f"document.querySelector('{candidate} a[target]').textContent")
        page.point_at(candidate)
        title = page.text_in_frame(f"{root}/preview", "h1")
        page.screenshot(picture)
    assert title == named, (title, named)
    console.print(f"preview of {title!r} in the browser: {picture}")


async def measure(database: Database, options: argparse.Namespace) -> str | None:
    """Serves the table, and runs the projects; return what is over the budget."""
    pairs = [one for one in read_pairs(options.gold, options.table) if "\0" not in one.goal]
    rows = [row for row in read_rows(options.lookup) if row.get("table") == options.table]
    key = "qm_" + canary()
    folder = Path(tempfile.mkdtemp(prefix="qm-bench-"))
    async with open_service(
        Settings(
            database=Connections(statement_timeout_ms=0), limits=LimitSettings(lookups_per_s=0)
        ),
        folder,
        cached_model_dir().parents[1],
        database.service_dsn,
        "up",
        uuid4(),
    ) as service:
        admin = await service.database.find_principal(LOCAL_PRINCIPAL)
        await service.database.call(lookup_api.create_lookup(name=options.table), admin)
        await service.database.call(lookup_api.load_lookup(lookup=options.table, rows=rows), admin)
        await service.database.call(api.create_principal(name=_USER, role="user"), admin)
        await add_key(service, _USER, key)
        async with serving(service) as door:
            root = f"{door.url}/reconcile/~{key}/{options.table}"
            ours = Ours(database, _durations())
            return await anyio.to_thread.run_sync(_run_all, root, pairs, options, ours)


def _run_all(root: str, pairs: list[Task], options: argparse.Namespace, ours: Ours) -> str | None:
    """Runs all projects; return what is over the budget."""
    seconds = ours_s = 0.0
    with openrefine() as refine:
        console.print(f"OpenRefine {refine.get('get-version')['version']}")
        for size in SIZES:
            project, seconds, ours_s = run_project(refine, root, options.table, pairs[:size], ours)
            if size == SIZES[0] and PROGRAM is not None:
                preview(refine, root, project, options.picture)
    if PROGRAM is None:
        console.print("No preview: chromium is not installed (Debian: apt install chromium).")
    most_s, most_ours_s = options.budget
    if seconds > most_s or ours_s > most_ours_s:
        return f"over budget: {most_s:g} s, of which ours {most_ours_s:g} s"
    return None


def _durations() -> list[float]:
    """Returns the milliseconds of each batch that the service answers from now on, as it logs them.
    Anything else that it logs is dropped, unless it warns.
    """
    found: list[float] = []

    def note(_logger: object, method: str, event: MutableMapping[str, Any]) -> str:
        if event.get("event") == "request_answered" and event.get("method") == "POST":
            found.append(float(event["duration_ms"]))
        if method not in {"warning", "error", "exception", "critical"}:
            raise structlog.DropEvent
        return json.dumps(event, default=str)

    structlog.configure(processors=[note], cache_logger_on_first_use=False)
    return found


def _budget(text: str) -> tuple[float, float]:
    most, ours = text.split(",")
    return float(most), float(ours)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="make openrefine", description=__doc__)
    parser.add_argument("lookup", type=Path, metavar="LOOKUP.csv")
    parser.add_argument("gold", type=Path, metavar="GOLD.csv")
    parser.add_argument("--table", default="taxon")
    parser.add_argument(
        "--budget",
        type=_budget,
        default=BUDGET,
        metavar="SECONDS,OURS",
        help=f"seconds for {SIZES[-1]:,} rows, and how many of them may be ours ({BUDGET})",
    )
    parser.add_argument(
        "--picture",
        type=Path,
        default=Path(tempfile.gettempdir(), "openrefine_preview.png"),
        help="file for a picture of the preview in the browser",
    )
    options = parser.parse_args()
    if shutil.which("openrefine") is None:
        console.print("Skipped: OpenRefine is not installed (Debian: apt install openrefine).")
        return
    with embedded() as server, server.clone() as database:
        late = anyio.run(measure, database, options)
    if late is not None:
        raise SystemExit(late)


if __name__ == "__main__":
    main()
