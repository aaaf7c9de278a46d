"""Reads the tool lists of upstreams into the catalog."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NoReturn

import anyio
import anyio.to_thread
import stamina

from quartermaster import api
from quartermaster.catalog.item_listing import batches, sort_out
from quartermaster.catalog.tool_definition import JsonObject, cleaned
from quartermaster.core.api_call import AnyRow, ApiCall
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger, mask, request_scope
from quartermaster.core.wakeup import Wakeup
from quartermaster.service import Service
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.listing import ToolListing
from quartermaster.upstream.spec import OriginSpec

_POLL_S: Final = 5.0
_BATCH_ITEMS: Final = 200
# Errors of the database that concern a single definition.
_DATA_ERRORS: Final = frozenset({409, 413, 422, 500})
# That of a time limit, which says nothing about a definition; fewer take less time.
_TOO_SLOW: Final = 504

_COUNTS: Final = ("added", "changed", "withheld", "unchanged", "deprecated")

log = get_logger(part="ingest")
_AUTH: Final = frozenset(
    {"vault_locked", "keyring_unavailable", "login_needed", "login_failed", "credential_missing"}
)
_RETRIED_FAILURES: Final = frozenset({"network", "timeout"})
_LONGEST_ASKED_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class _Refresh:
    id: int
    origin_id: int


class _RefreshSlot:
    """A slot for one of the simultaneous refreshes. It is taken until it is given back.

    Args:
        free: function that makes the slot available to another refresh.
    """

    def __init__(self, free: Callable[[], None]) -> None:
        self._free: Callable[[], None] | None = free

    def give_back(self) -> None:
        """Makes the slot available to another refresh. A second call changes nothing."""
        free, self._free = self._free, None
        if free is not None:
            free()

    @contextmanager
    def lent_after(self, seconds: float) -> Generator[None]:
        """Gives the slot back if the work in the block takes longer than the given time."""
        timer = asyncio.get_running_loop().call_later(seconds, self.give_back)
        try:
            yield
        finally:
            timer.cancel()


class RefreshWorker:
    """Takes refreshes from the queue, and carries out a limited number of them at a time.

    Args:
        service: the service; `settings.ingest` sets the number of simultaneous refreshes and of
            retries after a failed listing.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._wakeup = Wakeup()
        self.wake = self._wakeup.ring
        self._places = anyio.Semaphore(service.settings.ingest.concurrency)

    async def run(self) -> NoReturn:
        """Carries out refreshes until cancelled. An interrupted refresh is repeated by the next
        process.
        """
        async with anyio.create_task_group() as tasks:
            while True:
                await self._places.acquire()
                refresh = await self._try_claim()
                if refresh is not None:
                    tasks.start_soon(self._carry_out, refresh)
                    continue
                self._places.release()
                await self._wakeup.wait(_POLL_S)
        raise AssertionError("this point is never reached")

    async def _try_claim(self) -> _Refresh | None:
        try:
            rows = await self._call(api.claim_refresh(instance=self._service.id))
        except QmError as error:
            log.warning("claim_failed", error=str(error))
            return None
        return _Refresh(rows[0]["refresh_id"], rows[0]["origin_id"]) if rows else None

    async def _carry_out(self, refresh: _Refresh) -> None:
        place = _RefreshSlot(self._free_place)
        with request_scope():
            try:
                await self._refresh_or_fail(refresh, place)
            except QmError as error:
                # Another process has taken over the refresh, or the origin was removed.
                log.warning("refresh_abandoned", refresh=refresh.id, error=str(error))
            finally:
                place.give_back()
            try:
                await self._list_again(refresh.origin_id)
            except QmError as error:
                log.warning("announcement_lost", origin_id=refresh.origin_id, error=str(error))

    async def _list_again(self, origin_id: int) -> None:
        """Requests another refresh if the upstream announced a change during this refresh. The
        announcement was merged with this refresh, which may have read the old list.
        """
        origins = self._service.upstreams.origins
        if origins.announced.is_waiting(origin_id):
            await origins.request_refresh(await origins.spec(origin_id))

    def _free_place(self) -> None:
        self._places.release()
        self._wakeup.ring()

    async def _refresh_or_fail(self, refresh: _Refresh, place: _RefreshSlot) -> None:
        try:
            await self._refresh(refresh, place)
        except QmError as error:
            log.warning("refresh_failed", refresh=refresh.id, error=str(error))
            self._service.upstreams.origins.announced.end(refresh.origin_id, has_changed=False)
            failure = error_text(error)
            await self._fail(refresh, failure_class(error), failure)
        except Exception:
            # A failure at one upstream must not stop the work on the others.
            log.exception("refresh_crashed", refresh=refresh.id)
            await self._fail(refresh, "internal", "An internal error occurred; see the log.")

    async def _refresh(self, refresh: _Refresh, place: _RefreshSlot) -> None:
        origins = self._service.upstreams.origins
        origins.announced.begin(refresh.origin_id)
        # The cached credentials are dropped, because they may have changed.
        origins.forget(refresh.origin_id)
        spec = await origins.spec(refresh.origin_id)
        listing = await self._list_tools(spec, place)
        max_bytes = self._service.settings.upstream.max_tool_bytes
        # Checking thousands of schemas takes some time, and the service must answer queries
        # meanwhile.
        items, rejected = await anyio.to_thread.run_sync(sort_out, listing, max_bytes)
        for kind, listed in items.items():
            sized = ((item, len(json.dumps(item))) for item in listed)
            for batch in batches(sized, _BATCH_ITEMS):
                rejected += await self._store(refresh, kind, batch)
        if rejected:
            await self._call(api.reject_items(refresh_id=refresh.id, rejected=rejected))
        await self._call(
            api.finish_refresh(
                refresh_id=refresh.id,
                kinds=list(items),
                protocol_version=listing.protocol_version,
                server_info=cleaned(listing.server),
                said=_said(listing),
                warnings=[cleaned(mask(warning)) for warning in listing.warnings],
            )
        )
        has_changed = await self._report(refresh, listing)
        origins.announced.end(refresh.origin_id, has_changed=has_changed)
        # A request that arrived during this refresh was merged with it.
        if await origins.spec(refresh.origin_id) != spec:
            await self._call(api.request_refresh(name=spec.name))

    async def _list_tools(self, spec: OriginSpec, place: _RefreshSlot) -> ToolListing:
        """Lists an upstream's items, and retries if waiting may help. A slow start of one upstream
        does not delay other upstreams.

        Raises:
            UpstreamError: the error of the last attempt.
        """
        service = self._service
        # Each wait is longer than the pause after a failure, during which the connection refuses
        # attempts.
        async for attempt in stamina.retry_context(
            on=is_worth_a_retry,
            attempts=service.settings.ingest.retries + 1,
            wait_initial=0.6,
            wait_jitter=0.6,
        ):
            with attempt, place.lent_after(spec.connect_timeout_s):
                return await service.upstreams.supervisor.list_tools(spec)
        raise AssertionError("this point is never reached")

    async def _store(
        self, refresh: _Refresh, kind: str, batch: Sequence[JsonObject]
    ) -> list[JsonObject]:
        """Stores a batch, and returns the definitions that the database rejects. The function finds
        these definitions by halving the batch repeatedly.

        Raises:
            QmError: QM504 timeout, if even one definition takes too long.
        """
        try:
            await self._call(api.store_items(refresh_id=refresh.id, kind=kind, items=list(batch)))
        except QmError as error:
            if error.status not in _DATA_ERRORS and (error.status != _TOO_SLOW or len(batch) == 1):
                raise
            if len(batch) == 1:
                return [{"kind": kind, "name": batch[0].get("name"), "reason": error.message}]
            half = len(batch) // 2
            return [
                *await self._store(refresh, kind, batch[:half]),
                *await self._store(refresh, kind, batch[half:]),
            ]
        return []

    async def _fail(self, refresh: _Refresh, failure_class: str, failure: str) -> None:
        await self._call(
            api.finish_refresh(
                refresh_id=refresh.id, failure_class=failure_class, failure=cleaned(mask(failure))
            )
        )

    async def _report(self, refresh: _Refresh, listing: ToolListing) -> bool:
        """Logs the result of a refresh; returns whether the refresh has changed anything."""
        [row] = await self._call(api.get_refresh(refresh_id=refresh.id))
        counts = {key: row[key] for key in _COUNTS}
        facts = {"origin": row["origin"], **counts, "rejected": len(row["rejected"])}
        if not listing.tools and row["deprecated"]:
            log.warning("origin_lists_nothing_any_more", **facts)
        elif listing.truncated:
            log.warning("origin_lists_too_many_tools", **facts, taken=len(listing.tools))
        else:
            log.info("refresh_done", **facts)
        for warning in row["warnings"]:
            log.warning("refresh_warns", origin=row["origin"], warning=warning)
        return any(row[key] for key in ("added", "changed", "deprecated"))

    async def _call(self, asked: ApiCall[AnyRow]) -> list[AnyRow]:
        """Calls an api function. In an outage, waits for the end of the outage first, so that every
        refresh is completed.
        """
        database, worker = self._service.database, self._service.worker
        async for attempt in stamina.retry_context(
            on=is_database_away, attempts=None, timeout=None, wait_max=5.0
        ):
            with attempt:
                return await database.call(asked, worker)
        raise AssertionError("this point is never reached")


def _said(listing: ToolListing) -> JsonObject:
    """Returns the server's description of itself, without its release number."""
    server = listing.server or {}
    said = {"server": server.get("name"), "instructions": listing.instructions}
    said |= {member: server.get(member) for member in ("title", "description")}
    return cleaned({member: text for member, text in said.items() if text is not None})


def is_worth_a_retry(error: Exception) -> bool | float:
    """Returns whether another attempt to reach the upstream may soon succeed, or the number of
    seconds to wait if the upstream names a number. A start that exceeded its time limit is not
    repeated, because it would exceed the limit again.
    """
    if not isinstance(error, UpstreamError):
        return False
    if error.refusal is not None and error.refusal.retry_after_s:
        asked_s = error.refusal.retry_after_s
        return asked_s if asked_s <= _LONGEST_ASKED_S else False
    if error.kind not in _RETRIED_FAILURES:
        return False
    return error.kind != "timeout" or error.sent or error.lost


def error_text(error: QmError) -> str:
    """Returns the text for people about a failed refresh: the failure, the remedy, and details. The
    details may contain many lines that the program printed.
    """
    advice = error.advice if isinstance(error, UpstreamError) else error.hint
    details = f"Details: {error.detail}" if error.detail else None
    return " ".join(part for part in (error.message, advice, details) if part)


def is_database_away(error: Exception) -> bool:
    """Returns whether the error means that the database cannot be reached."""
    return isinstance(error, QmError) and error.status == 503


def failure_class(error: QmError) -> str:
    """Returns the class of a failed refresh, as stored in catalog.refresh."""
    if isinstance(error, UpstreamError):
        return error.kind
    if error.status == _TOO_SLOW:
        return "timeout"
    is_auth = error.slug.startswith("secret_") or error.slug in _AUTH
    return "auth" if is_auth else "configuration"
