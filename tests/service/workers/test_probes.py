"""Tools that say that they only read, run on their own examples."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from quartermaster import api
from quartermaster.catalog.probes import ProbeWorker
from quartermaster.upstream.confinement import confinement
from tests.service.workers.conftest import Catalog
from tests.support.waiting import until

READS = {"readOnlyHint": True, "openWorldHint": False}
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def tool(name: str, **members: Any) -> dict[str, Any]:
    schema = NUMBER | {"examples": members.pop("examples", [{"n": 1}])}
    return {"name": name, "inputSchema": schema, "annotations": READS} | members


def said(text: str, **members: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], **members}


async def probed(catalog: Catalog, *names: str) -> dict[str, tuple[bool | None, str]]:
    """Returns what the probes of an origin's tools have shown, once each was asked for."""
    service = catalog.service
    for name in names:
        await service.database.call(api.request_probe(name=name), service.worker)
    query = (
        "select t.public_name, p.is_honest, p.problem from calls.probe as p"
        " inner join catalog.item as t on t.id = p.item_id"
    )
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ProbeWorker(service).run)
        await until(lambda: len(catalog.rows(query)) == len(names))
        tasks.cancel_scope.cancel()
    return {name: (is_honest, problem) for name, is_honest, problem in catalog.rows(query)}


@pytest.mark.anyio
async def test_dishonest_tools_are_found_and_lose_value(catalog: Catalog) -> None:
    tools = [
        tool("honest", outputSchema=NUMBER),
        tool("misfit", examples=[{"n": "one"}]),
        tool("refuses"),
        tool("unstructured", outputSchema=NUMBER),
        tool("mistyped", outputSchema=NUMBER),
        tool("writes"),
    ]
    results = {
        "honest": said("1", structuredContent={"n": 1}),
        "refuses": said("no such thing", isError=True),
        "unstructured": said("1"),
        "mistyped": said("1", structuredContent={"n": "one"}),
        "writes": said("Deleted 3 rows."),
    }
    await catalog.carry_out(await catalog.offer("o", tools, results))

    found = await probed(catalog, *(f"o__{t['name']}" for t in tools))

    assert found.pop("o__honest") == (True, "")
    assert {name: (honest, problem.split(":")[0]) for name, (honest, problem) in found.items()} == {
        "o__misfit": (False, "the tool's own example does not fit its schema"),
        "o__refuses": (False, "the tool refuses its own example"),
        "o__unstructured": (
            False,
            "the result lacks the structured content that the schema describes",
        ),
        "o__mistyped": (False, "the result does not match the schema"),
        "o__writes": (False, "the tool claims to be read-only, but reports a change"),
    }
    worth = dict(catalog.rows("select name, dishonesty from catalog.item where kind = 'tool'"))
    assert worth.pop("honest") == 0
    assert set(worth.values()) == {1}
    # Calls like any other, with their duration, but no outcome to learn from.
    await catalog.database.ends_are_written()
    calls = "select count(*), bool_and(duration_ms > 0) from calls.call"
    assert catalog.rows(calls) == [(6, True)]
    assert catalog.rows("select selection.refresh_utility()") == [(0,)]


@pytest.mark.anyio
async def test_a_tool_of_the_open_world_may_refuse_where_there_is_no_network(
    catalog: Catalog,
) -> None:
    if confinement().kind != "bwrap":
        pytest.skip("bubblewrap is not there, or may not make namespaces")
    refused = tool("fetch", annotations={"readOnlyHint": True})
    await catalog.carry_out(
        await catalog.offer("o", [refused], {"fetch": said("no route", isError=True)})
    )

    found = await probed(catalog, "o__fetch")

    problem = "without a network: the tool refuses its own example: no route"
    assert found == {"o__fetch": (None, problem)}
    assert catalog.rows("select sandbox from calls.probe") == [("bwrap",)]


@pytest.mark.anyio
async def test_an_upstream_that_is_away_breaks_no_promise(catalog: Catalog) -> None:
    await catalog.carry_out(await catalog.offer("o", [tool("a")]))
    catalog.write_offer("o", [tool("a")]).write_text("not JSON")

    found = await probed(catalog, "o__a")

    [(is_honest, problem)] = found.values()
    assert (is_honest, bool(problem)) == (None, True)
    assert catalog.rows("select dishonesty from catalog.item where kind = 'tool'") == [(0,)]


@pytest.mark.anyio
async def test_nothing_is_run_unasked_by_default(catalog: Catalog) -> None:
    await catalog.carry_out(await catalog.offer("o", [tool("a")], {"a": said("1")}))
    worker = catalog.service.worker

    assert await catalog.service.database.call(api.claim_probes(), worker) == []

    with catalog.database.connect() as connection:
        connection.execute(
            "update core.setting set value = '\"1 h\"' where name = 'probe.interval'"
        )
    [row] = await catalog.service.database.call(api.claim_probes(), worker)
    assert (row["name"], row["examples"]) == ("o__a", [{"n": 1}])
