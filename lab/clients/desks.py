"""The desks as MCP servers: one process that serves each server of a desk at a path of its own.

A desk is what one person has connected. Its tools do nothing here: a call answers with its name.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Generator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import mcp_types as types
from mcp.server.lowlevel import Server
from starlette.applications import Starlette
from starlette.routing import Mount

from lab.comparisons.retrieval_sets import FOLDER
from quartermaster.core.kinds import TOOL
from quartermaster.eval.gold import GoldSet, Task
from quartermaster.eval.running import UNSERVED_FILE, read_gold
from quartermaster.settings.settings import Settings
from tests.clients.stand_in import served

DESKS: Final = ("dev1", "dev2", "dev3", "dev4")
SHORTENED: Final = 8
"""A name that Quartermaster has shortened ends in so many digits."""
_LONGEST_SLUG: Final = 24
_LONGEST_NAME: Final = 44
Json = dict[str, Any]


@dataclass(frozen=True)
class Desk:
    """A desk.

    Attributes:
        gold: its tools, and the goals: those that a tool serves, and those for which no tool does
            even a part.
        servers: the tools of each server by the name that its user gave it, each with its id.
    """

    gold: GoldSet
    servers: Mapping[str, tuple[Json, ...]]

    @property
    def tasks(self) -> list[Task]:
        """The goals."""
        return self.gold.tasks

    @cached_property
    def ids(self) -> dict[str, str]:
        """The id of each tool by the names of its server and of itself, also as Quartermaster
        shortens them (`catalog.origin_slug`, `catalog.callable_name`). Clients and gateways join
        and spell the two names in their own ways, so only the letters and digits count.
        """
        found: dict[str, str] = {}
        for server, tools in self.servers.items():
            for tool in tools:
                for name in (server, _slug(server)):
                    found[plain(f"{name}{tool['name']}")] = str(tool["id"])
                digest = sha256(f"{server}/{tool['name']}".encode()).hexdigest()
                found[digest[:SHORTENED]] = str(tool["id"])
        return found


def plain(name: str) -> str:
    """Returns only the letters and digits of a name."""
    return re.sub(r"[^A-Za-z0-9]", "", name)


def listed_name(server: str, tool: str) -> str:
    """Returns the name of a tool in our list (`catalog.callable_name`)."""
    name = f"{_slug(server)}__{tool}"
    if len(name) <= _LONGEST_NAME:
        return name
    digest = sha256(f"{server}/{tool}".encode()).hexdigest()[:SHORTENED]
    return f"{name[: _LONGEST_NAME - SHORTENED - 1]}_{digest}"


def read_desk(name: str, folder: Path = FOLDER / "desks") -> Desk:
    """Reads a desk.

    Args:
        name: of its folder.
        folder: of the desks.
    """
    place = folder / name
    [gold] = read_gold(Settings(), [place], None, limit=None, kind=TOOL)
    partly = {row["id"] for row in _lines(place / UNSERVED_FILE) if row["partly"]}
    tasks = [task for task in gold.tasks if task.needs or task.key not in partly]
    servers: dict[str, list[Json]] = {}
    for tool in _lines(place / "tools.jsonl"):
        servers.setdefault(_given_name(tool["origin"]), []).append(tool)
    return Desk(
        GoldSet(name, gold.items, tasks), {key: tuple(tools) for key, tools in servers.items()}
    )


@contextmanager
def serving(servers: Mapping[str, Iterable[Json]]) -> Generator[dict[str, str]]:
    """Serves tools; yields the address of each server.

    Args:
        servers: the tools of each server.
    """
    apps = [
        _server(name, tools).streamable_http_app(json_response=True)
        for name, tools in servers.items()
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            for app in apps:
                await stack.enter_async_context(app.router.lifespan_context(app))
            yield

    # A path with a name in it may look like one with a key.
    routes = [Mount(f"/{number}", app) for number, app in enumerate(apps)]
    with served(Starlette(routes=routes, lifespan=lifespan)) as url:
        yield {name: f"{url}/{number}/mcp" for number, name in enumerate(servers)}


def _server(name: str, tools: Iterable[Json]) -> Server[Any]:
    listed = [
        types.Tool(
            name=tool["name"],
            description=tool.get("description"),
            input_schema=tool.get("input_schema") or {"type": "object"},
        )
        for tool in tools
    ]

    async def list_tools(*_: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        done = types.TextContent(type="text", text=f"{params.name} is done.")
        return types.CallToolResult(content=[done])

    return Server(name, on_list_tools=list_tools, on_call_tool=call_tool)


def _given_name(origin: str) -> str:
    """Returns what somebody would call the server ``toucan:cf_1841.@ADEOSec_mcp-shodan``."""
    name = re.sub(r"^[a-z-]+:(cf_\d+\.)?@?", "", origin)
    last = name.rpartition("/")[2]
    return re.sub(r"[^a-z0-9]+", "-", (name if last == "mcp" else last).lower()).strip("-")


def _slug(server: str) -> str:
    if len(server) <= _LONGEST_SLUG:
        return server
    return f"{server[:17].strip('_-')}-{sha256(server.encode()).hexdigest()[:6]}"


def _lines(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
