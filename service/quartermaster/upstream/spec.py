"""The data that the service needs in order to reach one upstream MCP server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import httpx2

from quartermaster.core.errors import QmError
from quartermaster.upstream.confinement import SandboxProfile
from quartermaster.upstream.tls import TlsSettings

Transport = Literal["stdio", "http", "sse"]


class Authoriser(Protocol):
    """A source of bearer tokens for one upstream. Equal sources return equal tokens."""

    async def token(self, rejected: str | None = None) -> str:
        """Returns a token that is valid now.

        Args:
            rejected: token that the upstream rejected; the result must be a different token.

        Raises:
            UpstreamError: QM502 upstream_auth, with what the user has to do; QM502 upstream_network
                if a token may be available later.
        """
        ...


class Authorised(httpx2.AsyncBaseTransport):
    """Adds the bearer token to each request. It is part of an HTTP client that sends requests only
    to this upstream, so no other server gets the token.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, authoriser: Authoriser) -> None:
        self._inner = inner
        self._authoriser = authoriser

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends a request, and sends it once more with another token if the upstream rejects the
        token.

        Raises:
            UpstreamError: the errors of `Authoriser.token`.
            httpx2.TransportError: the transport failed.
        """
        token = await self._authoriser.token()
        response = await self._send(request, token)
        if response.status_code != 401:
            return response
        await response.aclose()
        return await self._send(request, await self._authoriser.token(rejected=token))

    async def _send(self, request: httpx2.Request, token: str) -> httpx2.Response:
        request.headers["Authorization"] = f"Bearer {token}"
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._inner.aclose()


@dataclass(frozen=True, slots=True)
class OriginSpec:
    """The definition of an upstream server: how it is started or addressed, and its limits.

    Specs that compare equal share one connection; a changed spec causes a new connection.

    Attributes:
        id: id of the origin in the catalog.
        name: unique name of the origin in the catalog.
        revision: number of this definition of the origin; a server whose definition changes is
            started again.
        command: program and its arguments (stdio).
        url: URL of the endpoint (http, sse).
        env: environment variables for the program, with resolved secrets; the program inherits only
            a few harmless variables in addition.
        headers: HTTP headers for every request, with resolved secrets.
        authoriser: source of the bearer token for each HTTP request; None if the headers suffice.
        cwd: working directory of the program; None means its home.
        profile: home of a stdio server, and the files and network that it may use; None runs the
            server unconfined, as the service's user.
        unconfined: whether the server may run as the service's user if this machine cannot confine
            it.
        connect_timeout_s: time limit for start, connection and handshake. Old servers that ignore
            the discovery request of newer protocol revisions need at least 10 s. Each progress of a
            stdio server during its start restarts this time limit. A call does not wait longer than
            this for a start.
        longest_start_s: time limit for the whole start of a stdio server that makes progress, such
            as a download.
        start_limit_s: time limit for a start of this origin. It replaces `connect_timeout_s` and
            `longest_start_s`; None if these two apply.
        list_timeout_s: time limit for all pages of one listing.
        call_timeout_s: time limit for one tool call, and for the wait for a free slot.
        max_concurrency: largest number of calls in flight at the same time.
        max_queue: largest number of calls that wait for a slot; further calls are refused as busy.
        idle_stop_s: idle time after which a stdio server is stopped; 0 means never.
        max_memory_mb: memory limit in MiB for a stdio server and all its processes; 0 means no
            limit.
        max_processes: largest number of processes of a stdio server; 0 means no limit.
        max_open_files: maximum number of files that each of these processes may open; 0 means no
            limit.
        networks: networks, in CIDR notation, to which connections are allowed although they are not
            public.
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
    profile: SandboxProfile | None = None
    unconfined: bool = False
    tls: TlsSettings = field(default_factory=TlsSettings)
    connect_timeout_s: float = 30.0
    longest_start_s: float = 300.0
    start_limit_s: float | None = None
    list_timeout_s: float = 30.0
    call_timeout_s: float = 60.0
    max_concurrency: int = 16
    max_queue: int = 256
    idle_stop_s: float = 0.0
    max_memory_mb: int = 0
    max_processes: int = 0
    max_open_files: int = 0
    revision: int = 1
    networks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.transport == "stdio" and not self.command:
            raise self._invalid("a command", "Give the program to start and its arguments.")
        if self.transport != "stdio" and not self.url:
            raise self._invalid("a URL", "Give the http or https address of the server's endpoint.")

    def _invalid(self, lacking: str, hint: str) -> QmError:
        message = f"The origin {self.name!r} with the transport {self.transport} needs {lacking}."
        return QmError(422, "origin_invalid", message, hint)
