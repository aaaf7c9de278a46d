"""The path ``/mcp/transparent/ORIGIN``: a door for each origin, opened at its first request."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final, NoReturn

import anyio
from anyio.abc import TaskGroup
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from quartermaster.db import Principal
from quartermaster.doors.mcp.transparent import TransparentFront, face_of
from quartermaster.identity.authenticated import sender_of
from quartermaster.service import Service
from quartermaster.upstream import OriginSpec

_ADMITTED_S: Final = 5.0


@dataclass(eq=False)
class _Door:
    spec: OriginSpec
    front: TransparentFront
    manager: StreamableHTTPSessionManager
    open: anyio.Event = field(default_factory=anyio.Event)
    closed: anyio.Event = field(default_factory=anyio.Event)
    is_introduced: bool = False

    async def run(self) -> None:
        async with self.manager.run():
            self.open.set()
            await self.closed.wait()


class TransparentDoors:
    """The ASGI application behind the path; `run` must be running while it serves requests.

    Args:
        service: service to expose.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._doors: dict[str, _Door] = {}
        self._opening = anyio.Lock()
        self._tasks: TaskGroup | None = None
        # The time until which a principal's access to the origin is cached; the rights to each item
        # are always checked.
        self._admitted: dict[tuple[Principal, str], tuple[int, float]] = {}

    def catalog_changed(self) -> None:
        """To be called after tools were added, changed or removed; never blocks."""
        self._admitted.clear()
        for door in self._doors.values():
            door.is_introduced = False
            door.front.announcer.catalog_changed()

    async def run(self) -> NoReturn:
        """Keeps the doors open until cancelled."""
        async with anyio.create_task_group() as self._tasks:
            await anyio.sleep_forever()
        raise AssertionError("it runs until cancelled")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises QM404 origin_not_found, and the errors of Origins.spec and `face_of`."""
        request = Request(scope)
        door = await self._door(sender_of(request), request.path_params["origin"])
        await StreamableHTTPASGIApp(door.manager)(scope, receive, send)

    async def _door(self, principal: Principal, origin: str) -> _Door:
        origin_id = await self._admit(principal, origin)
        spec = await self._service.upstreams.origins.spec(origin_id, principal)
        door = self._doors.get(spec.name)
        if door is None or door.spec != spec:
            async with self._opening:
                door = self._doors.get(spec.name)
                if door is None or door.spec != spec:
                    door = await self._open(origin, spec, door)
        if not door.is_introduced:
            # The flag is set before the request, so that a change in the meantime causes another
            # request.
            door.is_introduced = True
            try:
                await door.front.introduce()
            except BaseException:
                door.is_introduced = False
                raise
        return door

    async def _admit(self, principal: Principal, origin: str) -> int:
        origin_id, until = self._admitted.get((principal, origin), (0, 0.0))
        if time.monotonic() < until:
            return origin_id
        origin_id = await self._service.database.call_value("find_origin", principal, name=origin)
        self._admitted[principal, origin] = (origin_id, time.monotonic() + _ADMITTED_S)
        return origin_id

    async def _open(self, origin: str, spec: OriginSpec, former: _Door | None) -> _Door:
        front = TransparentFront(self._service, origin, await face_of(self._service, spec))
        if former is not None:
            former.closed.set()
        door = _Door(spec, front, front.server.over_http(self._service.settings.server))
        assert self._tasks is not None
        self._tasks.start_soon(door.run)
        await door.open.wait()
        self._doors[spec.name] = door
        return door
