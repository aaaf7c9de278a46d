"""What the tools of ``/mcp/quality`` take over HTTP: `python -m lab.bench.quality`, with a
throw-away server and a throw-away project of its own: the package rich as it is installed, and a
module of 2,600 lines in which each round changes a line. The machine should be idle.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, Final
from uuid import uuid4

import anyio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from rich.console import Console

from lab.bench.reconcile_mcp import over_budget, read_budget
from lab.bench.timing import Latency
from quartermaster import api
from quartermaster.core import logs
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.doors.mcp.package_doors import place_doors
from quartermaster.service import open_service
from quartermaster.settings.sections import DatabaseSettings as Connections
from quartermaster.settings.settings import Settings
from quartermaster_knowledge.settings import Knowledge
from tests.service.doors.http.test_http import TOKEN, add_key, serving
from tests.support.database import Database, embedded
from tests.support.model import cached_model_dir

# The names of the questions, and what their 95th percentile may be in milliseconds.
BUDGET: Final = (
    "quick=300,score=1500,unchanged=30,security=1000,gate=2500,new_code=2500,checklist=50,notes=50,"
    "impact=2500,config=500,info=50,profile=1500,report=1000"
)
WARM_UP: Final = 2
LINES: Final = 2600
BIG_FILE: Final = "src/big.py"

console = Console(markup=False, highlight=False, soft_wrap=True)


@dataclass
class Shop:
    """The project.

    Attributes:
        root: its root.
        text: of the module that changes.
        edits: how often it was changed.
    """

    root: Path
    text: str
    edits: int = 0

    @classmethod
    def made(cls, root: Path) -> Shop:
        """Makes the project, and commits it."""
        for name, target in (("rich", "src/rich"), ("argparse", BIG_FILE)):
            found = find_spec(name)
            assert found is not None
            assert found.origin is not None
            origin = Path(found.origin)
            if target == BIG_FILE:
                root.joinpath("src").mkdir(parents=True, exist_ok=True)
                shutil.copyfile(origin, root / target)
            else:
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(origin.parent, root / target, ignore=ignored)
        text = "\n".join((root / BIG_FILE).read_text(encoding="utf-8").splitlines()[:LINES]) + "\n"
        (root / BIG_FILE).write_text(text, encoding="utf-8")
        (root / "Dockerfile").write_text("FROM python:3.13-slim\nCOPY src /app\nUSER 1000\n")
        test = root / "tests" / "test_big.py"
        test.parent.mkdir()
        test.write_text(
            "from big import ArgumentParser\n\n\ndef test_it():\n    ArgumentParser()\n"
        )
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "Everything"]):
            subprocess.run(["git", *who, *command], cwd=root, check=True)
        return cls(root, text)

    def edit(self) -> None:
        """Changes the module, so that nothing about it is known."""
        self.edits += 1
        (self.root / BIG_FILE).write_text(f"{self.text}EDIT = {self.edits}\n", encoding="utf-8")


def questions(shop: Shop) -> dict[str, tuple[str, dict[str, Any], Callable[[], None] | None]]:
    """For each name the tool, its arguments, and what is done before it is asked."""
    big = {"file_path": BIG_FILE}
    return {
        "info": ("server_info", {}, None),
        "profile": ("project_profile", {}, None),
        "notes": ("session_notes", {"action": "save", "key": "k", "value": "v"}, None),
        "quick": ("score_file", big | {"quick": True}, shop.edit),
        "score": ("score_file", big, shop.edit),
        "unchanged": ("score_file", big, None),
        "security": ("security_scan", big, shop.edit),
        "gate": ("quality_gate", big, shop.edit),
        "new_code": ("quality_gate", big | {"new_code": True}, shop.edit),
        "checklist": ("checklist", {}, None),
        "impact": ("impact_analysis", {"file_path": "src/rich/text.py"}, None),
        "config": ("validate_config", {"file_path": "Dockerfile"}, None),
        "report": ("report", big, None),
    }


@asynccontextmanager
async def connected(
    database: Database, root: Path, door: str, knowledge: Knowledge | None = None
) -> AsyncGenerator[Client]:
    """Provides a client of a door, in a service that knows the project below a root."""
    # What is slow is measured, not ended.
    settings = Settings(database=Connections(statement_timeout_ms=0))
    if knowledge is not None:
        settings = settings.model_copy(update={"knowledge": knowledge})
    data_dir = Path(tempfile.mkdtemp(prefix="qm-bench-"))
    models = cached_model_dir().parents[1]
    try:
        async with open_service(
            settings, data_dir, models, database.service_dsn, "up", uuid4()
        ) as service:
            admin = await service.database.find_principal(LOCAL_PRINCIPAL)
            await service.database.call(api.add_project(name="shop", root=str(root)), admin)
            await add_key(service, LOCAL_PRINCIPAL, TOKEN)
            await place_doors(service)
            async with (
                serving(service) as served,
                served.http() as http,
                Client(
                    streamable_http_client(f"{served.url}/mcp/{door}", http_client=http),
                    mode="2026-07-28",
                    read_timeout_seconds=300,
                ) as client,
            ):
                yield client
    finally:
        shutil.rmtree(data_dir, ignore_errors=True)


async def measure(database: Database, shop: Shop, options: argparse.Namespace) -> list[str]:
    """Asks, and prints; returns what took longer than its budget."""
    taken: dict[str, Latency] = {}
    async with connected(database, shop.root, "quality") as client:
        for name, (tool, arguments, before) in questions(shop).items():
            if options.only and name not in options.only.split(","):
                continue
            seconds: list[float] = []
            for _ in range(WARM_UP + options.rounds):
                if before is not None:
                    before()
                begun = perf_counter()
                answer = await client.call_tool(f"tapps_{tool}", arguments)
                seconds.append(perf_counter() - begun)
                assert not answer.is_error, answer.content
            taken[name] = found = Latency.of(seconds[WARM_UP:])
            limit = options.budget.get(name)
            verdict = "" if limit is None else f"  budget {limit:5g} ms"
            verdict += "  MISSED" if limit is not None and found.p95 > limit else ""
            console.print(
                f"{name:10} first {seconds[0] * 1000:7.1f} ms  p50 {found.p50:7.1f} ms"
                f"  p95 {found.p95:7.1f} ms{verdict}"
            )
    return over_budget(taken, options.budget)


def main() -> None:
    """The command. Its status is 1 if a budget was missed."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.quality", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only", default="", metavar="NAME,...")
    parser.add_argument("--budget", type=read_budget, default=BUDGET, metavar="NAME=MS,...")
    options = parser.parse_args()
    logs.configure("warning")
    console.print(f"load before {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="qm-bench-") as folder, embedded() as server:
        shop = Shop.made(Path(folder).resolve() / "shop")
        with server.clone() as database:
            late = anyio.run(measure, database, shop, options)
    console.print(f"load after {os.getloadavg()[0]:.1f}")
    if late:
        sys.exit("over budget: " + "; ".join(late))


if __name__ == "__main__":
    main()
