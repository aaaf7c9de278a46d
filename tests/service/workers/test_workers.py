"""What a process does beside answering: it hears, refreshes, embeds, and says good-bye."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

import anyio
import pytest
from psycopg.types.json import Jsonb

from quartermaster import api
from quartermaster.catalog import ingest
from quartermaster.core.api_call import ApiCall
from quartermaster.db import Row
from quartermaster.models.known_vectors import read_known
from quartermaster.workers import embedder
from quartermaster.workers.embedder import EmbeddingWorker
from quartermaster.workers.run import run_workers
from quartermaster_knowledge.note_files import shipped_notes
from tests.service.workers.conftest import SERVER, Catalog
from tests.support.upstreams import is_running, rude_spec
from tests.support.waiting import until

VECTORS_OF_TOOLS = "select count(*) from search.embedding where kind = 'tool'"
TOOL = {"name": "ring", "description": "Rings the bell", "inputSchema": {"type": "object"}}
OTHER = {"name": "knock", "description": "Knocks at the door", "inputSchema": {"type": "object"}}


class Ear:
    """Counts how often the catalog is said to have changed."""

    def __init__(self) -> None:
        self.times = 0

    def heard(self) -> None:
        self.times += 1


@pytest.mark.anyio
async def test_an_added_origin_is_read_embedded_and_announced_at_once(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody looks without news.
    for worker in (ingest, embedder):
        monkeypatch.setattr(worker, "_POLL_S", 600.0)
    ear = Ear()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, catalog.service, on_catalog_changed=ear.heard))
        await until(lambda: ear.times == 1)  # Everything is looked at when listening begins.
        with anyio.fail_after(60):
            refresh = await catalog.offer("bell", [TOOL])
            row = await catalog.finished(refresh)
            await until(lambda: ear.times > 1)
            await until(lambda: catalog.rows(VECTORS_OF_TOOLS) == [(1,)])
        tasks.cancel_scope.cancel()

    assert row["added"] == 1


@pytest.mark.anyio
async def test_what_happens_while_nobody_listens_is_made_up_for(catalog: Catalog) -> None:
    ear = Ear()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, catalog.service, on_catalog_changed=ear.heard))
        await until(lambda: ear.times == 1)
        catalog.end_connections()
        path = catalog.write_offer("bell", [TOOL])
        folders = [{"path": str(SERVER)}, {"path": str(catalog.folder), "write": True}]
        catalog.rows(
            "select api.add_origin('bell', 'stdio', %s, sandbox => %s)",
            [sys.executable, str(SERVER), str(path)],
            Jsonb({"folders": folders}),
        )
        await until(lambda: catalog.rows("select status from catalog.refresh") == [("done",)])
        await until(lambda: ear.times > 1)
        await until(lambda: catalog.rows(VECTORS_OF_TOOLS) == [(1,)])
        tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_a_process_is_known_while_it_works_and_forgotten_when_it_stops(
    catalog: Catalog,
) -> None:
    known = "select count(*) from core.instance"
    ear = Ear()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, catalog.service, on_catalog_changed=ear.heard))
        await until(lambda: catalog.rows(known) == [(1,)])
        # Cancelled amid connecting, the driver would blame the next test for it.
        await until(lambda: ear.times == 1)
        tasks.cancel_scope.cancel()

    assert catalog.rows(known) == [(0,)]


@pytest.mark.anyio
async def test_work_of_a_killed_process_is_taken_up(catalog: Catalog) -> None:
    refresh = await catalog.offer("bell", [TOOL])
    service = catalog.service
    # The same process claimed it before it was killed.
    await service.database.call(api.claim_refresh(instance=service.id), service.worker)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, service, on_catalog_changed=lambda: None))
        row = await catalog.finished(refresh)
        tasks.cancel_scope.cancel()

    assert row["status"] == "done"


@pytest.mark.anyio
async def test_a_removed_origin_is_disconnected(catalog: Catalog) -> None:
    service = catalog.service
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, service, on_catalog_changed=lambda: None))
        await catalog.finished(await catalog.add_spec(rude_spec()))
        pid = service.upstreams.supervisor.states()["rude"].pid
        assert pid is not None
        await service.database.call(api.remove_origin(name="rude"), service.worker)
        await until(lambda: not is_running(pid))
        assert "rude" not in service.upstreams.supervisor.states()
        tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_an_error_of_the_listener_does_not_end_the_workers(catalog: Catalog) -> None:
    times = 0

    def breaks() -> None:
        nonlocal times
        times += 1
        raise RuntimeError("not my day")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, catalog.service, on_catalog_changed=breaks))
        await until(lambda: times == 1)
        await catalog.finished(await catalog.offer("bell", [TOOL]))
        await until(lambda: times == 2)
        tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_news_that_come_while_the_workers_stop_are_no_error(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = anyio.Event(), anyio.Event()

    async def listen(
        _: object, channels: object, heard: object, listening: Callable[[], None]
    ) -> None:
        begun.set()
        try:
            await anyio.sleep_forever()
        finally:
            listening()
            ended.set()

    monkeypatch.setattr(type(catalog.service.database), "listen", listen)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, catalog.service, on_catalog_changed=lambda: None))
        await begun.wait()
        tasks.cancel_scope.cancel()

    assert ended.is_set()


@pytest.mark.anyio
async def test_a_text_is_embedded_once_whoever_has_it(catalog: Catalog) -> None:
    vectors = "select text_hash, vector::text from search.embedding order by 1"
    await catalog.carry_out(await catalog.offer("bell", [TOOL, OTHER]))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(EmbeddingWorker(catalog.service).run)
        # Two tools, and what the server says of itself.
        await until(lambda: len(catalog.rows(vectors)) == 3)
        before = catalog.rows(vectors)

        catalog.write_offer("bell", [TOOL])
        await catalog.carry_out(await catalog.request("bell"))
        catalog.write_offer("bell", [TOOL, OTHER])
        await catalog.carry_out(await catalog.request("bell"))
        tasks.cancel_scope.cancel()

    service = catalog.service
    assert catalog.rows(vectors) == before
    assert not await service.database.call(
        api.claim_unembedded(model=service.retriever.embedder.model.name), service.worker
    )


@pytest.mark.anyio
async def test_a_teaching_without_a_vector_gets_one(catalog: Catalog) -> None:
    catalog.rows(
        "insert into search.teaching (kind, goal, goal_hash, ref, created_by, created_at)"
        " select k.name, 'ring the bell. Then wait.', sha256('x'), 1, p.id, now()"
        " from search.kind as k, policy.principal as p where k.is_default limit 1 returning id"
    )
    lengths = "select ext.vector_dims(v.vector) from search.teaching_vector as v"
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(EmbeddingWorker(catalog.service).run)
        await until(lambda: bool(catalog.rows(lengths)))
        tasks.cancel_scope.cancel()
    assert catalog.rows(lengths) == [(catalog.service.retriever.embedder.model.dimension,)]


@pytest.mark.anyio
async def test_a_few_texts_do_not_wait_until_many_are_embedded(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog.rows(
        "select search.put_cards(k.kind, (select jsonb_agg(jsonb_build_object("
        " 'ref', 1000000 + n, 'name', k.kind || n, 'fields', array['x']"
        ")) from generate_series(1, k.texts) as n))"
        " from (values ('passage', 300), ('symbol', 3)) as k (kind, texts)"
    )
    service = catalog.service
    claimed: list[set[str]] = []
    call = service.database.call

    async def noted(asked: ApiCall[Any], *arguments: Any) -> list[Row]:
        rows = await call(asked, *arguments)
        if asked.operation == "claim_unembedded":
            claimed.append({row["kind"] for row in rows})
        return rows

    monkeypatch.setattr(service.database, "call", noted)
    known = "select count(*) filter (where waiting = '{}') from search.embedded_kind"
    known += " where kind in ('passage', 'symbol')"
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(EmbeddingWorker(service).run)
        await until(lambda: catalog.rows(known) == [(2,)])
        tasks.cancel_scope.cancel()
    embedded = "select kind, count(*) from search.embedding where kind in ('passage', 'symbol')"
    assert catalog.rows(f"{embedded} group by 1 order by 1") == [("passage", 300), ("symbol", 3)]
    assert "symbol" in claimed[0]
    assert not any("symbol" in kinds for kinds in claimed[1:])


@pytest.mark.anyio
async def test_known_vectors_are_stored_and_only_the_others_are_computed(catalog: Catalog) -> None:
    model = catalog.service.retriever.embedder
    known = shipped_notes()[0].passages[0].heading
    catalog.rows(
        "select search.put_cards('question', (select jsonb_agg(jsonb_build_object("
        " 'ref', 1000000 + n, 'name', 'question' || n, 'fields', array[text],"
        " 'embedding_text', text"
        ")) from unnest(%s::text[]) with ordinality as t (text, n)))",
        [known, "is it blue"],
    )
    computed = model.batcher.items
    vectors = "select text_hash, vector::text from search.embedding where kind = 'question'"
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(EmbeddingWorker(catalog.service).run)
        await until(lambda: len(catalog.rows(vectors)) == 2)
        tasks.cancel_scope.cancel()

    assert model.batcher.items == computed + 1
    [other] = await model.embed(["is it blue"])
    key = sha256(known.encode()).digest()
    expected = {key: read_known(model.model)[key], sha256(b"is it blue").digest(): other}
    stored = {key: json.loads(vector) for key, vector in catalog.rows(vectors)}
    assert stored == {key: pytest.approx(vector, abs=1e-6) for key, vector in expected.items()}


@pytest.mark.anyio
async def test_stored_vectors_are_those_of_the_model(catalog: Catalog) -> None:
    await catalog.carry_out(await catalog.offer("bell", [TOOL]))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(EmbeddingWorker(catalog.service).run)
        await until(lambda: catalog.rows(VECTORS_OF_TOOLS) == [(1,)])
        tasks.cancel_scope.cancel()

    [(text, stored)] = catalog.rows(
        "select c.embedding_text, e.vector::text from search.card as c"
        " inner join search.embedding as e on e.kind = c.kind and e.text_hash = c.text_hash"
        " where c.kind = 'tool'"
    )
    [vector] = await catalog.service.retriever.embedder.embed([text])
    assert [float(n) for n in stored.strip("[]").split(",")] == pytest.approx(
        vector.tolist(), abs=1e-6
    )
