"""All upstreams of one service: connected when first needed, all gone when it stops."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final, Literal

import anyio
from mcp.shared.dispatcher import ProgressFnT

from quartermaster.upstream.connection import Connection, OnListChanged
from quartermaster.upstream.operations import MAX_TOOLS, CallResult, ToolListing
from quartermaster.upstream.spec import OriginSpec

# Closing stdin, SIGTERM and SIGKILL have 2 s each.
_SHUTDOWN_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class UpstreamState:
    """What one upstream is doing.

    Attributes:
        state: ``idle`` before the first use, then ``connecting``, ``connected`` or ``down``.
        since: when it got into this state, UTC.
        pid: process id of a running stdio upstream.
        protocol_version: as negotiated on the current or last connection.
        in_flight: listings and calls running or waiting for the connection.
        last_error: the last failure to connect or loss of the connection, as text.
    """

    state: Literal["idle", "connecting", "connected", "down"]
    since: datetime
    pid: int | None
    protocol_version: str | None
    in_flight: int
    last_error: str | None


class Supervisor:
    """Holds one connection per upstream name; enter and leave it in the same task.

    A spec that differs from the one last seen under its name replaces the connection; calls in
    flight end on the old one.
    """

    def __init__(
        self,
        *,
        on_list_changed: OnListChanged | None = None,
        max_tools: int = MAX_TOOLS,
        shutdown_s: float = _SHUTDOWN_S,
    ) -> None:
        """Prepare.

        Args:
            on_list_changed: awaited with the spec of an upstream whose tools changed.
            max_tools: the most tools taken from one upstream.
            shutdown_s: longest time for all upstreams together to end.
        """
        self._on_list_changed = on_list_changed
        self._max_tools = max_tools
        self._shutdown_s = shutdown_s
        self._connections: dict[str, Connection] = {}
        self._tasks = anyio.create_task_group()
        self._stack = AsyncExitStack()
        self._started = datetime.now(UTC)

    async def __aenter__(self) -> Supervisor:
        await self._stack.enter_async_context(self._tasks)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        # Shielded: also a cancelled service may not leave processes behind.
        with anyio.move_on_after(self._shutdown_s, shield=True):
            async with anyio.create_task_group() as closing:
                for name in list(self._connections):
                    closing.start_soon(self.close, name)
        self._tasks.cancel_scope.cancel()
        return await self._stack.__aexit__(kind, error, trace)

    async def list_tools(self, spec: OriginSpec) -> ToolListing:
        """All tools of an upstream and what it says about itself.

        Raises:
            UpstreamError: see `failure.UpstreamError`; never hurts another upstream.
        """
        return await self._connection(spec).list_tools(self._max_tools)

    async def call(
        self,
        spec: OriginSpec,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        meta: Mapping[str, Any] | None = None,
        on_progress: ProgressFnT | None = None,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        timeout_s: float | None = None,
    ) -> CallResult:
        """Call one tool; the result is whole, errors of the tool (``is_error``) included.

        It is never sent twice unless the first sending cannot have reached the upstream.

        Args:
            name: the tool's own name, without the origin.
            meta: goes along as ``_meta``.
            on_progress: awaited with (progress, total, message) of each progress report.
            input_responses: answers to an earlier ``InputRequiredResult``, in wire form.
            request_state: the state that came with it.
            timeout_s: instead of the spec's ``call_timeout_s``; the same limit holds for the wait
                for a free place, and connecting has its own.

        Raises:
            UpstreamError: QM504 ``upstream_timeout``, QM429 ``upstream_busy``, else QM502
                ``upstream_KIND``; `sent` tells whether the tool may have run.
        """
        return await self._connection(spec).call(
            name,
            arguments,
            meta=meta,
            on_progress=on_progress,
            input_responses=input_responses,
            request_state=request_state,
            timeout_s=timeout_s,
        )

    def states(self) -> dict[str, UpstreamState]:
        """What each upstream used so far is doing, by name."""
        return {name: self._state(held) for name, held in sorted(self._connections.items())}

    def stderr_tail(self, name: str) -> str:
        """The last 100,000 bytes a stdio upstream wrote to its stderr, over its restarts too."""
        held = self._connections.get(name)
        return held.memory.stderr.text() if held else ""

    async def close(self, name: str) -> None:
        """Disconnect an upstream and forget it; calls in flight fail. Unknown names are fine."""
        held = self._connections.pop(name, None)
        if held is not None:
            await held.close()

    def _connection(self, spec: OriginSpec) -> Connection:
        held = self._connections.get(spec.name)
        if held is not None and held.spec == spec:
            return held
        if held is not None:
            self._tasks.start_soon(held.close, held.spec.call_timeout_s)
        fresh = Connection(spec, self._tasks, self._on_list_changed)
        self._connections[spec.name] = fresh
        return fresh

    def _state(self, held: Connection) -> UpstreamState:
        link = held.link
        return UpstreamState(
            state=link.state if link else "idle",
            since=link.since if link else self._started,
            pid=link.pid if link else None,
            protocol_version=link.protocol_version if link else None,
            in_flight=held.in_flight,
            last_error=held.last_error.message if held.last_error else None,
        )
