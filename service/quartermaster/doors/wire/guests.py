"""Tracks the senders of open requests, and ends requests whose sender has lost access."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import NoReturn

import anyio
import anyio.lowlevel

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import Principal
from quartermaster.identity.bearers import Bearers
from quartermaster.identity.limits import RateLimit

_log = get_logger(part="guests")


@dataclass(eq=False)
class Guest:
    """The sender of an open request.

    Attributes:
        principal: who it is.
        bearer: the key or token that was shown.
        scope: of the request.
        refusal: why the request was ended; None: it was not.
    """

    principal: Principal
    bearer: str = field(repr=False)
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    refusal: QmError | None = None

    def end(self, refusal: QmError) -> None:
        """Ends the request with a reason."""
        _log.info("request_ended", principal=self.principal.name, error=refusal.slug)
        self.refusal = refusal
        self.scope.cancel()


class Guests:
    """The open requests. Most are short; streams are open for days.

    Args:
        bearers: says who is let in.
        limit: of requests of one principal; None: there is none.
    """

    def __init__(self, bearers: Bearers, limit: RateLimit | None = None) -> None:
        self._bearers = bearers
        self._limit = limit
        self._inside: set[Guest] = set()
        self._changed = anyio.Event()

    def principals_changed(self) -> None:
        """To be called when a key was revoked or a principal disabled; never blocks."""
        self._bearers.forget_all()
        self._changed.set()

    @asynccontextmanager
    async def let_in(self, bearer: str, toolset: str | None) -> AsyncGenerator[Guest]:
        """Tracks the sender of a request while it runs; call `check` before the first answer.

        Raises:
            QmError: those of `Bearers.find`, at the beginning or amid the request; QM429
                rate_limited.
        """
        guest = Guest(await self._bearers.find(bearer, toolset), bearer)
        if self._limit is not None:
            self._limit.spend(guest.principal)
        self._inside.add(guest)
        try:
            with guest.scope:
                yield guest
        finally:
            self._inside.remove(guest)
            if guest.principal.unchecked_key is not None:
                self._bearers.forget(bearer)
        if guest.refusal is not None:
            raise guest.refusal

    async def check(self, guest: Guest) -> None:
        """Ends the request if its key is no longer valid.

        Raises:
            QmError: those of `Bearers.check`, where it is not of the request's own tasks.
        """
        try:
            await self._bearers.check(guest.principal)
        except QmError as error:
            guest.end(error)
            await anyio.lowlevel.checkpoint()
            raise

    async def run(self) -> NoReturn:
        """Checks all senders again whenever principals have changed, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            for guest in list(self._inside):
                await self._ask_again(guest)

    async def _ask_again(self, guest: Guest) -> None:
        try:
            found = await self._bearers.find(guest.bearer, guest.principal.toolset)
            await self._bearers.check(found)
        except QmError as error:
            # While the database is away, nobody's access can be checked.
            if error.status in {401, 403, 404}:
                guest.end(error)
