"""Where searches are made at a replica; here it is the primary itself, which is always as far."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit, urlunsplit

import pytest

from quartermaster.db import Replica
from quartermaster.service import Service
from tests.service.doors.http.test_http import TOKEN, add_key, serving
from tests.support.database import Database

pytestmark = pytest.mark.anyio


async def test_what_the_replica_finds_is_what_the_primary_would(
    service: Service, database: Database
):
    by_itself = await service.retriever.search(service.worker, "the echo tool of leaf")
    async with Replica.open(
        database.service_dsn, pool_max=2, statement_timeout_ms=30_000
    ) as replica:
        assert replica is not None
        retriever = replace(service.retriever, replica=replica)
        found = await retriever.search(service.worker, "the echo tool of leaf", mode="balanced")
        counts = {"taken": 1, "behind": 0, "failed": 0}
        assert replica.counts() == counts
        await add_key(service, "local", TOKEN)
        async with (
            serving(replace(service, retriever=retriever)) as door,
            door.http() as http,
        ):
            assert (await http.get("/status")).json()["service"]["replica"] == counts
            measured = (await http.get("/metrics")).text
        assert 'quartermaster_replica_searches_total{outcome="taken"} 1.0' in measured
    assert [row["name"] for row in found.rows] == [row["name"] for row in by_itself.rows]


async def test_a_replica_that_is_away_costs_nothing_but_the_attempt(
    service: Service, database: Database
):
    parts = urlsplit(database.service_dsn)
    away = urlunsplit(parts._replace(netloc=f"{parts.netloc.rpartition(':')[0]}:9"))
    async with Replica.open(away, pool_max=2, statement_timeout_ms=30_000) as replica:
        assert replica is not None
        retriever = replace(service.retriever, replica=replica)
        for _ in range(2):
            found = await retriever.search(service.worker, "the echo tool of leaf")
            assert found.rows
        assert (replica.taken, replica.failed) == (0, 1), "not asked again at once"
