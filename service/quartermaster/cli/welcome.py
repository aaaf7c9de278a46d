"""Prints the output of ``qm up``: each step, the starter servers, an example, and what to do
next.
"""

from __future__ import annotations

import asyncio
import json
import math
import shlex
import shutil
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Final, cast

import anyio
import anyio.to_thread
from mcp_types import CallToolResult, TextContent
from rich.markup import escape

from quartermaster import api
from quartermaster.cli.output import (
    counted,
    harmless,
    out,
    pasteable,
    print_table,
    repeated,
    tallied,
)
from quartermaster.cli.session import Row
from quartermaster.core import kinds, paths
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.doors.mcp.bridge_tools import CALL_TOOL, SEARCH_TOOLS
from quartermaster.doors.mcp.own_client import connect
from quartermaster.service import Service
from quartermaster.starter.catalog import load_starters
from quartermaster.starter.install import (
    Installer,
    StarterResult,
    former_starters,
    register_starter,
    unregistered_starters,
)
from quartermaster.upstream.confinement import home_of
from quartermaster.workers.heartbeat import tell_installing


@dataclass(frozen=True, slots=True)
class SampleGoal:
    """A goal, the tool that must rank first for the goal, and the arguments with which to call the
    tool.

    ``{home}`` in arguments is replaced by the path of the server's home folder.

    Attributes:
        server: name of the starter that offers the tool.
    """

    server: str
    goal: str
    tool: str
    arguments: Mapping[str, str]


EXAMPLES: Final = (
    SampleGoal(
        "time",
        "what time is it in Tokyo",
        "time__get_current_time",
        {"timezone": "Asia/Tokyo"},
    ),
    SampleGoal(
        "calculator",
        "calculate 17 / 100 * 2349",
        "calculator__calculate",
        {"expression": "17 / 100 * 2349"},
    ),
    SampleGoal(
        "filesystem",
        "read the text file welcome.txt",
        "filesystem__read_text_file",
        {"path": "{home}/files/welcome.txt"},
    ),
    SampleGoal("memory", "read the whole knowledge graph", "memory__read_graph", {}),
)
"""Examples for the welcome message, which shows the first example whose server works. No example is
about `git`, because git needs a repository.
"""
HINTS: Final = {
    "create a branch": "git__git_create_branch",
    "convert 3 pm in Tokyo to London time": "time__convert_time",
    "calculate 17 / 100 * 2349": "calculator__calculate",
    "list the files in a folder": "filesystem__list_directory",
    "search the knowledge graph": "memory__search_nodes",
}
"""Goals for the commands that the welcome message suggests, each with the tool that must rank
first. The message suggests the first two whose servers work.
"""
# How long an example waits for a better one, whose server is not there yet.
_BETTER_WITHIN_S: Final = 5.0
# How long it waits for vectors: a search with a vector finds hardly any tool without one.
_EMBEDDED_WITHIN_S: Final = 30.0
# How long a new server may take to list its tools.
_READ_WITHIN_S: Final = 60.0
# How long the message waits for the example, which otherwise comes later.
_EXAMPLE_WITHIN_S: Final = 60.0
_LOOK_S: Final = 0.2
# Where to look if a server fails, by class of failure; otherwise at what is known of it.
_LOOK_AT: Final = {"died": "qm origin log {name}", "unconfined": "qm doctor"}
_READY_STATUS: Final = "ready"
_PROGRAM: Final = Path(sys.executable).with_name("qm")

log = get_logger(part="welcome")


class Welcome:
    """Prints the startup steps, then shows that Quartermaster works.

    Args:
        with_starters: whether to install and connect the starter servers.
        stays: whether the service continues after the welcome; if not, no next steps are shown.

    Attributes:
        has_failed: True if no server works.
    """

    def __init__(self, *, with_starters: bool, stays: bool) -> None:
        self.has_failed = True
        self._with_starters = with_starters
        self._stays = stays
        self._began = time.monotonic()
        # Starters that are being installed, and those that are not read yet, either.
        self._installing: set[str] = set()
        self._late: set[str] = set()
        self._telling = anyio.Lock()
        self._report: set[str] = set()
        self._remedies: list[str] = []

    def step(self, text: str, command: str = "") -> None:
        """Prints a line about a step, with the seconds since the start.

        Args:
            text: description of the step.
            command: the command to enter next; it is never broken into two lines.
        """
        began = f"{time.monotonic() - self._began:6.1f} s  "
        text, following = harmless(text), f"Next: {harmless(pasteable(command))}" if command else ""
        if not out.is_terminal or len(f"{began}{text} {following}") <= out.width:
            lines = [f"{text} {following}".rstrip()]
        else:
            lines = wrap(text, out.width - len(began), break_on_hyphens=False)
            lines += [following] if following else []
        indented = f"\n{' ' * len(began)}".join(lines)
        out.print(f"[dim]{began}[/]{escape(indented)}", highlight=False, soft_wrap=True)

    async def __call__(self, service: Service, run: paths.RunFile) -> None:
        """Shows the servers, an example and the next steps. Returns when all starters have been
        handled. A failure is printed, and does not stop the service.
        """
        await self._show_origins(service)
        async with anyio.create_task_group() as tasks:
            if self._with_starters:
                self._installing = set(unregistered_starters(service.data_dir))
                self._late = set(self._installing)
                tasks.start_soon(self._guarded, self._bring_starters, service)
            example_is_over = anyio.Event()

            async def show_example() -> None:
                await self._guarded(self._show_example, service, run)
                example_is_over.set()

            tasks.start_soon(show_example)
            with anyio.move_on_after(_EXAMPLE_WITHIN_S):
                await example_is_over.wait()
            if self._stays:
                await self._guarded(self._show_doors, service, run)

    async def _guarded(self, show: Callable[..., Awaitable[None]], *given: object) -> None:
        try:
            await show(*given)
        except Exception as error:  # noqa: BLE001 - the service serves even if the example fails
            log.warning("welcome_failed", error=str(error))
            self.step(f"{error}", "qm doctor")

    async def _show_origins(self, service: Service) -> None:
        """Shows the servers that were registered before this start."""
        known = _callable(await service.database.call(api.list_origins(), service.worker))
        if known:
            out.print()
            print_table(
                ("server", "status", "items"),
                [(o["name"], o["status"], tallied(o["items"])) for o in known],
            )
        for origin in known:
            self._tell_failure(origin)

    async def _bring_starters(self, service: Service) -> None:
        origins = await service.database.call(api.list_origins(), service.worker)
        listed = {origin["name"] for origin in origins}
        for name in sorted(listed.intersection(former_starters(service.data_dir))):
            self.step(
                f"{name} is no starter server any more. It stays.", f"qm origin remove {name}"
            )
        if self._installing:
            self.step(f"installing the starter servers {', '.join(self._starters_late())}")
        await self._tell_installing(service)
        installer = Installer(service.data_dir)
        results, received = anyio.create_memory_object_stream[StarterResult](math.inf)
        loop = asyncio.get_running_loop()

        def hand_over(result: StarterResult) -> None:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                results.send_nowait(result)

        def done(result: StarterResult) -> None:
            loop.call_soon_threadsafe(hand_over, result)

        async def install() -> None:
            with results:
                try:
                    await anyio.to_thread.run_sync(installer.install, done, abandon_on_cancel=True)
                finally:
                    installer.stop()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(install)
            async for result in received:
                tasks.start_soon(self._settle, service, result)

    def _starters_late(self) -> list[str]:
        return [starter.name for starter in load_starters() if starter.name in self._late]

    async def _settle(self, service: Service, result: StarterResult) -> None:
        """Registers a starter, waits until its tools are read, and prints the outcome."""
        try:
            is_new = await register_starter(service, result)
            self._installing.discard(result.name)
            await self._tell_installing(service)
            if result.reason is not None and result.name in self._late:
                self._tell(f"{result.name}: left out", result.reason, result.remedy or "")
            elif is_new:
                await self._tell_new(service, result.name)
        except QmError as error:
            self._tell(f"{result.name}: failing", error.message, "qm doctor")
        finally:
            self._installing.discard(result.name)
            self._late.discard(result.name)

    async def _tell_installing(self, service: Service) -> None:
        # Otherwise an earlier number could arrive later, and stay.
        async with self._telling:
            await tell_installing(service, len(self._installing))

    async def _tell_new(self, service: Service, name: str) -> None:
        with anyio.move_on_after(_READ_WITHIN_S):
            while True:
                rows = await service.database.call(api.list_origins(), service.worker)
                origin = next((row for row in rows if row["name"] == name), None)
                if origin is None:
                    return
                if origin["status"] == _READY_STATUS:
                    self.step(
                        f"{name}: ready, {counted(origin['items'].get(kinds.TOOL, 0), 'tool')}"
                    )
                    return
                if self._tell_failure(origin):
                    return
                await anyio.sleep(_LOOK_S)
        self._tell(f"{name}: failing", "its tools are still being read", f"qm origin show {name}")

    def _tell_failure(self, origin: Row) -> bool:
        """Prints why a server fails; returns whether it fails."""
        name, failure = origin["name"], origin["failure"]
        if origin["status"] != "failing":
            return False
        command = _LOOK_AT.get(origin["failure_class"], "qm origin show {name}")
        reason = str(failure).removeprefix(f"Upstream {name!r} ")
        self._tell(f"{name}: failing", reason, command.format(name=shlex.quote(name)))
        return True

    def _tell(self, what: str, reason: str, command: str) -> None:
        """Prints a failure. A reason that was already printed is not repeated."""
        if reason in self._report:
            self.step(f"{what}, too")
            return
        self._report.add(reason)
        self._remedies.append(command)
        self.step(f"{what}: {reason.rstrip('.')}.", command)

    async def _show_example(self, service: Service, run: paths.RunFile) -> None:
        left = list(EXAMPLES)
        while example := await self._next_example(service, left):
            left.remove(example)
            try:
                if await self._show(example, service, run):
                    self.has_failed = False
                    return
            except QmError as error:
                log.warning("example_failed", tool=example.tool, error=str(error))
        known = _callable(await service.database.call(api.list_origins(), service.worker))
        self.has_failed = _READY_STATUS not in {o["status"] for o in known} and bool(
            known or self._report
        )
        if self.has_failed:
            remedy = self._remedies[0] if self._remedies else "qm doctor"
            self.step("No server works, so there is no example.", remedy)

    async def _next_example(
        self, service: Service, left: Sequence[SampleGoal]
    ) -> SampleGoal | None:
        """Waits for, and returns, the first example whose server is ready; None if no server of an
        example will be ready.
        """
        found_at = math.inf
        while True:
            late = set(self._late)
            ready = await self._ready(service)
            usable = [example for example in left if example.server in ready]
            better = left[: left.index(usable[0])] if usable else left
            is_better_late = any(example.server in late for example in better)
            if not usable and not is_better_late:
                return None
            if usable:
                found_at = min(found_at, time.monotonic())
                waits_for_better = is_better_late and time.monotonic() - found_at < _BETTER_WITHIN_S
                waits_for_vectors = time.monotonic() - found_at < _EMBEDDED_WITHIN_S and (
                    await self._are_tools_unembedded(service)
                )
                if not (waits_for_better or waits_for_vectors):
                    return usable[0]
            await anyio.sleep(_LOOK_S)

    async def _ready(self, service: Service) -> set[str]:
        origins = await service.database.call(api.list_origins(), service.worker)
        return {o["name"] for o in origins if o["status"] == _READY_STATUS}

    async def _are_tools_unembedded(self, service: Service) -> bool:
        status = await service.database.call_value(api.status(), service.worker)
        return status["unembedded_by_kind"].get(kinds.TOOL, 0) > 0

    async def _show(self, example: SampleGoal, service: Service, run: paths.RunFile) -> bool:
        """Searches for the goal of an example, calls its tool, and prints both; returns whether
        this worked.
        """
        home = str(home_of(service.data_dir, example.server))
        arguments = {
            name: value.replace("{home}", home) for name, value in example.arguments.items()
        }
        async with connect(run) as client:
            found = await client.call_tool(SEARCH_TOOLS, {"query": example.goal})
            offered = cast("dict[str, list[Row]]", found.structured_content or {})["tools"]
            given = {"name": example.tool, "arguments": arguments}
            called = await client.call_tool(CALL_TOOL, given)
        if called.is_error or example.tool not in [tool["name"] for tool in offered]:
            log.warning("example_failed", tool=example.tool, error=_text(called))
            return False
        out.print(f"\n[bold]Goal:[/] {example.goal}", highlight=False)
        print_table(
            ("rank", "tool", "score", "brief"),
            [(t["rank"], t["name"], f"{t['score']:.2f}", t["brief"]) for t in offered],
        )
        call = escape(f"{example.tool} {json.dumps(arguments)}")
        out.print(f"[bold]Call:[/] {call}", soft_wrap=True)
        out.print(f"[bold]Result:[/] {escape(harmless(_text(called)))}\n")
        return True

    async def _show_doors(self, service: Service, run: paths.RunFile) -> None:
        late = self._starters_late()
        self.step(f"ready; still to come: {', '.join(late)}" if late else "ready")
        ready = await self._ready(service)
        goals = [goal for goal, tool in HINTS.items() if tool.partition("__")[0] in ready]
        # Most shells do not find the `qm` of a clone.
        program = " ".join([*repeated(), shlex.quote(str(_PROGRAM))])
        doors = {} if _is_command() else {"Command": f"alias qm={shlex.quote(program)}"}
        doors |= {
            "MCP": f"{run.url}/mcp   (key: qm key create NAME, or qm connect)",
            "Connect": "qm connect claude-code   (or claude, cursor, vscode)",
        }
        if goals:
            doors["Search"] = f"qm search '{goals[0]}'"
            # Where the database is shared, its search_path is that of others.
            schema = "" if await self._has_own_database(service) else "api."
            select = f"select * from {schema}select_tools('{goals[:2][-1]}')"  # noqa: S608
            doors["psql"] = f'qm psql --admin -c "{select}"'
        doors["Log"] = str(service.data_dir / "log" / "service.log")
        doors["Stop"] = f"Ctrl-C, or send SIGTERM to process {run.pid}"
        out.print()
        for door, how in doors.items():
            line = f"[bold]{door:8}[/] {escape(pasteable(how))}"
            out.print(line, highlight=False, soft_wrap=True)

    async def _has_own_database(self, service: Service) -> bool:
        capabilities = await service.database.call(api.list_capabilities(), service.worker)
        return any(row["name"] == "own_database" and row["installed"] for row in capabilities)


def _is_command() -> bool:
    """Returns whether the command ``qm`` on this PATH starts this installation."""
    found = shutil.which("qm")
    return found is not None and Path(found).resolve() == _PROGRAM.resolve()


def _callable(origins: Sequence[Row]) -> Sequence[Row]:
    """Returns the origins that can be called. Leaves out built-in origins, and origins that have no
    connection.
    """
    return [origin for origin in origins if origin["transport"] not in {"none", "built-in"}]


def _text(result: CallToolResult) -> str:
    parts = [part.text for part in result.content if isinstance(part, TextContent)]
    return "\n".join(parts).strip() or json.dumps(result.structured_content)
