"""The conformance list of the MCP tool specification, point by point, and its error model."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError
from mcp_types import TextResourceContents
from structlog.testing import capture_logs

from kinds.lookup.tests.service.reconcile.mcp.conftest import (
    Connect,
    answer_of,
    error_of,
    ids_of,
    token_of,
)
from quartermaster import __version__
from quartermaster import api as core_api
from quartermaster.models.vector_text import vector_texts
from quartermaster.service import Service
from quartermaster_lookup import api
from quartermaster_lookup.reconcile.mcp.server import ReconcileFront
from quartermaster_lookup.settings import Reconcile
from tests.service.doors.http.test_http import JSON, PING, Door

pytestmark = pytest.mark.anyio

PLANT = {"table": "plant"}


async def test_nobody_comes_in_without_a_key(door: Door):
    async with door.http(None) as http, door.http("wrong") as stranger:
        for client in (http, stranger):
            answer: httpx2.Response = await client.post("/mcp/reconcile", json=PING, headers=JSON)
            assert answer.status_code == 401
    async with door.http(token_of("alice")) as http:
        broken = await http.post("/mcp/reconcile", content=b'{"jsonrpc": ', headers=JSON)
        assert broken.status_code == 400


BAD: list[tuple[dict[str, Any], str]] = [
    ({"table": "plnt", "query": "x"}, "UNSUPPORTED_TABLE"),
    ({"table": "hidden", "query": "x"}, "UNSUPPORTED_TABLE"),
    ({**PLANT, "query": "x", "k_final": 0}, "INVALID_PARAM"),
    ({**PLANT, "query": "x", "k_final": 101}, "INVALID_PARAM"),
    ({**PLANT, "query": "x", "k_fuzzy": 101}, "INVALID_PARAM"),
    ({**PLANT, "query": "x", "return": {"limit": 51}}, "INVALID_PARAM"),
    ({**PLANT, "query": "x", "threshold": 2}, "INVALID_PARAM"),
    ({**PLANT, "query": " "}, "INVALID_PARAM"),
    ({**PLANT, "query": "x" * 1_000_000}, "INVALID_PARAM"),
    ({**PLANT, "query": "x\u0000y"}, "INVALID_PARAM"),
    ({**PLANT, "query": "x", "filters": {"properties": {"colour": "red"}}}, "INVALID_PARAM"),
    ({**PLANT, "query": "x", "filters": {"properties": []}}, "BAD_REQUEST"),
    ({**PLANT, "query": 7}, "BAD_REQUEST"),
    ({**PLANT}, "BAD_REQUEST"),
    ({**PLANT, "query": "x", "k": 3}, "BAD_REQUEST"),
]


@pytest.mark.parametrize(("arguments", "code"), BAD, ids=range(len(BAD)))
async def test_bad_questions_have_an_error_of_the_model(
    connect: Connect, arguments: dict[str, Any], code: str
):
    async with connect() as client:
        error = error_of(await client.call_tool("search_lookup", arguments))
    assert error["code"] == code
    assert error["details"]["hint"]
    assert len(error["message"]) < 500
    if len(str(arguments.get("query"))) > 1000:
        assert "longer than 1000" in error["message"]


async def test_an_unknown_table_is_told_with_the_nearest_that_may_be_seen(connect: Connect):
    async with connect() as client:
        error = error_of(await client.call_tool("search_lookup", {"table": "plants", "query": "x"}))
        absent = error_of(await client.call_tool("get_by_id", {**PLANT, "id": "99"}))
    assert "plant" in error["details"]["hint"]
    assert "hidden" not in error["details"]["hint"]
    assert absent["code"] == "NOT_FOUND"


async def test_what_takes_longer_than_its_budget_is_ended(connect: Connect, service: Service):
    short = service.settings.of(Reconcile).model_copy(update={"search_timeout_ms": 1})
    hurried = replace(service, settings=service.settings.model_copy(update={"reconcile": short}))
    tool = {**PLANT, "query": "Betula pendula Roth 1788"}
    async with Client(ReconcileFront(hurried).server) as client:
        assert error_of(await client.call_tool("search_lookup", tool))["code"] == "TIMEOUT"
    async with connect() as client:
        assert ids_of(answer_of(await client.call_tool("search_lookup", tool)))[0] == "1"


async def test_happy_path_at_most_k_final_candidates_sorted_by_blend(connect: Connect, era: str):
    asked = {**PLANT, "query": "Betula pendula", "k_final": 3, "threshold": 0}
    async with connect(era=era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        answer = answer_of(await client.call_tool("search_lookup", asked))
    assert tools.keys() == {"search_lookup", "rerank", "get_by_id", "normalize"}
    assert 0 < len(answer["candidates"]) <= 3
    assert answer["limits"] == {"k_fuzzy": 30, "k_sem": 30, "k_final": 3}
    blends = [candidate["raw_scores"]["blend"] for candidate in answer["candidates"]]
    assert blends == sorted(blends, reverse=True)
    assert all(0 <= score <= 1 for score in blends)
    assert len(set(ids_of(answer))) == len(ids_of(answer))
    assert [candidate["match"] for candidate in answer["candidates"]].count(True) == 1
    assert answer["candidates"][0]["match"]


async def test_filters_keep_inactive_rows_and_other_domains_out(connect: Connect):
    async with connect() as client:

        async def found(query: str, **more: Any) -> list[str]:
            asked = {**PLANT, "query": query, "threshold": 0, **more}
            return ids_of(answer_of(await client.call_tool("search_lookup", asked)))

        assert "4" not in await found("Betula alba")
        assert (await found("Betula alba", active_only=False))[0] == "4"
        assert set(await found("Salix", filters={"domain": "shrubs"})) == {"6", "7"}
        strict = {"properties": {"family": "Poaceae"}, "strict": True}
        assert await found("B. pendula", filters=strict) == ["3"]
        assert await found("B. pendula", filters={"properties": {"family": "Poaceae"}}) != ["3"]


async def test_meaning_is_a_score_where_names_have_vectors(connect: Connect, service: Service):
    boss, call = await service.database.find_principal("boss"), service.database.call
    await call(api.create_lookup(name="phrase"), boss)
    await call(api.load_lookup(lookup="phrase", rows=[{"id": "1", "value": "preys on"}]), boss)
    await call(api.configure_lookup_vectors(lookup="phrase", enabled=True), boss)
    waiting = await call(
        core_api.claim_unembedded(model=service.retriever.embedder.model.name), boss
    )
    # As far from the query as can be: the cosine is -1.
    vectors = vector_texts(-(await service.retriever.embedder.embed_queries(["preys on"])))
    await call(
        core_api.store_embeddings(
            model=service.retriever.embedder.model.name,
            kinds=[row["kind"] for row in waiting],
            text_hashes=[row["text_hash"] for row in waiting],
            vectors=vectors * len(waiting),
        ),
        boss,
    )
    try:
        async with connect() as client:
            asked = {"table": "phrase", "query": "preys on", "threshold": 0}
            answer = answer_of(await client.call_tool("search_lookup", asked))
            [content] = (await client.read_resource("lookup_tables")).contents
    finally:
        await call(api.drop_lookup(lookup="phrase"), boss)
    assert answer["candidates"][0]["raw_scores"]["sem"] == 0
    assert isinstance(content, TextResourceContents)
    columns = {each["table"]: each["columns"] for each in json.loads(content.text)}
    assert [name for name, held in columns.items() if "emb" in held] == ["phrase"]


async def test_a_language_that_is_preferred_comes_first(connect: Connect):
    async with connect() as client:
        for language, first in (("sv", "6"), ("la", "7")):
            asked = {**PLANT, "query": "Salix repens", "language": language, "threshold": 0}
            answer = answer_of(await client.call_tool("search_lookup", asked))
            assert ids_of(answer)[0] == first
            report = {each["id"]: each["raw_scores"]["language"] for each in answer["candidates"]}
            assert {"6": report["6"], "7": report["7"]} == {"6": first == "6", "7": first == "7"}


async def test_what_is_returned_can_be_chosen(connect: Connect):
    wanted = {"raw_scores": False, "aliases": True, "limit": 1}
    async with connect() as client:
        asked = {**PLANT, "query": "vartbjork", "return": wanted}
        [candidate] = answer_of(await client.call_tool("search_lookup", asked))["candidates"]
    assert candidate["aliases"] == ["vårtbjörk"]
    assert candidate["name"] == "vårtbjörk"
    assert "raw_scores" not in candidate


async def test_nothing_is_returned_below_the_threshold(connect: Connect):
    async with connect() as client:
        asked = {**PLANT, "query": "Xyzzy quux"}
        assert answer_of(await client.call_tool("search_lookup", asked))["candidates"] == []


async def test_a_retired_row_is_told_beside_an_empty_list(connect: Connect):
    async with connect() as client:
        answer = answer_of(
            await client.call_tool("search_lookup", {**PLANT, "query": "Betula alba"})
        )
        other = answer_of(await client.call_tool("search_lookup", {**PLANT, "query": "B. nana"}))
    assert answer["candidates"] == []
    assert answer["meta"] == {"retired": [{"id": "4", "value": "Betula alba"}]}
    assert "meta" not in other


async def test_reranked_first_belongs_to_the_candidates(connect: Connect, era: str):
    given = [{"id": "1", "value": "Betula pendula"}, {"id": "2", "value": "Betula nana"}]
    async with connect(era=era) as client:
        asked = {"query": "B. nana", "candidates": given, "k": 1}
        learned = answer_of(await client.call_tool("rerank", {**asked, **PLANT}))
        trigrams = answer_of(await client.call_tool("rerank", asked))
        hidden = error_of(await client.call_tool("rerank", {**asked, "table": "hidden"}))
        none = answer_of(await client.call_tool("rerank", {**asked, "candidates": []}))
        many = {**asked, "candidates": given * 51}
        assert error_of(await client.call_tool("rerank", many))["code"] == "INVALID_PARAM"
    for answer, model in ((learned, "learned"), (trigrams, "trigram")):
        assert [result["id"] for result in answer["results"]] == ["2"]
        assert 0 <= answer["results"][0]["score"] <= 1
        assert answer["model"] == model
    assert hidden["code"] == "UNSUPPORTED_TABLE"
    assert none["results"] == []


async def test_without_models_an_answer_says_what_it_lacks(connect: Connect):
    async with connect() as client:
        asked = {**PLANT, "query": "Betula nana", "rerank": True, "finalize": True}
        answer = answer_of(await client.call_tool("search_lookup", asked))
    assert ids_of(answer)[0] == "2"
    assert "final" not in answer
    assert [note.partition(":")[0] for note in answer["notes"]] == ["Not reranked", "Not finalised"]


async def test_a_row_and_the_normal_form_of_a_string(connect: Connect):
    async with connect() as client:
        row = answer_of(await client.call_tool("get_by_id", {**PLANT, "id": "1"}))
        normal = answer_of(await client.call_tool("normalize", {"text": " Älg  "}))
        ops = {"text": " Älg  ", "ops": ["lower", "trim"]}
        lower = answer_of(await client.call_tool("normalize", ops))
        wrong = {"text": "x", "ops": ["shout"]}
        assert error_of(await client.call_tool("normalize", wrong))["code"] == "INVALID_PARAM"
    assert (row["value"], row["aliases"], row["active"]) == ("Betula pendula", ["vårtbjörk"], True)
    assert row["provenance"].keys() == {"source", "created_at", "updated_at"}
    assert (normal["result"], lower["result"]) == ("alg", "älg")


async def test_resources_tell_tables_and_their_rows_in_pages(connect: Connect, era: str):
    async with connect(era=era) as client:

        async def read(uri: str) -> Any:
            [content] = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            return json.loads(content.text)

        listed = [resource.uri for resource in (await client.list_resources()).resources]
        templates = (await client.list_resource_templates()).resource_templates
        info = await read("server_info")
        [table] = await read("reconcile://lookup_tables")
        page = await read("lookup_rows:plant?limit=2&offset=1")
        last = await read("reconcile://lookup_rows/plant?offset=4&active_only=false&language=la")
        for wrong in ("lookup_rows:plant?limit=51", "lookup_rows:hidden", "rows", "lookup_rows:"):
            with pytest.raises(MCPError) as refused:
                await read(wrong)
            assert refused.value.error.data["error"]["code"] in {
                "INVALID_PARAM",
                "UNSUPPORTED_TABLE",
                "NOT_FOUND",
            }
    assert listed == ["reconcile://server_info", "reconcile://lookup_tables"]
    assert [template.name for template in templates] == ["lookup_rows:{table}"]
    assert info["version"] == __version__
    assert (info["emb_model"], info["pgvector_dim"]) == ("minilm-tools-4", 384)
    assert "search_lookup" in info["features"]
    assert (table["table"], table["languages"]) == ("plant", ["en", "la", "sv"])
    assert (table["threshold"], table["status"], table["domain"]) == (0.6, "ready", "")
    assert table["columns"]["norm_value"] == "text"
    assert info["server"] == "quartermaster.reconcile"
    assert [row["id"] for row in page["rows"]] == ["2", "3"]
    assert page["next_offset"] == 3
    assert [row["id"] for row in last["rows"]] == ["7"]
    assert last["next_offset"] is None


async def test_the_server_has_the_id_of_the_settings(service: Service):
    named = service.settings.of(Reconcile).model_copy(update={"server_id": "sead.pg"})
    renamed = replace(service, settings=service.settings.model_copy(update={"reconcile": named}))
    async with Client(ReconcileFront(renamed).server) as client:
        [content] = (await client.read_resource("server_info")).contents
        assert client.server_info.name == "sead.pg"
    assert isinstance(content, TextResourceContents)
    assert json.loads(content.text)["server"] == "sead.pg"


async def test_every_answer_names_the_version_of_the_server(connect: Connect):
    async with connect() as client:
        called = await client.call_tool("normalize", {"text": "x"})
        refused = await client.call_tool("normalize", {})
    for result in (called, refused):
        assert (result.meta or {})["quartermaster/version"] == __version__


async def test_each_call_is_a_line_of_the_log_without_what_was_asked(connect: Connect):
    with capture_logs() as lines:
        async with connect() as client:
            for table in ("plant", "plnt"):
                asked = {"table": table, "query": "a secret birch", "k_final": 7}
                await client.call_tool("search_lookup", asked)
    report = [line for line in lines if line["event"] == "tool_answered"]
    assert [(line["tool"], line["table"], line["error"]) for line in report] == [
        ("search_lookup", "plant", None),
        ("search_lookup", "plnt", "unsupported_table"),
    ]
    assert all(line["principal"] == "alice" and line["elapsed_ms"] >= 0 for line in report)
    [found] = [line for line in lines if line["event"] == "lookups_answered"]
    assert (found["table"], found["k"], found["rows"]) == ("plant", 7, 0)
    assert len(found["query_hash"]) == 64
    assert "secret" not in str(lines)
