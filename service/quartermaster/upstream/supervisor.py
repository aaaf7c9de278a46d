"""Manages the upstreams of a service: connects them on first use, and disconnects them when the
service stops.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal

import anyio
from anyio.abc import TaskGroup

from quartermaster.core.fair_queue import KEPT_FREE, FairQueue
from quartermaster.upstream import upstream_requests
from quartermaster.upstream.breakers import Breakers
from quartermaster.upstream.confinement import confinement
from quartermaster.upstream.connection import OnListChanged, OnResourceUpdated, UpstreamConnection
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.link import LinkMemory
from quartermaster.upstream.listing import MAX_TOOLS, ToolListing
from quartermaster.upstream.origins import Origins
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.upstream_requests import CallResult

# Each of the three steps (closing stdin, SIGTERM, SIGKILL) takes up to 2 s.
_SHUTDOWN_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class UpstreamState:
    """The state of one upstream.

    Attributes:
        state: ``idle`` before the first use, then ``connecting``, ``connected`` or ``down``.
        since: time when the upstream entered this state, in UTC.
        pid: process id of a stdio upstream that is running.
        protocol_version: protocol version that was negotiated on the current or last connection.
        in_flight: number of listings and calls that are running or waiting for the connection.
        waiting: number of listings and calls that are waiting because the upstream's limit is
            reached.
        last_error: text of the last connection failure or connection loss.
        start: while the upstream is being connected: what it does (``doing``), for how many
            ``seconds``, and the last line that it has written (``said``); otherwise None.
        confinement: how a stdio upstream is confined (`Confinement.as_dict`); None for others.
    """

    state: Literal["idle", "connecting", "connected", "down"]
    since: datetime
    pid: int | None
    protocol_version: str | None
    in_flight: int
    waiting: int
    last_error: str | None
    confinement: dict[str, str] | None = None
    start: dict[str, Any] | None = None


def state_of(held: UpstreamConnection, started: datetime) -> UpstreamState:
    """Returns the state of one connection.

    Args:
        held: connection to describe.
        started: time from which the upstream counts as idle if the connection was never used.
    """
    link = held.link
    return UpstreamState(
        state=link.state if link else "idle",
        since=link.since if link else started,
        pid=link.pid if link else None,
        protocol_version=link.protocol_version if link else None,
        in_flight=held.in_flight,
        waiting=held.admission.queue.waiting,
        last_error=held.last_error.message if held.last_error else None,
        confinement=confinement().as_dict() if held.spec.profile is not None else None,
        start=link.start.as_dict() if link is not None and link.state == "connecting" else None,
    )


@dataclass(eq=False, kw_only=True)
class Supervisor:
    """Keeps one connection per upstream name. It must be entered and left in the same task.

    A spec that differs from the previous spec with the same name replaces the connection. Calls in
    flight finish on the old connection.

    Attributes:
        on_list_changed: awaited with the spec of an upstream when its tools have changed.
        max_tools: largest number of tools that are taken from one upstream.
        kept_free: share of the slots of an upstream that a principal who has a slot leaves to the
            others; see `Shares`.
    """

    on_list_changed: OnListChanged | None = None
    max_tools: int = MAX_TOOLS
    kept_free: float = KEPT_FREE
    _connections: dict[str, UpstreamConnection] = field(
        default_factory=dict[str, UpstreamConnection], init=False
    )
    # Some upstreams support both handshake clients and stateless clients. Such an upstream has a
    # second connection here for handshake clients. Upstreams that support only stateless clients
    # are listed by name.
    _mirrors: dict[str, UpstreamConnection] = field(
        default_factory=dict[str, UpstreamConnection], init=False
    )
    _only_stateless: set[str] = field(default_factory=set[str], init=False)
    _listeners: list[OnResourceUpdated] = field(default_factory=list[OnResourceUpdated], init=False)
    _tasks: TaskGroup = field(default_factory=anyio.create_task_group, init=False)
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack, init=False)
    _started: datetime = field(default_factory=lambda: datetime.now(UTC), init=False)

    async def __aenter__(self) -> Supervisor:
        await self._stack.enter_async_context(self._tasks)
        return self

    async def __aexit__(self, *raised: Any) -> bool | None:
        # The shutdown is shielded from cancellation, because even a cancelled service must not
        # leave processes behind.
        with anyio.move_on_after(_SHUTDOWN_S, shield=True):
            async with anyio.create_task_group() as closing:
                for name in {*self._connections, *self._mirrors}:
                    closing.start_soon(self.close, name)
        self._tasks.cancel_scope.cancel()
        return await self._stack.__aexit__(*raised)

    async def list_tools(self, spec: OriginSpec) -> ToolListing:
        """Lists all items of an upstream, and reads its description of itself.

        Raises:
            UpstreamError: see `failure.UpstreamError`; it never affects another upstream.
        """
        return await upstream_requests.list_tools(self._connection(spec), self.max_tools)

    async def call(
        self,
        spec: OriginSpec,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
    ) -> CallResult:
        """Calls one tool and returns its complete result, which can be an error from the tool
        (``is_error``).

        Args:
            name: name of the tool without its origin.
            timeout_s: see `upstream_requests.request`.

        Raises:
            UpstreamError: see `upstream_requests.request`; `sent` tells whether the tool may
                have run.
        """
        params = {"name": name, "arguments": dict(arguments or {})}
        result = await upstream_requests.request(
            self._connection(spec), "tools/call", params, timeout_s=timeout_s
        )
        return upstream_requests.parsed_call(spec.name, result)

    async def reach(self, spec: OriginSpec, *, handshake: bool) -> UpstreamConnection:
        """Returns the connection for a client of one protocol era (handshake or stateless).

        If an upstream supports both eras, the connection uses the client's era, so that the client
        understands the upstream's questions and messages. A stdio upstream is a single process, so
        all its clients use the same era.

        Args:
            spec: spec of the upstream.
            handshake: whether the client speaks a revision with handshake.

        Raises:
            UpstreamError: the upstream must be connected to find out which eras it supports, but
                cannot be connected.
        """
        usual = self._connection(spec)
        if not handshake or spec.transport != "http" or spec.name in self._only_stateless:
            return usual
        if not (await usual.connected()).is_stateless:
            return usual
        mirror = self._held(self._mirrors, spec, handshake=True)
        try:
            await mirror.connected()
        except UpstreamError:
            # The other connection shows that the upstream is running, so it must have refused the
            # handshake.
            self._only_stateless.add(spec.name)
            return usual
        return mirror

    def on_resource_updated(self, tell: OnResourceUpdated) -> None:
        """Registers ``tell``, which is called with the upstream and URI of each updated watched
        resource.
        """
        self._listeners.append(tell)

    def retry_now(self, origin_id: int) -> None:
        """Ends the pause after failed attempts, so that the next use of an upstream connects
        immediately.
        """
        for held in (*self._connections.values(), *self._mirrors.values()):
            if held.spec.id == origin_id:
                held.backoff.forget()

    def states(self) -> dict[str, UpstreamState]:
        """Returns the state of each upstream that has been used so far, by name."""
        return {
            name: state_of(held, self._started) for name, held in sorted(self._connections.items())
        }

    def queues(self) -> list[FairQueue]:
        """Returns the queues in which calls wait for a slot, one for each connection."""
        connections = (*self._connections.values(), *self._mirrors.values())
        return [held.admission.queue for held in connections]

    def stderr_tail(self, name: str) -> str:
        """Returns the last 100,000 bytes that a stdio upstream wrote to its stderr, across
        restarts.
        """
        return held.memory.stderr.text() if (held := self._connections.get(name)) else ""

    async def close(self, name: str) -> None:
        """Disconnects and removes an upstream; calls in flight fail. Unknown names are ignored."""
        self._only_stateless.discard(name)
        for connections in (self._connections, self._mirrors):
            held = connections.pop(name, None)
            if held is not None:
                await held.close()

    def _connection(self, spec: OriginSpec) -> UpstreamConnection:
        return self._held(self._connections, spec, handshake=False)

    def _held(
        self, connections: dict[str, UpstreamConnection], spec: OriginSpec, *, handshake: bool
    ) -> UpstreamConnection:
        held = connections.get(spec.name)
        if held is not None and held.spec == spec:
            return held
        if held is not None:
            self._only_stateless.discard(spec.name)
            self._tasks.start_soon(held.close, held.spec.call_timeout_s)
        memory = _memory_for(spec, held)
        fresh = UpstreamConnection(
            spec,
            self._tasks,
            self.on_list_changed,
            self._resource_updated,
            handshake=handshake,
            kept_free=self.kept_free,
            memory=memory,
        )
        if held is not None and memory is not None:
            # Clients still watch what they watched.
            fresh.watched |= held.watched
        connections[spec.name] = fresh
        return fresh

    def _resource_updated(self, spec: OriginSpec, uri: str) -> None:
        for tell in self._listeners:
            tell(spec, uri)


def _memory_for(spec: OriginSpec, held: UpstreamConnection | None) -> LinkMemory | None:
    """Returns the data that a connection passes on to its successor. Returns None if more than the
    revision of the spec has changed.
    """
    if held is None or replace(held.spec, revision=spec.revision) != spec:
        return None
    return replace(held.memory)


@dataclass(frozen=True)
class Upstreams:
    """Everything that a process needs to use upstreams.

    Attributes:
        origins: how to reach each upstream.
        supervisor: supervisor of the live connections to the upstreams.
        breakers: breakers that stop calls to failing upstreams.
    """

    origins: Origins
    supervisor: Supervisor
    breakers: Breakers
