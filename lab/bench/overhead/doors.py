"""A door: where clients of one arm knock, over HTTP or stdio."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal, TextIO, cast

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.support.instance import descendants

Transport = Literal["stdio", "http"]
Era = Literal["legacy", "auto"]
_TIMEOUT_S = 60


@dataclass(frozen=True)
class ArmEndpoint:
    """How a client reaches the upstream's `echo` through one arm.

    Attributes:
        tool: the name that `echo` has there.
        through: the tool that calls it, where it is not called by its name.
        url: of its endpoint; empty over stdio.
        headers: of every HTTP request.
        command: what a client starts, over stdio.
        environment: of that command.
        roots: process ids of what stands between, apart from what the client starts.
    """

    tool: str = "echo"
    through: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    command: Sequence[str] = ()
    environment: Mapping[str, str] | None = None
    roots: frozenset[int] = frozenset()

    @property
    def transport(self) -> Transport:
        """Of the client's side."""
        return "http" if self.url else "stdio"


@dataclass(frozen=True)
class Visitor:
    """A connected client, and the processes between it and the upstream."""

    client: Client
    door: ArmEndpoint
    roots: frozenset[int]

    async def call(self) -> None:
        """One call of `echo`; what comes back has to be right."""
        name, arguments = self.door.tool, {"text": "x"}
        if self.door.through:
            arguments = {"name": name, "arguments": arguments}
            name = self.door.through
        result = await self.client.call_tool(name, arguments)
        assert [getattr(part, "text", None) for part in result.content] == ["x"], (
            f"{name} answers {result.content}"
        )


@asynccontextmanager
async def visit(door: ArmEndpoint, era: Era) -> AsyncGenerator[Visitor]:
    """Provides a client of the official SDK at the door.

    Args:
        door: where.
        era: ``legacy`` speaks the handshake revisions, ``auto`` the newest that is understood.
    """
    if door.url:
        async with (
            httpx2.AsyncClient(
                headers=dict(door.headers), timeout=_TIMEOUT_S, trust_env=False
            ) as http,
            Client(streamable_http_client(door.url, http_client=http), mode=era) as client,
        ):
            yield Visitor(client, door, door.roots)
        return
    before = descendants(os.getpid())
    program, *arguments = door.command
    server = StdioServerParameters(
        command=program,
        args=arguments,
        env=None if door.environment is None else dict(door.environment),
    )
    async with (
        await anyio.open_file(os.devnull, "w") as unheard,
        Client(stdio_client(server, errlog=cast("TextIO", unheard.wrapped)), mode=era) as client,
    ):
        started = descendants(os.getpid()) - before
        yield Visitor(client, door, door.roots | started)
