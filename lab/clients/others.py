"""Clients that are no program with a model: FastMCP, which searches for the model, VS Code, whose
search is restated, and a model that reads all definitions, because its client has no search.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import fastmcp
import numpy as np
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.server.transforms.search import BM25SearchTransform
from fastmcp.tools import Tool

from lab.clients.conversations import WORDINGS, Found, known, read_ours, worded
from lab.clients.desks import Desk
from lab.comparisons.rivals import Bm25
from quartermaster.clients.own_entry import SERVER
from quartermaster.doors.mcp.bridge_tools import SEARCH_TOOLS
from quartermaster.models.convert import PUBLISHED_MODEL
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.registry import load_embedding
from tests.clients.programs import Address
from tests.support.model import cached_model_dir

BEST: Final = 5
Answers = dict[tuple[str, str], Found]
Json = dict[str, Any]
# What clients put before the names of tools of servers, and before those of our list.
_PREFIXES: Final = ("", SERVER, "mcp", f"mcp{SERVER}")


@dataclass(frozen=True)
class ListedDefinitions:
    """What a client of FastMCP lists.

    Attributes:
        tools: definitions, as the protocol writes them.
        instructions: of the server, if it is one.
    """

    tools: Sequence[Json]
    instructions: str = ""

    @property
    def characters(self) -> int:
        """How many characters a model would read."""
        text = json.dumps(self.tools, ensure_ascii=False, separators=(",", ":"))
        return len(text) + len(self.instructions)


async def list_all(servers: Mapping[str, Address]) -> ListedDefinitions:
    """Returns the tools of servers; with the name of the server before them, if there are several
    servers.
    """
    if len(servers) == 1:
        [one] = servers.values()
        target: Any = StreamableHttpTransport(one.url, dict(one.headers))
    else:
        target = {"mcpServers": {name: {"url": one.url} for name, one in servers.items()}}
    async with fastmcp.Client(target) as client:
        return await _listed(client)


async def search_ours(desk: Desk, ours: Address) -> tuple[ListedDefinitions, Answers]:
    """Asks our search for all goals of a desk with FastMCP's client."""
    target = StreamableHttpTransport(ours.url, dict(ours.headers))
    async with fastmcp.Client(target) as client:
        listed, found = await _listed(client), Answers()
        for task in desk.tasks:
            answer = await client.call_tool_mcp(SEARCH_TOOLS, {"goal": task.goal})
            text = json.dumps(answer.structured_content, separators=(",", ":"))
            found[task.key, WORDINGS[0]] = read_ours(text, desk.ids)
        return listed, found


async def search_fastmcp(desk: Desk, tools: Sequence[Json]) -> tuple[ListedDefinitions, Answers]:
    """Asks FastMCP's own search for all goals of a desk.

    A proxy would list all servers anew for each search, which takes a second, so the definitions
    are given.
    """
    server = fastmcp.FastMCP("tools")
    for tool in tools:
        description: str | None = tool.get("description")
        server.add_tool(
            Tool(name=tool["name"], description=description, parameters=tool["inputSchema"])
        )
    server.add_transform(BM25SearchTransform(max_results=BEST))
    async with fastmcp.Client(server) as client:
        listed, found = await _listed(client), Answers()
        for wording in WORDINGS:
            for task in desk.tasks:
                query = worded(task.goal, wording)
                names = _names(await client.call_tool_mcp(SEARCH_TOOLS, {"query": query}))
                ids = tuple(known(names, desk.ids, _PREFIXES))
                found[task.key, wording] = Found(ids, not names)
        return listed, found


def restated_vs_code(desk: Desk, tools: Sequence[Json]) -> Answers:
    """Ranks as VS Code does, restated: by the cosine of the goal with name and description. Its own
    embeddings are not to be had; those of the published MiniLM stand in.
    """
    model = _published()
    matrix = model.embed([f"{one['name']}\n\n{one.get('description') or ''}" for one in tools])

    def rank(goal: str) -> list[int]:
        [vector] = model.embed([goal])
        return np.argsort(-(matrix @ vector), kind="stable")[:BEST].tolist()

    return _ranked(desk, tools, rank, WORDINGS[:1])


def picked(desk: Desk, tools: Sequence[Json]) -> Answers:
    """Picks as a model might that reads all definitions: by BM25 over names, descriptions and
    parameters.
    """
    definitions: list[Json] = [
        {**one, "input_schema": one.get("inputSchema") or one.get("parametersJsonSchema")}
        for one in tools
    ]
    names = [str(one["name"]) for one in tools]
    bm25 = Bm25(replace(desk.gold.items, ids=names, definitions=definitions))
    none = np.zeros(1, dtype=np.float32)
    return _ranked(desk, tools, lambda goal: bm25.search(goal, none, BEST), WORDINGS)


def _ranked(
    desk: Desk, tools: Sequence[Json], rank: Callable[[str], list[int]], wordings: Sequence[str]
) -> Answers:
    found = Answers()
    for task in desk.tasks:
        for wording in wordings:
            names = [str(tools[at]["name"]) for at in rank(worded(task.goal, wording))]
            found[task.key, wording] = Found(tuple(known(names, desk.ids, _PREFIXES)), not names)
    return found


async def _listed(client: fastmcp.Client[Any]) -> ListedDefinitions:
    tools = await client.list_tools()
    greeting = client.initialize_result
    written = [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in tools]
    return ListedDefinitions(written, (greeting.instructions if greeting else None) or "")


def _names(answer: Any) -> Sequence[str]:
    content: Json = answer.structured_content
    rows: list[Json] = content["result"]
    return [str(row["name"]) for row in rows]


@cache
def _published() -> EmbeddingModel:
    place = cached_model_dir(model=PUBLISHED_MODEL)
    return load_embedding(place, place.parents[1], len(os.sched_getaffinity(0)))
