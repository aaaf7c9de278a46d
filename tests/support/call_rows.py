"""The call log, as the database has it."""

from __future__ import annotations

import psycopg

from tests.support.waiting import until


class CallRows:
    """Reads rows of calls as the administrator.

    Args:
        dsn: of the administrator.
    """

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn

    def all(self) -> list[tuple[str, str, str | None]]:
        """Tool, outcome and failure of each call, oldest first."""
        with psycopg.connect(self._dsn) as connection:
            return connection.execute(
                "select t.public_name, c.outcome, c.failure from calls.call as c"
                " inner join catalog.item as t on t.id = c.ref order by c.id"
            ).fetchall()

    def outcomes(self) -> list[str]:
        """Of each call, oldest first."""
        return [outcome for _, outcome, _ in self.all()]

    async def wait_for(self, *outcomes: str) -> None:
        """Until the log has just these; other connections commit without telling."""
        await until(lambda: self.outcomes() == [*outcomes])
