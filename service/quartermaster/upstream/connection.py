"""Keeps the connection to an upstream: connects when needed, watches the connection, and reconnects
after a loss.
"""

from __future__ import annotations

import math
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

import anyio
from anyio.abc import TaskGroup

from quartermaster.core.errors import WaitError
from quartermaster.core.fair_queue import KEPT_FREE, FairQueue
from quartermaster.core.logs import get_logger
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.upstream.changes import UpstreamNotifications
from quartermaster.upstream.failure import UpstreamError, classify
from quartermaster.upstream.link import LinkMemory, UpstreamLink
from quartermaster.upstream.spec import OriginSpec

_FIRST_S: Final = 0.5
_LAST_S: Final = 30.0
_ENDING_S: Final = 5.0
T = TypeVar("T")
OnListChanged = Callable[[OriginSpec], Awaitable[None]]
OnResourceUpdated = Callable[[OriginSpec, str], None]


class Admission:
    """Limits the number of concurrent calls to an upstream, with a bounded queue in which each
    principal has a share.
    """

    def __init__(self, spec: OriginSpec, kept_free: float = KEPT_FREE) -> None:
        self._spec = spec
        self.queue = FairQueue(
            f"calls to {spec.name}",
            spec.max_concurrency,
            spec.max_queue,
            kept_free=kept_free,
            exempt=LOCAL_PRINCIPAL,
        )

    @asynccontextmanager
    async def slot(self, who: str, timeout_s: float) -> AsyncGenerator[None]:
        """Reserves one slot and releases it on exit.

        Args:
            who: name of the principal that makes the call.
            timeout_s: longest time to wait for a slot, in seconds.

        Raises:
            UpstreamError: QM429 ``upstream_busy``: the queue is full, or the wait was too long.
        """
        if not self.queue.take_free(who):
            await self._wait(who, timeout_s)
        try:
            yield
        finally:
            self.queue.leave(who)

    async def _wait(self, who: str, timeout_s: float) -> None:
        try:
            with anyio.move_on_after(timeout_s) as waiting:
                await self.queue.take(who)
        except WaitError as error:
            raise self._busy(error.message, error.hint) from error
        if waiting.cancelled_caught:
            raise self._busy(f"No slot became free within {timeout_s:g} s.", None)

    def _busy(self, why: str, hint: str | None) -> UpstreamError:
        share = f"It runs at most {self._spec.max_concurrency} calls at the same time. {why}"
        return UpstreamError("busy", self._spec.name, f"is busy. {share}", hint=hint)


class Backoff:
    """The pauses between connection attempts, which double from 0.5 s to 30 s while attempts
    fail.
    """

    def __init__(self) -> None:
        self._failures = 0
        self._retry_at = 0.0

    def remaining_s(self) -> float:
        """Returns the number of seconds until the next attempt is allowed; zero or less if it is
        allowed now.
        """
        return self._retry_at - anyio.current_time()

    def failed(self) -> None:
        """Starts a pause that is longer than the previous pause."""
        delay_s = min(_FIRST_S * 2 ** min(self._failures, 16), _LAST_S)
        # The jitter keeps requests that failed together from being retried together.
        self._retry_at = anyio.current_time() + delay_s * random.uniform(0.5, 1.0)  # noqa: S311
        self._failures += 1

    def succeeded(self) -> None:
        """Resets the pauses, so that the next failure counts as the first."""
        self._failures = 0

    def forget(self) -> None:
        """Ends the pause, so that the next attempt may be made immediately."""
        self._failures = 0
        self._retry_at = 0.0


class UpstreamConnection:
    """The connection to an upstream, which all users of the upstream share.

    Attributes:
        memory: data that outlives a single link: the protocol era and the stderr tail.
        last_error: the last error from a failed connection attempt or a lost connection.
        link: the current or last link.
        in_flight: number of listings and calls that are running or waiting for the connection.
        admission: limit for requests in flight.
        backoff: pauses between failed connection attempts.
        watched: URIs of the resources that clients watch.
    """

    def __init__(
        self,
        spec: OriginSpec,
        tasks: TaskGroup,
        on_list_changed: OnListChanged | None,
        on_resource_updated: OnResourceUpdated,
        *,
        handshake: bool = False,
        kept_free: float = KEPT_FREE,
        memory: LinkMemory | None = None,
    ) -> None:
        """Prepares the connection without connecting. The task group must outlive the connection.

        Args:
            on_list_changed: awaited when the upstream's offer has changed.
            on_resource_updated: function that is called with the URI of a watched resource that was
                updated.
            handshake: whether to use a revision with handshake even if the upstream supports
                others.
            kept_free: see `Shares`.
            memory: the data of an earlier connection to the same server; None if there was none.
        """
        self.spec = spec
        self.memory = memory or LinkMemory(is_legacy=handshake)
        self.last_error: UpstreamError | None = None
        self._tasks = tasks
        self._on_list_changed = on_list_changed
        self._on_resource_updated = on_resource_updated
        self.watched: set[str] = set()
        self.admission = Admission(spec, kept_free)
        self.link: UpstreamLink | None = None
        self.backoff = Backoff()
        self.in_flight = 0
        self._used_at = 0.0
        self._idle = anyio.Event()
        self._is_closed = False

    async def close(self, drain_s: float = 0.0) -> None:
        """Waits up to `drain_s` seconds for calls in flight, then disconnects and waits until the
        link has ended.
        """
        self._is_closed = True
        with anyio.move_on_after(drain_s):
            while self.in_flight:
                await self._idle.wait()
        if self.link is not None:
            self.link.close()
            await self.link.done.wait()

    async def use(
        self,
        action: Callable[[UpstreamLink], Awaitable[T]],
        doing: str,
        *,
        is_call: bool,
        waits_for_start: bool = False,
    ) -> T:
        """Runs an action over the link, and runs it once more if the connection was lost before the
        call was sent.

        Args:
            action: function that does the work over the link.
            doing: description of the action in words that fit after "while".
            is_call: whether the action may have effects and so must not be sent twice.
            waits_for_start: whether to wait until a start has succeeded or failed. If false, waits
                about `connect_timeout_s`.

        Raises:
            UpstreamError: the action failed.
        """
        self.in_flight += 1
        try:
            try:
                return await self._try(action, doing, is_call, waits_for_start)
            except UpstreamError as error:
                if not error.lost or (is_call and error.sent):
                    raise
            return await self._try(action, doing, is_call, waits_for_start)
        finally:
            self.in_flight -= 1
            self._used_at = anyio.current_time()
            if self.in_flight == 0:
                self._idle.set()
                self._idle = anyio.Event()

    async def _try(
        self,
        action: Callable[[UpstreamLink], Awaitable[T]],
        doing: str,
        is_call: bool,
        waits_for_start: bool,
    ) -> T:
        link = await self.connected(waits_for_start=waits_for_start)
        try:
            return await action(link)
        except Exception as error:
            failure = classify(error, self.spec.name, doing, sent=True, call=is_call)
            if failure.reply is not None and await link.has_lost_session(failure.reply):
                # A server that no longer knows the session has executed nothing.
                what = f"ended the session: {failure.reply.message}"
                failure = UpstreamError("died", self.spec.name, what, lost=True)
            if failure.lost:
                link.lost.set()
            failure = await link.explain(failure)
            if failure.lost:
                self.last_error = failure
            raise failure from error

    async def connected(self, *, waits_for_start: bool = False) -> UpstreamLink:
        """Returns the link; connects first if necessary.

        Args:
            waits_for_start: whether to wait until a start has succeeded or failed. If false, waits
                about `connect_timeout_s`.

        Raises:
            UpstreamError: the upstream cannot be connected.
        """
        link = self.link
        if link is None or link.lost.is_set():
            link = self._start_link()
        if not link.ready.is_set():
            # A start that fails needs a moment to end what it has started.
            limit_s = math.inf if waits_for_start else self.spec.connect_timeout_s + _ENDING_S
            with anyio.move_on_after(limit_s):
                await link.ready.wait()
            if not link.ready.is_set():
                raise link.starting()
        if link.failure is not None:
            raise link.failure.copy()
        self.backoff.succeeded()
        if link.lost.is_set():
            raise UpstreamError("died", self.spec.name, "ended as soon as it started.", lost=True)
        return link

    def _start_link(self) -> UpstreamLink:
        if self._is_closed:
            raise UpstreamError("died", self.spec.name, "is being disconnected.")
        wait_s = self.backoff.remaining_s()
        if wait_s > 0 and self.last_error is not None:
            hint = f"{self.last_error.hint} You can retry in {wait_s:.1f} s."
            raise self.last_error.copy(hint=hint)
        notifications = UpstreamNotifications(
            self._list_changed, self._resource_updated, self.watched
        )
        link = UpstreamLink(self.spec, self.memory, notifications)
        self._used_at = anyio.current_time()
        self._tasks.start_soon(self._run_link, link, self.link)
        if self.spec.transport == "stdio" and self.spec.idle_stop_s:
            self._tasks.start_soon(self._stop_when_idle, link)
        self.link = link
        return link

    async def _run_link(self, link: UpstreamLink, previous: UpstreamLink | None) -> None:
        if previous is not None and self.spec.transport == "stdio":
            # The previous process must end first, because two processes of one server could
            # conflict over its files.
            await previous.done.wait()
        await link.run()
        if link.failure is not None:
            self.last_error = link.failure
            get_logger().warning(
                "upstream_connect_failed", origin=self.spec.name, error=link.failure.message
            )
            self.backoff.failed()

    async def _stop_when_idle(self, link: UpstreamLink) -> None:
        while not link.lost.is_set():
            if self.in_flight or self.watched:
                self._used_at = anyio.current_time()
            left_s = self._used_at + self.spec.idle_stop_s - anyio.current_time()
            if left_s <= 0:
                get_logger().info("upstream_idle_stopped", origin=self.spec.name)
                link.close()
                return
            with anyio.move_on_after(left_s):
                await link.lost.wait()

    def _list_changed(self) -> None:
        if self._on_list_changed is not None and not self._is_closed:
            self._tasks.start_soon(self._tell_list_changed, self._on_list_changed)

    def _resource_updated(self, uri: str) -> None:
        self._on_resource_updated(self.spec, uri)

    async def _tell_list_changed(self, tell: OnListChanged) -> None:
        try:
            await tell(self.spec)
        except Exception:  # noqa: BLE001 - the handler's own errors must not end all upstreams
            get_logger().exception("upstream_list_changed_handler_failed", origin=self.spec.name)
