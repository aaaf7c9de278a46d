"""Clients' subscriptions to resource updates."""

from __future__ import annotations

from asyncio import Queue
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from quartermaster.calls.caller import Caller
from quartermaster.calls.relay.read_log import ReadLog
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import Principal
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Upstreams
from quartermaster.upstream.watching import unwatch as unwatch_resource
from quartermaster.upstream.watching import watch as watch_resource

Tell = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, eq=False)
class ResourceSubscription:
    """A client's subscription to a resource.

    Attributes:
        principal: the client's principal.
        uri: URI that the client uses.
        target: URI that the origin uses.
        spec: connection details of the origin.
        tell: function that is called with the client's URI at each update.
    """

    principal: Principal
    uri: str
    target: str
    spec: OriginSpec
    tell: Tell


class Watches:
    """The subscriptions at one door. Clients get updates only while `run` is running.

    Args:
        upstreams: the upstreams that offer the resources.
        log: object that records each subscription and checks rights.
    """

    def __init__(self, upstreams: Upstreams, log: ReadLog) -> None:
        self._upstreams = upstreams
        self._log = log
        self._held: dict[tuple[str, str], set[ResourceSubscription]] = defaultdict(set)
        self._notifications: Queue[tuple[str, str] | ResourceSubscription] = Queue()
        upstreams.supervisor.on_resource_updated(self._updated)

    async def begin(self, caller: Caller, uri: str, tell: Tell) -> ResourceSubscription:
        """Subscribes ``tell`` to updates of a resource that the caller may read.

        Raises:
            QmError: QM404 asset_not_found, and the errors of `upstream.watching.watch` and
                Origins.spec.
        """
        method = "resources/subscribe"
        async with self._log.record(caller, method, "resource", uri, {"uri": uri}) as record:
            spec = await self._upstreams.origins.spec(record.origin_id, caller.principal)
            if not self._held.get((spec.name, record.tool)):
                connection = await self._upstreams.supervisor.reach(spec, handshake=False)
                await watch_resource(connection, record.tool)
            record.outcome = "ok"
        watch = ResourceSubscription(caller.principal, uri, record.tool, spec, tell)
        self._held[spec.name, record.tool].add(watch)
        return watch

    def end(self, watch: ResourceSubscription) -> None:
        """Ends a subscription; never blocks."""
        self._held[watch.spec.name, watch.target].discard(watch)
        self._notifications.put_nowait(watch)

    async def run(self) -> None:
        """Passes updates on to the clients until cancelled."""
        while True:
            notifications = await self._notifications.get()
            if isinstance(notifications, ResourceSubscription):
                await self._release(notifications)
                continue
            for watch in list(self._held.get(notifications, ())):
                await self._tell(watch)

    def _updated(self, spec: OriginSpec, uri: str) -> None:
        if (spec.name, uri) in self._held:
            self._notifications.put_nowait((spec.name, uri))

    async def _release(self, watch: ResourceSubscription) -> None:
        key = (watch.spec.name, watch.target)
        if self._held.get(key):
            return
        self._held.pop(key, None)
        try:
            connection = await self._upstreams.supervisor.reach(watch.spec, handshake=False)
            await unwatch_resource(connection, watch.target)
        except QmError as error:
            get_logger().info("watch_not_ended", origin=watch.spec.name, error=str(error))

    async def _tell(self, watch: ResourceSubscription) -> None:
        try:
            # Rights may have changed since the subscription began.
            if await self._log.may_read(watch.principal, watch.uri):
                await watch.tell(watch.uri)
        except QmError as error:
            get_logger().info("update_not_told", uri=watch.uri, error=str(error))
        except Exception:  # noqa: BLE001 - one client's trouble must not silence the others
            get_logger().exception("update_not_told", uri=watch.uri)
