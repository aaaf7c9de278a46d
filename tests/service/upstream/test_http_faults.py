"""One broken HTTP exchange costs one call: the connection and its other calls go on."""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager

import anyio
import mcp_types as types
import pytest

from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Supervisor
from tests.support.origins import LOOPBACK
from tests.support.upstreams import LeafServer, leaf_server
from tests.support.waiting import LONGEST_S

pytestmark = pytest.mark.anyio


class Cutter:
    """A TCP relay that drops a connection as soon as a chosen text passes up through it."""

    def __init__(self, target: int, trigger: bytes) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.accepted = 0
        self._target = target
        self._trigger = trigger

    def serve(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            self.accepted += 1
            far = socket.create_connection(("127.0.0.1", self._target))
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with source, sink:
            try:
                while data := source.recv(2**16):
                    if self._trigger in data:
                        break
                    sink.sendall(data)
                for side in (source, sink):
                    side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


@contextmanager
def cut_at(server: LeafServer, trigger: bytes) -> Generator[tuple[OriginSpec, Cutter]]:
    """Provides the server seen through a relay that cuts what carries the trigger."""
    cutter = Cutter(server.port, trigger)
    thread = threading.Thread(target=cutter.serve, daemon=True)
    thread.start()
    path = "mcp" if server.transport == "http" else "sse"
    url = f"http://127.0.0.1:{cutter.port}/{path}"
    try:
        yield (
            OriginSpec(id=1, name="cut", transport=server.transport, url=url, networks=(LOOPBACK,)),
            cutter,
        )
    finally:
        # Only a shutdown wakes the thread that waits in accept.
        cutter.listener.shutdown(socket.SHUT_RDWR)
        cutter.listener.close()
        thread.join()


@pytest.mark.parametrize("transport", ["http", "sse"])
@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_broken_exchange_fails_its_own_call_only(
    supervisor: Supervisor, transport: str, era: str
) -> None:
    assert transport in {"http", "sse"}
    modes = ["legacy"] if era == "legacy" else []
    with leaf_server(transport, *modes) as server, cut_at(server, b"cut here") as (spec, _):  # pyright: ignore
        neighbour_failed = anyio.Event()

        async def calls_seen() -> int:
            result = await supervisor.call(spec, "counters")
            assert isinstance(result, types.CallToolResult)
            assert result.structured_content is not None
            return result.structured_content["calls"]

        async def neighbour() -> None:
            try:
                await supervisor.call(spec, "hang")
            except UpstreamError:
                neighbour_failed.set()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(neighbour)
            asked = 1
            with anyio.fail_after(LONGEST_S):
                while await calls_seen() == asked:
                    asked += 1
            with pytest.raises(UpstreamError) as raised:
                await supervisor.call(spec, "echo", {"text": "cut here"})
            assert (raised.value.kind, raised.value.sent) == ("network", True)
            # The hanging call and this one are new; the one that was cut was not repeated.
            assert await calls_seen() == asked + 2
            assert not neighbour_failed.is_set()
            tasks.cancel_scope.cancel()


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_calls_share_connections(supervisor: Supervisor, era: str) -> None:
    modes = ["legacy"] if era == "legacy" else []
    with leaf_server("http", *modes) as server, cut_at(server, b"nothing") as (spec, cutter):
        await supervisor.call(spec, "measure")
        before = cutter.accepted
        for _ in range(20):
            await supervisor.call(spec, "measure")
        # One whose end is late, as under load, is given up; each call would need one of its own.
        assert cutter.accepted - before < 10
