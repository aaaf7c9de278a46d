"""The one place where the doors of the service ask lookup tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from quartermaster.db import Database, Principal, Row
from quartermaster.logs import get_logger

Door = Literal["http", "mcp"]
Query = str | Mapping[str, Any]

MOST_AT_ONCE: Final = 500

log = get_logger(part="lookup")


@dataclass(frozen=True)
class Answer:
    """What one query was answered.

    Attributes:
        rows: as api.search_lookup returns them, best first; the caller must not change them.
        error: slug, message and hint of what is wrong with the query; None: nothing.
        is_cached: whether the database was not asked again.
    """

    rows: Sequence[Row]
    error: Mapping[str, str] | None = None
    is_cached: bool = False


class LookupAnswers:
    """Answers queries to lookup tables; remembers answers, logs and counts them.

    Args:
        database: which finds and ranks.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def search(
        self,
        principal: Principal,
        table: str,
        queries: Sequence[Query],
        *,
        door: Door,
        **options: object,
    ) -> list[Answer]:
        """The answers to some queries, in their order; one that is wrong fails no other.

        Args:
            principal: on whose behalf.
            table: name of a lookup table.
            queries: each a string, or an object with the members query, language, domain,
                properties, strict, threshold and limit of api.search_lookups.
            door: through which they came.
            options: further arguments of api.search_lookups by name, for all of them: k_final,
                k_fuzzy, active_only, explain.

        Raises:
            QmError: QM404 unsupported_table, QM422 argument_invalid, QM429 rate_limited, QM503
                database_unavailable, QM504 timeout.
        """
        answers: list[Answer] = []
        for start in range(0, len(queries), MOST_AT_ONCE):
            rows = await self._database.call(
                "search_lookups",
                principal,
                lookup=table,
                queries=[*queries[start : start + MOST_AT_ONCE]],
                **options,
            )
            answers += [Answer(row["rows"], row["error"]) for row in rows]
        log.info("lookups_answered", table=table, door=door, queries=len(queries))
        return answers

    async def reconcile(
        self,
        principal: Principal,
        table: str | None,
        queries: Sequence[Query],
        *,
        door: Door,
        k_final: int,
    ) -> list[Answer]:
        """The answers to a batch of the reconciliation API, in its order.

        Args:
            principal: on whose behalf.
            table: name of a lookup table; None: all that the principal may see.
            queries: each an object as api.reconcile_lookups takes it.
            door: through which they came.
            k_final: rows at most where a query says nothing.

        Raises:
            QmError: QM404 unsupported_table, QM413 batch_too_large, QM429 rate_limited, QM503
                database_unavailable, QM504 timeout.
        """
        rows = await self._database.call(
            "reconcile_lookups", principal, queries=[*queries], lookup=table, k_final=k_final
        )
        log.info("lookups_answered", table=table, door=door, queries=len(queries))
        return [Answer(row["rows"], row["error"]) for row in rows]
