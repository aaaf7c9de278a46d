"""The data that the service needs to reach one upstream MCP server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from quartermaster.core.errors import QmError
from quartermaster.upstream.authorised import Authoriser
from quartermaster.upstream.tls import TlsSettings

Transport = Literal["stdio", "http", "sse"]


@dataclass(frozen=True, slots=True)
class OriginSpec:
    """One upstream server: how to start or address it, and its limits.

    Two specs that compare equal are served by the same connection; a changed one reconnects.

    Attributes:
        id: number of the origin in the catalog.
        name: its name there, unique.
        command: program and arguments (stdio).
        url: endpoint (http, sse).
        env: variables for the program, secrets already resolved; only a few harmless ones are
            inherited beside them.
        headers: HTTP headers of every request, secrets already resolved.
        authoriser: has the bearer token of each HTTP request; None: the headers are all.
        cwd: working directory of the program; None means the service's own.
        connect_timeout_s: start, connect and handshake. Below 10 s an old server that ignores
            the discovery request of newer protocol revisions cannot be reached.
        list_timeout_s: all pages of one listing.
        call_timeout_s: one tool call, and the longest wait for a free place.
        max_concurrency: calls in flight at once.
        max_queue: calls that may wait for a place; more are refused as busy.
        idle_stop_s: a stdio server that nobody used for so long is stopped; 0: never.
        max_memory_mb: MiB that a stdio server and what it starts may hold; 0: any.
    """

    id: int
    name: str
    transport: Transport
    command: tuple[str, ...] = ()
    url: str | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    authoriser: Authoriser | None = field(default=None, repr=False)
    cwd: str | None = None
    tls: TlsSettings = field(default_factory=TlsSettings)
    connect_timeout_s: float = 30.0
    list_timeout_s: float = 30.0
    call_timeout_s: float = 60.0
    max_concurrency: int = 16
    max_queue: int = 64
    idle_stop_s: float = 0.0
    max_memory_mb: int = 0

    def __post_init__(self) -> None:
        if self.transport == "stdio" and not self.command:
            raise self._invalid("has no command", "Give the program to start and its arguments.")
        if self.transport != "stdio" and not self.url:
            raise self._invalid("has no URL", "Give the http or https address of its endpoint.")

    def _invalid(self, problem: str, hint: str) -> QmError:
        message = f"The {self.transport} origin {self.name!r} {problem}."
        return QmError(422, "origin_invalid", message, hint)
