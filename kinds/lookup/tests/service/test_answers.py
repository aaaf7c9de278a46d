"""Answers of lookup tables: remembered while they hold, counted, logged, tried in the shadow."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

import anyio
import numpy as np
import pytest
from numpy.typing import NDArray

from quartermaster import api as core_api
from quartermaster.core import logs
from quartermaster.core.errors import QmError, WaitError
from quartermaster.core.meters import Meters
from quartermaster.db import Database as AsyncDatabase
from quartermaster.db import Principal
from quartermaster.models.asynchronous import AsyncEmbedder
from quartermaster.settings.sections import LimitSettings
from quartermaster_lookup import api
from quartermaster_lookup.lookup_answers import LookupAnswers
from quartermaster_lookup.meters import LookupMeters
from quartermaster_lookup.observing import hash_of
from quartermaster_lookup.settings import Lookup
from tests.support.connected import connected
from tests.support.database import Database
from tests.support.waiting import until

pytestmark = pytest.mark.anyio

PLANTS = [
    {"id": "1", "value": "Betula pendula", "aliases": ["silver birch"]},
    {"id": "2", "value": "Betula nana"},
    {"id": "3", "value": "Salix repens"},
]


class Hanging:
    """A model that puts what hangs on one axis, and all else on another."""

    name, dimension, query_prefix, passage_prefix = "hanging", 2, "", ""

    def goal_text(self, goal: str) -> str:
        return goal

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.fails:
            raise RuntimeError("the model fails")
        self.asked += texts
        hangs = [any(word in text for word in ("pendula", "weeping")) for text in texts]
        return np.array([[hang, not hang] for hang in hangs], dtype=np.float32)


class Lookups:
    """Answers over a small table, with what is counted and what the log has."""

    def __init__(self, connections: AsyncDatabase, database: Database) -> None:
        self.connections = connections
        self.database = database
        self.meters = Meters()
        self.own = LookupMeters(self.meters)
        self.answers = self.having(Lookup(), LimitSettings(lookups_per_s=0))

    def having(self, options: Lookup, limits: LimitSettings) -> LookupAnswers:
        return LookupAnswers(self.connections, options, limits, self.own)

    async def principal(self, name: str) -> Principal:
        return await self.connections.find_principal(name)

    async def load(self, rows: list[dict[str, Any]]) -> None:
        operator = await self.principal("quartermaster")
        await self.connections.call(api.create_lookup(name="plant"), operator)
        await self.connections.call(
            api.load_lookup(lookup="plant", rows=rows, may_remove=True), operator
        )

    async def requests(self, columns: str) -> list[tuple[Any, ...]]:
        await self.answers.observer.log.flush()
        with self.database.connect() as connection:
            return connection.execute(
                f"select {columns} from selection.receipt order by id"  # pyright: ignore
            ).fetchall()

    def count(self, name: str, **labels: str) -> float:
        return self.meters.registry.get_sample_value(f"quartermaster_{name}", labels) or 0


@pytest.fixture
async def lookups(database: Database) -> AsyncGenerator[Lookups]:
    async with connected(database.service_dsn) as connections:
        lookups = Lookups(connections, database)
        await lookups.load(PLANTS)
        yield lookups


async def test_an_unknown_table_and_a_batch_that_is_too_large_are_refused(lookups: Lookups):
    local = await lookups.principal("local")
    with pytest.raises(QmError, match="plant") as refused:
        await lookups.answers.search(local, "plants", ["x"], door="mcp")
    assert refused.value.slug == "unsupported_table"
    with pytest.raises(QmError) as refused:
        await lookups.answers.search(local, "plant", [f"x{n}" for n in range(1001)], door="mcp")
    assert refused.value.slug == "batch_too_large"
    assert lookups.count("lookups_total", table="none", door="mcp", outcome="failed") == 2


async def test_who_asks_too_often_is_told_when_to_come_back(lookups: Lookups):
    answers = lookups.having(Lookup(), LimitSettings(lookups_per_s=1, lookups_burst=2))
    worker = await lookups.principal("quartermaster")
    for _ in range(2):
        await answers.search(worker, "plant", ["Betula nana"], door="mcp")
    with pytest.raises(WaitError, match="limit of 1 requests to lookup") as refused:
        await answers.search(worker, "plant", ["Betula nana"], door="mcp")
    assert (refused.value.status, refused.value.header) == (429, "1")
    local = await lookups.principal("local")
    assert await answers.search(local, "plant", ["Betula nana"], door="mcp"), "another may"
    assert lookups.count("limited_total", what="lookups") == 1


async def test_an_answer_is_remembered_until_the_table_changes(lookups: Lookups):
    local = await lookups.principal("local")

    async def ask() -> tuple[str, bool]:
        [answer] = await lookups.answers.search(local, "plant", ["silver birch"], door="http")
        return answer.rows[0]["id"], answer.is_cached

    assert [await ask(), await ask()] == [("1", False), ("1", True)]
    await lookups.load([*PLANTS[1:], {"id": "9", "value": "silver birch"}])
    assert [await ask(), await ask()] == [("9", False), ("9", True)]
    operator = await lookups.principal("quartermaster")
    await lookups.connections.call(
        api.configure_lookup(lookup="plant", new_threshold=0.5), operator
    )
    assert await ask() == ("9", False)
    assert lookups.count("lookup_cache_total", result="hit") == 2
    assert (lookups.answers.cache.hits, lookups.answers.cache.misses) == (2, 3)


async def test_what_one_may_see_is_no_answer_for_another(lookups: Lookups):
    worker, local = await lookups.principal("quartermaster"), await lookups.principal("local")
    await lookups.answers.search(local, "plant", ["Betula nana"], door="mcp")
    admin = Principal(worker.id, worker.name, "admin")
    rules = {"rules": [{"effect": "deny", "subject": "principal:local", "origins": ["plant"]}]}
    await lookups.connections.call(core_api.apply_rules(definition=rules), admin)
    with pytest.raises(QmError) as refused:
        await lookups.answers.search(local, "plant", ["Betula nana"], door="mcp")
    assert refused.value.slug == "unsupported_table"
    [answer] = await lookups.answers.search(worker, "plant", ["Betula nana"], door="mcp")
    assert answer.rows


async def test_a_batch_keeps_its_order_whatever_is_remembered(lookups: Lookups):
    local = await lookups.principal("local")
    await lookups.answers.search(local, "plant", ["Betula nana"], door="mcp")
    batch = ["", "Salix repens", "Betula nana", "Salix repens", {"query": "Betula pendula"}]
    answers = await lookups.answers.search(local, "plant", batch, door="mcp")
    assert answers[0].error is not None
    assert answers[0].error["slug"] == "query_empty"
    assert [answer.rows[0]["id"] for answer in answers[1:]] == ["3", "2", "3", "1"]
    assert [answer.is_cached for answer in answers] == [False, False, True, False, False]


async def test_each_query_is_logged_by_its_hash_and_not_by_its_words(
    lookups: Lookups, capfd: pytest.CaptureFixture[str]
):
    logs.configure("info")
    local = await lookups.principal("local")
    with logs.request_scope("r1"):
        await lookups.answers.search(local, "plant", ["  Betula  NANA "], door="mcp", k_final=3)
        strange = {"query": "Xyzzy", "limit": 10**12}
        await lookups.answers.search(local, "plant", [strange, 7, ""], door="http")  # pyright: ignore
    rows = await lookups.requests(
        "encode(goal_hash, 'hex'), goal, door, request_id, jsonb_array_length(offered),"
        " offered -> 0 ->> 'name', detail, stages"
    )
    assert rows[0] == (
        *(hash_of("betula nana"), None, "mcp", "r1", 2, "2"),
        {"k": 3, "match": True},
        {"cached": False},
    )
    assert [row[4:7] for row in rows[1:]] == [
        (0, None, {"match": False, "error": slug})
        for slug in ("argument_invalid", "query_empty", "query_empty")
    ]
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    report = next(line for line in lines if line["event"] == "lookups_answered")
    assert report["query_hash"] == hash_of("betula nana")
    [(offered,), *_] = await lookups.requests("offered")
    assert [each["scores"].keys() for each in offered] == [{"trgm", "cosine"}] * 2
    assert [each["id"] for each in report["top"]] == [each["name"] for each in offered]
    assert report["top"][0]["trgm"] == offered[0]["scores"]["trgm"] == 1
    assert "NANA" not in json.dumps(lines)
    assert lookups.count("lookups_total", table="plant", door="mcp", outcome="match") == 1
    assert lookups.count("lookups_total", table="plant", door="http", outcome="refused") == 3


async def test_queries_are_kept_where_the_settings_say_so(lookups: Lookups):
    lookups.answers = lookups.having(Lookup(keep_queries=True), LimitSettings())
    local = await lookups.principal("local")
    await lookups.answers.search(local, "plant", ["älg"], door="mcp")
    assert await lookups.requests("goal") == [("älg",)]
    operator = await lookups.principal("quartermaster")
    rows = await lookups.connections.call(api.list_unanswered_lookups(lookup="plant"), operator)
    assert [(row["query"], row["times"]) for row in rows] == [("älg", 1)]


async def test_what_runs_writes_the_log_also_when_it_is_stopped(lookups: Lookups):
    local = await lookups.principal("local")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lookups.answers.run)
        await anyio.wait_all_tasks_blocked()
        await lookups.answers.search(local, "plant", ["Betula nana"], door="mcp")
        tasks.cancel_scope.cancel()
    assert len(lookups.answers.observer.log) == 0
    assert len(await lookups.requests("id")) == 1


async def test_a_shadow_answers_after_the_reply_and_is_compared(lookups: Lookups):
    local, operator = await lookups.principal("local"), await lookups.principal("quartermaster")
    nothing: Mapping[str, object] = {"score": {"intercept": -99}, "confidence": {"intercept": -9}}
    await lookups.connections.call(
        api.configure_lookup_shadow(lookup="plant", share=1, weights=nothing), operator
    )
    typed = {"query": "Betula nana", "lookups": ["plant"]}
    [answer] = await lookups.answers.reconcile(local, "plant", [typed], door="http", k_final=3)
    assert answer.rows[0]["match"], "what counts is not changed by it"
    assert await lookups.requests("id") == [], "it is logged when both have answered"
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lookups.answers.run)
        counted = {"table": "plant", "outcome": "other"}
        await until(lambda: lookups.count("lookup_shadows_total", **counted))
        tasks.cancel_scope.cancel()
    columns = (
        "offered -> 0 ->> 'name', (detail ->> 'match')::boolean, detail #>> '{shadow,profile}',"
        " detail #>> '{shadow,key}', (detail #>> '{shadow,match}')::boolean"
    )
    assert await lookups.requests(columns) == [("2", True, "shadow:plant", None, False)]
    [row] = await lookups.connections.call(api.compare_lookup_shadow(), operator)
    assert (row["queries"], row["lost"], row["matched"], row["shadow_matched"]) == (1, 1, 1, 0)


async def test_queries_are_embedded_where_names_have_vectors_and_nowhere_else(lookups: Lookups):
    local, operator = await lookups.principal("local"), await lookups.principal("quartermaster")
    model, call = Hanging(), lookups.connections.call
    answers = LookupAnswers(
        lookups.connections,
        Lookup(),
        LimitSettings(lookups_per_s=0),
        LookupMeters(Meters()),
        AsyncEmbedder(model),
    )

    async def first(query: str) -> Mapping[str, Any] | None:
        asked = [query, "", {"query": 7}]
        [answer, *_] = await answers.search(local, "plant", asked, door="mcp")  # pyright: ignore
        return answer.rows[0] if answer.rows else None

    assert await first("weeping tree") is None
    assert model.asked == []
    await call(core_api.put_model(name=model.name, dimension=2, active=True), operator)
    weights = {"score": {"sem": 30, "intercept": -10}}
    await call(
        api.configure_lookup_vectors(lookup="plant", enabled=True, weights=weights), operator
    )
    waiting = await call(core_api.claim_unembedded(model=model.name), operator)
    await call(
        core_api.store_embeddings(
            model=model.name,
            kinds=[row["kind"] for row in waiting],
            text_hashes=[row["text_hash"] for row in waiting],
            vectors=["[1,0]" if "pendula" in row["embedding_text"] else "[0,1]" for row in waiting],
        ),
        operator,
    )
    found = await first("weeping tree")
    assert found is not None
    assert (found["id"], found["scores"]["sem"]) == ("1", 1)
    assert model.asked == ["weeping tree"]
    model.fails = True
    found = await first("Betula nana")
    assert found is not None, "words still find"
    assert (found["id"], found["scores"]["sem"]) == ("2", None)
