"""What ``qm up`` shows: each step, the starter servers, an example, and what to do next."""

from __future__ import annotations

import json
import time
from typing import Final, cast

import anyio
import anyio.to_thread
from mcp_types import CallToolResult, TextContent
from rich.markup import escape

from quartermaster.cli.output import counted, out, pasteable, print_table, tallied
from quartermaster.cli.session import Row
from quartermaster.core import kinds, paths
from quartermaster.core.logs import get_logger
from quartermaster.doors.mcp.bridge_tools import CALL_TOOL, SEARCH_TOOLS
from quartermaster.doors.mcp.own_client import connect
from quartermaster.service import Service
from quartermaster.starter.install import install_starters, register_starters, unregistered_starters
from quartermaster.workers.heartbeat import tell_installing

GOAL: Final = "what time is it in Tokyo"
TOOL: Final = "time__get_current_time"
ARGUMENTS: Final = {"timezone": "Asia/Tokyo"}
SEARCH_HINT: Final = "create a branch"
PSQL_HINT: Final = "convert 3 pm in Tokyo to London time"
HINTS: Final = {SEARCH_HINT: "git__git_create_branch", PSQL_HINT: "time__convert_time"}
"""The goals in the commands that the welcome message suggests, each with the tool that must rank
first. The tools belong to the servers `time` and `git`, which run on every machine."""
_READ_WITHIN_S: Final = 60

log = get_logger(part="welcome")


class Welcome:
    """Prints the startup steps, then shows that Quartermaster works.

    Args:
        with_starters: whether to install and connect the starter servers.
    """

    def __init__(self, *, with_starters: bool) -> None:
        self._with_starters = with_starters
        self._began = time.monotonic()

    def step(self, text: str) -> None:
        """Prints one line about a step, with the seconds since the start."""
        out.print(f"[dim]{time.monotonic() - self._began:6.1f} s[/]  {text}")

    async def __call__(self, service: Service, run: paths.RunFile) -> None:
        """Shows the starter servers and an example. A failure is printed and does not stop the
        service."""
        try:
            if self._with_starters:
                await self._connect_starters(service)
            await self._show_origins(service)
            await self._show_example(run)
        except Exception as error:  # noqa: BLE001 - the service serves even if the example fails
            log.warning("example_failed", error=str(error))
            self.step(f"The example failed: {error}")
        self._show_doors(run)

    async def _connect_starters(self, service: Service) -> None:
        self.step("installing the starter servers")
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
        return is_new or (bool(names) and status["unembedded_by_kind"].get(kinds.TOOL, 0) > 0)

    async def _show_origins(self, service: Service) -> None:
        origins = await service.database.call("list_origins", service.worker)
        connected = [o for o in origins if o["transport"] != "none"]
        out.print()
        print_table(
            ("server", "status", "items", "description"),
            [
                (o["name"], o["status"], tallied(o["items"]), o["failure"] or o["description"])
                for o in connected
            ],
        )
        if others := len(origins) - len(connected):
            out.print(
                f"and {counted(others, 'server')} that cannot be called (catalog entries only)"
            )

    async def _show_example(self, run: paths.RunFile) -> None:
        async with connect(run) as client:
            found = await client.call_tool(SEARCH_TOOLS, {"query": GOAL})
            offered = cast("dict[str, list[Row]]", found.structured_content or {})["tools"]
            if TOOL not in [tool["name"] for tool in offered]:
                return
            out.print(f"\n[bold]Goal:[/] {GOAL}")
            print_table(
                ("rank", "tool", "score", "brief"),
                [(t["rank"], t["name"], f"{t['score']:.2f}", t["brief"]) for t in offered],
            )
            called = await client.call_tool(CALL_TOOL, {"name": TOOL, "arguments": ARGUMENTS})
            out.print(f"[bold]Call:[/] {TOOL} {json.dumps(ARGUMENTS)}")
            out.print(f"[bold]Result:[/] {_text(called)}")

    def _show_doors(self, run: paths.RunFile) -> None:
        self.step("ready\n")
        doors = {
            "MCP": f"{run.url}/mcp   (key: qm key create NAME, or qm connect)",
            "Connect": "qm connect claude-code   (or claude, cursor, vscode)",
            "Search": f"qm search '{SEARCH_HINT}'",
            "psql": f"""qm psql --admin -c "select * from select_tools('{PSQL_HINT}')" """,  # noqa: S608
            "Stop": f"Ctrl-C, or send SIGTERM to process {run.pid}",
        }
        for door, how in doors.items():
            line = f"[bold]{door:8}[/] {escape(pasteable(how))}"
            out.print(line, highlight=False, soft_wrap=True)


def _text(result: CallToolResult) -> str:
    parts = [part.text for part in result.content if isinstance(part, TextContent)]
    return "\n".join(parts) or json.dumps(result.structured_content)
