"""Answers queries to lookup tables that arrive through any door."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, NoReturn

import anyio

from quartermaster.core.api_call import ApiCall
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import Database, Principal, Row
from quartermaster.identity.limits import RateLimit
from quartermaster.models.asynchronous import AsyncEmbedder
from quartermaster.models.vector_text import vector_texts
from quartermaster.settings.sections import LimitSettings
from quartermaster_lookup import api
from quartermaster_lookup.cache import AnswerCache, LookupAnswer, key_of
from quartermaster_lookup.meters import LookupMeters
from quartermaster_lookup.observing import Door, Observer, Request
from quartermaster_lookup.settings import Lookup

__all__ = ["Door", "LookupAnswer", "LookupAnswers", "Query"]

Query = str | Mapping[str, Any]

# Only smaller batches are answered from the cache: the database must see a larger batch as a whole,
# to decide whether it is allowed.
_MAX_CACHED_BATCH: Final = 500
_MAX_QUERY_CHARACTERS: Final = 1_000
# A smaller batch is not worth a second connection.
_MIN_PARALLEL_BATCH: Final = 6
log = get_logger(part="lookup")


class LookupAnswers:
    """Answers queries to lookup tables, with limits, a cache, meters and a log.

    Args:
        database: the database, which finds and ranks the rows.
        options: settings for the cache and the log.
        limits: limits on the queries from one principal.
        meters: counters for the metrics.
        embedder: embedder for queries to tables whose names have vectors. If None, vectors are not
            used.

    Attributes:
        cache: cache of answers.
        observer: object that counts and logs queries.
    """

    def __init__(
        self,
        database: Database,
        options: Lookup,
        limits: LimitSettings,
        meters: LookupMeters,
        embedder: AsyncEmbedder | None = None,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._meters = meters
        self._limit = RateLimit(
            "requests to lookup tables",
            limits.lookups_per_s,
            limits.lookups_burst,
            meters.refusals,
        )
        self.cache = AnswerCache(options.cache_rows, options.cache_ttl_s)
        self.observer = Observer(database, meters, keeps_queries=options.keep_queries)

    async def run(self) -> NoReturn:
        """Writes the log, and sends queries to the shadow, until it is cancelled."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.observer.shadow.run)
            tasks.start_soon(self.observer.log.run)
            await anyio.sleep_forever()
        raise AssertionError("this point is never reached")

    async def search(
        self,
        principal: Principal,
        table: str,
        queries: Sequence[Query],
        *,
        door: Door,
        **options: object,
    ) -> list[LookupAnswer]:
        """Answers queries. The answers have the order of the queries. An invalid query does not
        affect the other queries.

        Args:
            principal: the principal on whose behalf the queries are answered.
            table: name of a lookup table.
            queries: the queries, each a string or an object with the members query, language,
                domain, properties, strict, threshold and limit of api.search_lookups.
            door: door through which the queries came.
            options: other arguments of api.search_lookups, by name. They apply to all queries:
                k_final, k_fuzzy, active_only, explain.

        Raises:
            QmError: QM404 unsupported_table, QM413 batch_too_large, QM422 argument_invalid, QM429
                rate_limited, QM503 database_unavailable, QM504 timeout.
        """
        with self._limited(principal, door):
            return await self._answer(api.search_lookups, principal, table, queries, door, options)

    async def reconcile(
        self,
        principal: Principal,
        table: str | None,
        queries: Sequence[Query],
        *,
        door: Door,
        k_final: int,
    ) -> list[LookupAnswer]:
        """Answers a batch of queries from the reconciliation API. The answers have the order of the
        queries.

        Args:
            principal: the principal on whose behalf the queries are answered.
            table: name of a lookup table. None stands for all tables that the principal may see.
            queries: the queries, each an object in the format of api.reconcile_lookups.
            door: door through which the queries came.
            k_final: largest number of rows for a query that states no limit.

        Raises:
            QmError: QM404 unsupported_table, QM413 batch_too_large, QM429 rate_limited, QM503
                database_unavailable, QM504 timeout.
        """
        options: dict[str, object] = {"k_final": k_final}
        make = api.reconcile_lookups
        with self._limited(principal, door):
            return await self._answer(make, principal, table, queries, door, options)

    @contextmanager
    def _limited(self, principal: Principal, door: Door) -> Generator[None]:
        """Counts the request against the principal's limit. If the request fails, counts the
        failure.
        """
        self._limit.spend(principal)
        try:
            yield
        except BaseException:
            # The metrics omit the table's name, because a client may send any string.
            self._meters.lookups.labels("none", door, "failed").inc()
            raise

    async def _answer(
        self,
        make: Callable[..., ApiCall[Any]],
        principal: Principal,
        table: str | None,
        queries: Sequence[Query],
        door: Door,
        options: Mapping[str, object],
    ) -> list[LookupAnswer]:
        started = time.perf_counter()
        state = await self._database.call_one(api.lookup_state(lookup=table), principal)
        keys = [key_of(state["state"], make.__name__, options, [table, query]) for query in queries]
        known = self._remembered(keys)
        asked = [*zip(keys, queries, strict=True)]
        if len(asked) <= _MAX_CACHED_BATCH:
            asked = [*{key: query for key, query in asked if key not in known}.items()]
        if asked:
            texts = [query for _, query in asked]
            given: dict[str, object] = {"queries": texts, **options}
            if state["has_vectors"] and self._embedder is not None:
                # The active model may change while this model is computing.
                principal = replace(principal, goal_model=self._embedder.model.name)
                given["query_vectors"] = await query_vectors(self._embedder, texts, principal.name)
            rows = await self._in_parts(make, principal, table, given)
            for (key, _), row in zip(asked, rows, strict=True):
                known[key] = LookupAnswer(row["rows"], row["error"], retired=row["retired"] or ())
                self.cache.keep(key, known[key])
        answers = [known[key] for key in keys]
        seconds = time.perf_counter() - started
        request = Request(
            principal, table, door, queries, options, state["profile"], state["share"], seconds
        )
        self.observer.note(request, answers)
        return answers

    async def _in_parts(
        self,
        make: Callable[..., ApiCall[Any]],
        principal: Principal,
        table: str | None,
        given: Mapping[str, Any],
    ) -> Sequence[Row]:
        """Sends the queries to the database. The two halves of a batch are answered in parallel,
        each on its own connection.
        """
        queries: Sequence[Query] = given["queries"]
        if not _MIN_PARALLEL_BATCH <= len(queries) <= _MAX_CACHED_BATCH:
            return await self._database.call(make(lookup=table, **given), principal)
        middle = (len(queries) + 1) // 2
        found: dict[int, list[Row]] = {}

        async def ask(start: int, part: slice) -> None:
            vectors = given.get("query_vectors")
            own = {**given, "queries": queries[part]}
            if vectors is not None:
                own["query_vectors"] = vectors[part]
            found[start] = await self._database.call(make(lookup=table, **own), principal)

        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(ask, 0, slice(middle))
                tasks.start_soon(ask, 1, slice(middle, None))
        except* QmError as group:
            raise group.exceptions[0] from None
        return [*found[0], *found[1]]

    def _remembered(self, keys: Sequence[bytes]) -> dict[bytes, LookupAnswer]:
        """Returns the answers to the queries that are in the cache. A query that occurs several
        times is looked up in the cache only once.
        """
        found = {key: self.cache.find(key) for key in dict.fromkeys(keys)}
        known = {key: replace(answer, is_cached=True) for key, answer in found.items() if answer}
        self._meters.cache.labels("hit").inc(len(known))
        self._meters.cache.labels("miss").inc(len(found) - len(known))
        return known


async def query_vectors(
    embedder: AsyncEmbedder, queries: Sequence[str | Mapping[str, Any]], who: str
) -> list[str | None] | None:
    """Returns the vector of each query. A query without text has the vector None.

    Args:
        embedder: embedder of the active model.
        queries: queries in the format of api.search_lookups and api.reconcile_lookups.
        who: name of the principal who asks.

    Returns:
        The vectors. None if the model fails; then the answers are worse, because they are found
        only by words.
    """
    texts = [_text(query) for query in queries]
    asked = [*dict.fromkeys(text for text in texts if text)]
    try:
        vectors = vector_texts(await embedder.embed_queries(asked, who))
    except Exception as error:  # noqa: BLE001 - whatever a model raises, words still find
        log.warning("embedding_failed", model=embedder.model.name, error=str(error))
        return None
    known = dict(zip(asked, vectors, strict=True))
    return [known.get(text) for text in texts]


def _text(query: str | Mapping[str, Any]) -> str:
    text = query.get("query") if isinstance(query, Mapping) else query
    # The database rejects other types, and texts that are too long, for each query separately.
    return text.strip()[:_MAX_QUERY_CHARACTERS] if isinstance(text, str) else ""
