"""What ``qm up`` shows: each step, the starter servers, one worked example, how to connect."""

from __future__ import annotations

import json
import time
from typing import Final, TypedDict, cast

import anyio
import anyio.to_thread
from mcp_types import CallToolResult, TextContent

from quartermaster.cli.output import out, print_table
from quartermaster.core import paths
from quartermaster.core.logs import get_logger
from quartermaster.doors.mcp.bridge_tools import CALL_TOOL, SEARCH_TOOLS
from quartermaster.doors.mcp.own_client import connect
from quartermaster.service import Service
from quartermaster.starter.install import install_starters
from quartermaster.starter.register import register_starters, unregistered_starters
from quartermaster.workers.heartbeat import tell_installing

GOAL: Final = "what time is it in Tokyo"
TOOL: Final = "time__get_current_time"
ARGUMENTS: Final = {"timezone": "Asia/Tokyo"}
_READ_WITHIN_S: Final = 60

log = get_logger(part="welcome")


class _Offer(TypedDict):
    rank: int
    name: str
    brief: str
    score: float


class Welcome:
    """Says what is happening, then shows that it works.

    Args:
        with_starters: install and connect the starter servers.
    """

    def __init__(self, *, with_starters: bool) -> None:
        self._with_starters = with_starters
        self._began = time.monotonic()

    def step(self, text: str) -> None:
        """One line about what is happening, with the seconds since the start."""
        out.print(f"[dim]{time.monotonic() - self._began:6.1f} s[/]  {text}")

    async def __call__(self, service: Service, run: paths.RunFile) -> None:
        """Shows the starters and the example; a failure is told and does not stop the service."""
        try:
            if self._with_starters:
                await self._connect_starters(service)
            await self._show_origins(service)
            await self._show_example(run)
        except Exception as error:  # noqa: BLE001 - the service goes on whatever the example does
            log.warning("example_failed", error=str(error))
            self.step(f"The example did not work: {error}")
        self._show_doors(service, run)

    async def _connect_starters(self, service: Service) -> None:
        self.step("starter servers")
        await tell_installing(service, len(unregistered_starters(service.data_dir)))
        try:
            results = await anyio.to_thread.run_sync(
                lambda: install_starters(
                    service.data_dir, lambda name, text: self.step(f"  {name}: {text}")
                )
            )
            added = await register_starters(service, results)
        finally:
            await tell_installing(service, 0)
        with anyio.move_on_after(_READ_WITHIN_S):
            while await self._is_waiting(service, added):  # noqa: ASYNC110 - the database knows
                await anyio.sleep(0.1)

    async def _is_waiting(self, service: Service, names: list[str]) -> bool:
        origins = await service.database.call("list_origins", service.worker)
        is_new = any(o["status"] == "new" for o in origins if o["name"] in names)
        status = await service.database.call_value("status", service.worker)
        return is_new or (bool(names) and status["unembedded"] > 0)

    async def _show_origins(self, service: Service) -> None:
        origins = await service.database.call("list_origins", service.worker)
        connected = [o for o in origins if o["transport"] != "none"]
        out.print()
        print_table(
            ("server", "status", "tools", ""),
            [
                (o["name"], o["status"], o["tools"], o["failure"] or o["description"])
                for o in connected
            ],
        )
        if others := len(origins) - len(connected):
            out.print(f"and {others} catalog entries without a connection")

    async def _show_example(self, run: paths.RunFile) -> None:
        async with connect(run) as client:
            found = await client.call_tool(SEARCH_TOOLS, {"query": GOAL})
            offered = cast("dict[str, list[_Offer]]", found.structured_content or {})["tools"]
            out.print(f"\n[bold]Goal:[/] {GOAL}")
            print_table(
                ("", "tool", "score", "what it does"),
                [(t["rank"], t["name"], f"{t['score']:.2f}", t["brief"]) for t in offered],
            )
            if TOOL in [tool["name"] for tool in offered]:
                arguments = {"name": TOOL, "arguments": ARGUMENTS}
                called = await client.call_tool(CALL_TOOL, arguments)
                out.print(f"[bold]Call:[/] {TOOL} {json.dumps(ARGUMENTS)}")
                out.print(f"[bold]Result:[/] {_text(called)}")

    def _show_doors(self, service: Service, run: paths.RunFile) -> None:
        self.step("ready\n")
        out.print(
            f"[bold]MCP[/]      {run.url}/mcp   (bearer token in {service.data_dir}/run.json)"
        )
        out.print("[bold]Connect[/]  qm connect claude-code | claude | cursor | vscode")
        out.print("[bold]Search[/]   qm search 'list the commits of a repository'")
        out.print("[bold]psql[/]     qm psql -c \"select * from select_tools('list my commits')\"")
        out.print("[bold]Stop[/]     Ctrl-C, or SIGTERM to process " + str(run.pid))


def _text(result: CallToolResult) -> str:
    parts = [part.text for part in result.content if isinstance(part, TextContent)]
    return "\n".join(parts) or json.dumps(result.structured_content)
