"""Curation over MCP: by curators, operators and administrators, and by nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import Client

from kinds.lookup.tests.service.reconcile.mcp.conftest import (
    PLANTS,
    Connect,
    answer_of,
    error_of,
    ids_of,
)
from quartermaster import api as core_api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.service import Service
from quartermaster_lookup import api
from quartermaster_lookup.reconcile.mcp.curator_tools import CURATOR_TOOLS
from quartermaster_lookup.reconcile.mcp.server import ReconcileFront
from tests.support.database import Database

pytestmark = pytest.mark.anyio

ROW = {"table": "plant", "id": "2"}
CALLS: dict[str, dict[str, Any]] = {
    "add_alias": {**ROW, "alias": "dwarf birch"},
    "remove_alias": {**ROW, "alias": "dwarf birch"},
    "retire_row": ROW,
    "restore_row": ROW,
    "attach_provenance": {**ROW, "provenance": {"source": "Flora"}},
    "list_curations": {"table": "plant"},
    "suggest_aliases": {"table": "plant"},
}


async def test_a_user_who_is_no_curator_neither_sees_nor_calls_their_tools(
    connect: Connect, era: str
):
    assert {tool.name for tool in CURATOR_TOOLS} == CALLS.keys()
    async with connect("alice", era) as client:
        assert not {tool.name for tool in (await client.list_tools()).tools} & CALLS.keys()
        for name, arguments in CALLS.items():
            error = error_of(await client.call_tool(name, arguments))
            assert error["code"] == "FORBIDDEN", name
            assert error["details"]["slug"] == "curator_required"
        row = answer_of(await client.call_tool("get_by_id", ROW))
    assert (row["aliases"], row["active"]) == ([], True)


@pytest.mark.parametrize("name", ["cora", "op", "boss"])
async def test_curators_operators_and_administrators_do(connect: Connect, name: str, era: str):
    async with connect(name, era) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} >= CALLS.keys()
        added = answer_of(await client.call_tool("add_alias", CALLS["add_alias"]))
        assert (added["aliases"], added["shared_with"]) == (["dwarf birch"], [])
        asked = {"table": "plant", "query": "Dwarf Birch"}
        assert ids_of(answer_of(await client.call_tool("search_lookup", asked)))[0] == "2"
        assert answer_of(await client.call_tool("retire_row", ROW))["active"] is False
        assert "2" not in ids_of(answer_of(await client.call_tool("search_lookup", asked)))
        said = answer_of(await client.call_tool("list_curations", CALLS["list_curations"]))
        assert {one["curator"] for one in said["curations"]} == {name}
        assert answer_of(await client.call_tool("restore_row", ROW))["active"] is True
        removed = answer_of(await client.call_tool("remove_alias", CALLS["remove_alias"]))
        assert removed["aliases"] == []
        sourced = answer_of(await client.call_tool("attach_provenance", CALLS["attach_provenance"]))
        assert sourced["provenance"] == {"source": "Flora"}
        await client.call_tool("attach_provenance", {**ROW, "provenance": {"source": None}})
        assert answer_of(await client.call_tool("list_curations", ROW))["curations"] == []


async def test_a_curator_of_what_it_may_not_see_is_none(connect: Connect):
    async with connect("cora") as client:
        hidden = {**CALLS["add_alias"], "table": "hidden", "id": "1"}
        assert error_of(await client.call_tool("add_alias", hidden))["code"] == "UNSUPPORTED_TABLE"


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("add_alias", {**ROW, "alias": " "}, "INVALID_PARAM"),
    ("add_alias", {**ROW, "alias": "Betula nana"}, "INVALID_PARAM"),
    ("add_alias", {**ROW, "alias": "x", "id": "99"}, "NOT_FOUND"),
    ("add_alias", ROW, "BAD_REQUEST"),
    ("remove_alias", {**ROW, "alias": "nobody gave it"}, "NOT_FOUND"),
    ("restore_row", ROW, "INVALID_PARAM"),
    ("attach_provenance", {**ROW, "provenance": "Flora"}, "BAD_REQUEST"),
    ("attach_provenance", {**ROW, "provenance": {}}, "INVALID_PARAM"),
    ("suggest_aliases", {"table": "plant", "strings": ["x"] * 5_000}, "INVALID_PARAM"),
]


@pytest.mark.parametrize(("name", "arguments", "code"), BAD, ids=range(len(BAD)))
async def test_a_curation_that_cannot_be_says_why(
    connect: Connect, name: str, arguments: dict[str, Any], code: str
):
    async with connect("cora") as client:
        assert error_of(await client.call_tool(name, arguments))["code"] == code


async def test_what_a_curator_said_outlives_a_load_and_is_audited(
    connect: Connect, service: Service, catalog: Database
):
    async with connect("cora") as client:
        given = {**CALLS["add_alias"], "reason": "asked for every week"}
        answer_of(await client.call_tool("add_alias", given))
        admin = await service.database.find_principal(LOCAL_PRINCIPAL)
        changed = [{**PLANTS[1], "aliases": ["Zwerg-Birke"]}]
        await service.database.call(
            api.load_lookup(lookup="plant", rows=changed, replaces=False), admin
        )
        row = answer_of(await client.call_tool("get_by_id", ROW))
        assert row["aliases"] == ["Zwerg-Birke", "dwarf birch"]
        answer_of(await client.call_tool("remove_alias", CALLS["remove_alias"]))
    with catalog.connect() as connection:
        records = connection.execute(
            "select r.principal, r.action, coalesce(r.after, r.before) ->> 'reason'"
            " from audit.record as r where r.table_name = 'lookup.curation'"
            " and coalesce(r.after, r.before) ->> 'reason' <> '' order by r.id"
        ).fetchall()
    reason = "asked for every week"
    assert records == [("cora", "insert", reason), ("cora", "delete", reason)]


async def test_strings_that_found_nothing_are_suggested_to_curators(connect: Connect):
    async with connect("cora") as client:
        asked = {"table": "plant", "strings": ["Betula", "betula", "Betula nana", "Xyzzy"]}
        suggestions = answer_of(await client.call_tool("suggest_aliases", asked))["suggestions"]
    assert "Xyzzy" not in [each["alias"] for each in suggestions]
    assert "Betula nana" not in [each["alias"] for each in suggestions]
    assert all(each["form"] == "asked" for each in suggestions)


async def test_a_curator_who_is_dismissed_is_none_at_once(connect: Connect, service: Service):
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    async with connect("cora") as client:
        try:
            await service.database.call(
                core_api.appoint_curator(name="cora", is_curator=False), admin
            )
            refused = error_of(await client.call_tool("add_alias", CALLS["add_alias"]))
            assert refused["code"] == "FORBIDDEN"
        finally:
            await service.database.call(
                core_api.appoint_curator(name="cora", is_curator=True), admin
            )


async def test_the_local_door_has_them_too(service: Service, era: str):
    async with Client(ReconcileFront(service).server, mode=era) as client:
        assert "add_alias" in {tool.name for tool in (await client.list_tools()).tools}
        asked = {"table": "plant", "query": "Betula nana"}
        assert ids_of(answer_of(await client.call_tool("search_lookup", asked)))[0] == "2"
