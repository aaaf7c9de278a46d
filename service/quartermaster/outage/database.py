"""The service's access to the database. During an outage, the outage copy replaces the database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, TypeVar, cast
from uuid import UUID

from quartermaster.core.api_call import AnyRow, ApiCall
from quartermaster.core.errors import QmError
from quartermaster.db import Connections, Database, Heard, Principal, Row, Subject
from quartermaster.outage.operations import Arguments, Operations, Substitute
from quartermaster.outage.outage import Outage, is_away
from quartermaster.outage.outage_copy import OutageCopy

Answer = TypeVar("Answer")


class GuardedDatabase(Database):
    """Calls the database. During an outage, the outage copy answers the calls that it can.

    In an outage, requests do not try the database, because they would only wait. Instead, a
    background task of the service checks every second whether the database is back.

    Args:
        connections: connections to the database.
        outage: state of the outage, which is updated with the result of each request.
        outage_copy: the outage copy.
        operations: the operations that answer in an outage.
    """

    def __init__(
        self,
        connections: Connections,
        outage: Outage,
        outage_copy: OutageCopy,
        operations: Operations,
    ) -> None:
        super().__init__(connections)
        self._outage = outage
        self._outage_copy = outage_copy
        self._substitutes = operations

    async def call(self, asked: ApiCall[AnyRow], principal: Principal | None, /) -> list[AnyRow]:
        """Like `Database.call`; in an outage, it also raises the errors of `OutageCopy` and
        `Operations`.
        """
        return cast(list[AnyRow], await self._call(asked, principal))

    async def _call(self, asked: ApiCall[Any], principal: Principal | None) -> Sequence[Row]:
        operation, arguments = asked.operation, asked.arguments
        ask = partial(super().call, asked, principal)
        writes = self._operations[operation].is_writing
        substitute = self._substitutes.by_name.get(operation)
        if substitute is None:
            return await self._watched(ask, writes=writes)
        instead = partial(self._instead, substitute, principal, arguments)
        if isinstance(arguments.get("call_id"), UUID):
            # A call that began in the spool must also end there, even if the database is back by
            # then.
            rows = await instead()
            if self._outage.since is None:
                self._outage.settle()
            return rows
        return await self._either(ask, instead, writes=writes)

    async def if_available(self, ask: Callable[[], Awaitable[Answer]]) -> Answer | None:
        """Like `Database.if_available`; returns None in an outage."""
        if self._outage.since is not None:
            return None
        try:
            return await ask()
        except QmError as error:
            if not is_away(error):
                raise
            return None

    async def read(
        self, operation: str, principal: Principal, arguments: Mapping[str, object]
    ) -> tuple[dict[str, str], list[Row]]:
        """Like `Database.read`; the outage copy cannot answer it."""
        # Without this, an error that was found without the database would end the outage.
        self.readable(operation, arguments)
        ask = partial(super().read, operation, principal, arguments)
        return await self._watched(ask, writes=False)

    async def authenticate(self, key: str) -> Principal:
        """Like `Database.authenticate`."""
        return await self._whoever(key, partial(super().authenticate, key))

    async def authenticate_subject(self, subject: Subject, *, creates: bool) -> Principal:
        """Like `Database.authenticate_subject`; in an outage, it creates no principal."""
        ask = partial(super().authenticate_subject, subject, creates=creates)
        return await self._whoever(subject, ask)

    async def find_principal(self, name: str) -> Principal:
        """Like `Database.find_principal`."""
        ask = partial(super().find_principal, name)
        return await self._either(ask, partial(self._outage_copy.find_principal, name))

    async def listen(
        self, channels: Sequence[str], heard: Heard, listening: Callable[[], None]
    ) -> NoReturn:
        """Like `Database.listen`; a lost connection begins an outage, and a new one ends it."""

        def begins() -> None:
            self._outage.end()
            listening()

        listen = partial(super().listen, channels, heard, begins)
        await self._watched(listen)
        raise AssertionError("this point is never reached")

    async def _instead(
        self, substitute: Substitute, principal: Principal | None, arguments: Arguments
    ) -> Sequence[Row]:
        if principal is not None:
            await self.check(principal)
        return await substitute(principal, arguments)

    async def _whoever(
        self, who: str | Subject, ask: Callable[[], Awaitable[Principal]]
    ) -> Principal:
        has_asked = self._outage.since is None
        try:
            found = await self._either(ask, partial(self._outage_copy.authenticate, who))
        except QmError as error:
            if has_asked and error.status < 500:
                self._outage_copy.note(who, is_refused=True)
            raise
        if self._outage.since is None:
            self._outage_copy.note(who, is_refused=False)
        return found

    async def _either(
        self,
        ask: Callable[[], Awaitable[Answer]],
        instead: Callable[[], Awaitable[Answer]],
        *,
        writes: bool = False,
    ) -> Answer:
        if self._outage.since is None:
            try:
                return await self._watched(ask, writes=writes)
            except QmError as error:
                if not is_away(error):
                    raise
        try:
            return await instead()
        except QmError as error:
            # The copy may be older than what is asked for.
            if error.status != 404 or not await self._outage.is_soon_over():
                raise
        return await self._watched(ask, writes=writes)

    async def _watched(
        self, ask: Callable[[], Awaitable[Answer]], *, writes: bool = False
    ) -> Answer:
        try:
            answer = await ask()
        except QmError as error:
            if is_away(error):
                self._outage.begin(error)
            else:
                self._outage.end()
            raise
        self._outage.end(has_written=writes)
        return answer
