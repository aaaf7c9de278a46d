"""search_tools and describe_tool, as clients of both eras see them."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import Client

from quartermaster import api
from quartermaster.calls.argument_repair import REPAIRED_KEY
from quartermaster.doors.mcp.bridge_tools import BRIDGE_TOOLS
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.models.vector_text import stored_vectors
from quartermaster.service import Service
from quartermaster.workers.heartbeat import tell_installing
from tests.support.offers import offer
from tests.support.reading import error_of, names_of, text_of

pytestmark = pytest.mark.anyio

GOAL = "what time is it in Tokyo"


async def test_a_goal_finds_its_tool_with_a_receipt(front: McpFront, era: str, execute: Any):
    async with Client(front.server, mode=era) as client:
        found = await client.call_tool("search_tools", {"query": GOAL})
    assert "time__get_current_time" in names_of(found)
    receipt = found.structured_content["receipt"]
    assert execute(f"select goal, mode from selection.receipt where id = {receipt}") == [
        (GOAL, "balanced")
    ]
    first = found.structured_content["tools"][0]
    assert first["rank"] == 1
    assert 0 < first["score"] <= 1
    assert first["scores"]["sources"]


async def test_why_says_why_a_goal_does_not_return_a_tool(front: McpFront, era: str, execute: Any):
    execute("delete from selection.receipt")
    async with Client(front.server, mode=era) as client:
        there = await client.call_tool(
            "describe_tool", {"name": "time__get_current_time", "why": GOAL}
        )
        nowhere = await client.call_tool("describe_tool", {"name": "time__none", "why": GOAL})
        past = {"name": "time__get_current_time", "why": GOAL, "as_of": "2000-01-01"}
        before = await client.call_tool("describe_tool", past)
    assert there.structured_content["reason"] == "offered"
    assert there.structured_content["detail"]["rank"] >= 1
    assert nowhere.structured_content["reason"] == "no_such_tool"
    assert before.structured_content["reason"] == "not_there_then"
    assert before.structured_content["remedy"] in text_of(before)
    assert execute("select count(*) from selection.receipt") == [(0,)]


@pytest.mark.parametrize("further", [{}, {"kinds": ["tool", "prompt"]}, {"as_of": "2000-01-01"}])
async def test_an_answer_to_a_goal_that_is_not_in_english_says_so(
    front: McpFront, era: str, further: dict[str, Any]
):
    async with Client(front.server, mode=era) as client:
        found = await client.call_tool("search_tools", {"goal": "東京は今何時ですか"} | further)
        english = await client.call_tool("search_tools", {"goal": GOAL} | further)
    advice = "This goal seems to be in Japanese. Ask in English for better results."
    assert found.structured_content["advice"] == advice
    assert found.content[-1].text == advice
    assert "advice" not in english.structured_content
    assert "Ask in English" not in english.content[-1].text


async def test_a_goal_in_another_language_is_embedded_in_english_and_recorded_as_it_is(
    front: McpFront, service: Service, execute: Any
):
    goal, english = "zeig mir die Rechnungen", "show me the invoices"
    async with Client(front.server) as client:
        found = await client.call_tool("search_tools", {"goal": goal})
    embedder = service.retriever.embedder
    assert (await embedder.embed_goal(goal) == await embedder.embed_goal(english)).all()
    receipt = found.structured_content["receipt"]
    assert execute(f"select goal from selection.receipt where id = {receipt}") == [(goal,)]


async def test_a_search_takes_goal_and_limit_and_their_former_names(front: McpFront, era: str):
    async with Client(front.server, mode=era) as client:
        now = await client.call_tool("search_tools", {"goal": GOAL, "limit": 1})
        before = await client.call_tool("search_tools", {"query": GOAL, "top_k": 1})
        both = await client.call_tool("search_tools", {"goal": GOAL, "query": "another"})
    assert len(names_of(now)) == 1
    assert names_of(now) == names_of(before)
    assert both.is_error
    assert "'query' was unexpected" in text_of(both)


async def test_the_text_has_one_line_a_tool_with_all_required_arguments(front: McpFront, era: str):
    async with Client(front.server, mode=era) as client:
        found = await client.call_tool("search_tools", {"query": GOAL})
    lines = text_of(found).splitlines()
    assert len(lines) == 1 + len(names_of(found)) + 1, "and the remedy of what cannot be called"
    assert str(found.structured_content["receipt"]) in lines[0]
    expected = "time__get_current_time(timezone: string) Get the current time in a timezone."
    assert any(expected in line for line in lines)


@pytest.mark.parametrize(
    ("era", "full", "is_whole"),
    [
        ("legacy", None, False),
        ("legacy", True, True),
        ("2026-07-28", None, True),
        ("2026-07-28", False, False),
    ],
)
async def test_definitions_come_along_for_clients_whose_list_stays_and_on_request(
    front: McpFront, era: str, full: bool | None, is_whole: bool
):
    asked = {"query": "convert time between timezones"}
    async with Client(front.server, mode=era) as client:
        found = await client.call_tool(
            "search_tools", asked if full is None else asked | {"full": full}
        )
    tool = next(t for t in found.structured_content["tools"] if t["name"] == "time__convert_time")
    assert ("inputSchema" in tool) is is_whole
    assert ("signature" in tool) is not is_whole
    if is_whole:
        assert tool["inputSchema"]["required"] == ["source", "time", "target"]


async def test_a_found_definition_has_a_schema_that_providers_of_models_accept(
    front: McpFront, service: Service
):
    pair = {"type": "array", "items": [{"type": "number"}, {"type": ["array", "null"]}]}
    published = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"pair": pair, "rest": {"type": "array"}},
    }
    odd = {"name": "knit", "description": "Knits a scarf", "input_schema": published}
    await offer(service, "odd", [odd])
    async with Client(front.server) as client:
        found = await client.call_tool("search_tools", {"goal": "knit a scarf", "full": True})
        described = await client.call_tool("describe_tool", {"name": "odd__knit"})
    [tool] = [each for each in found_in(found) if each["name"] == "odd__knit"]
    assert tool["inputSchema"] == {
        "type": "object",
        "properties": {
            "pair": {
                "type": "array",
                "prefixItems": [{"type": "number"}, {"type": ["array", "null"], "items": {}}],
                "items": {},
            },
            "rest": {"type": "array", "items": {}},
        },
    }
    assert described.structured_content["inputSchema"] == published


async def test_limit_and_mode_are_heeded(front: McpFront, execute: Any):
    async with Client(front.server) as client:
        asked = {"query": "time", "limit": 1, "mode": "fast"}
        found = await client.call_tool("search_tools", asked)
    assert len(names_of(found)) == 1
    assert execute("select mode from selection.receipt") == [("fast",)]


async def test_a_token_budget_is_kept(front: McpFront, execute: Any):
    async with Client(front.server) as client:
        asked = {"query": "time"}
        [first, *_] = (await client.call_tool("search_tools", asked)).structured_content["tools"]
        budget = first["scores"]["tokens"]
        found = await client.call_tool("search_tools", asked | {"budget_tokens": budget})
    tools = found.structured_content["tools"]
    assert tools[0]["name"] == first["name"]
    assert sum(tool["scores"]["tokens"] for tool in tools) <= budget


async def test_finding_nothing_while_servers_come_says_that_more_is_on_its_way(
    front: McpFront, service: Service
):
    await tell_installing(service, 3)
    try:
        async with Client(front.server) as client:
            found = await client.call_tool("search_tools", {"query": "zzzxqj"})
    finally:
        await tell_installing(service, 0)
    assert found.structured_content["tools"] == []
    assert found.structured_content["onTheirWay"]["installing"] == 3
    assert "servers being installed: 3" in text_of(found)


async def test_finding_nothing_is_no_error_and_says_what_to_try(front: McpFront, execute: Any):
    async with Client(front.server) as client:
        found = await client.call_tool("search_tools", {"query": "qqqqqq"})
    assert not found.is_error
    assert names_of(found) == []
    assert "other words" in text_of(found)
    assert found.structured_content is not None
    receipt = found.structured_content["receipt"]
    assert execute(f"select goal from selection.receipt where id = {receipt}") == [("qqqqqq",)]


async def test_weak_matches_while_servers_come_say_that_more_is_on_its_way(
    front: McpFront, service: Service
):
    await _embed(service)
    asked = {"goal": "bake a sourdough bread for eight guests"}
    async with Client(front.server) as client:
        await tell_installing(service, 3)
        try:
            found = await client.call_tool("search_tools", asked)
            fitting = await client.call_tool("search_tools", {"goal": GOAL})
        finally:
            await tell_installing(service, 0)
    assert found.structured_content["tools"]
    assert found.structured_content["onTheirWay"]["installing"] == 3
    assert "servers being installed: 3" in text_of(found)
    assert "onTheirWay" not in fitting.structured_content


@pytest.mark.parametrize("kinds", [["tool"], ["tool", "prompt"]])
async def test_a_goal_that_nothing_fits_is_told_so_with_the_nearest(
    front: McpFront, service: Service, era: str, kinds: list[str], execute: Any
):
    await _embed(service)
    async with Client(front.server, mode=era) as client:
        search = {"kinds": kinds}
        found = await client.call_tool(
            "search_tools", {"goal": "bake a sourdough bread for eight guests"} | search
        )
        fitting = await client.call_tool("search_tools", {"goal": GOAL} | search)
    [nearest, *_] = found_in(found)
    what = "tools" if kinds == ["tool"] else "cards"
    assert text_of(found).startswith(f"No {what} fit this goal. The nearest {what} are below")
    assert f"1. {nearest['name']}" in text_of(found).replace("[tool] ", "")
    assert all(one["weak"] and one["score"] < 0.5 for one in found_in(found))
    offered = execute(f"select offered from selection.receipt where id = {nearest['receipt']}")
    assert all(offer["weak"] for offer in offered[0][0])
    assert "fit this goal" not in text_of(fitting)
    assert found_in(fitting)[0]["name"] == "time__get_current_time"
    assert not any("weak" in one for one in found_in(fitting))


async def test_a_tool_that_cannot_be_called_is_marked_with_the_reason_and_the_remedy(
    front: McpFront, era: str
):
    async with Client(front.server, mode=era) as client:
        found = await client.call_tool("search_tools", {"goal": GOAL})
    [first, *_] = found.structured_content["tools"]
    reason = "the server is in the catalog, but not connected"
    assert first["unavailable"]["reason"] == reason
    assert f"[cannot be called: {reason}]" in text_of(found)
    assert text_of(found).count("qm origin add time --replace") == 1


def found_in(result: Any) -> list[dict[str, Any]]:
    """Returns the results, each with the receipt."""
    facts = result.structured_content
    if "cards" in facts:
        return facts["cards"]
    return [tool | {"receipt": facts["receipt"]} for tool in facts["tools"]]


async def _embed(service: Service) -> None:
    embedder, database = service.retriever.embedder, service.database
    name = embedder.model.name
    rows = await database.call(api.claim_unembedded(model=name, maximum=100), service.worker)
    vectors = await embedder.embed([row["embedding_text"] for row in rows])
    stored = stored_vectors(name, rows, vectors)
    await database.call(api.store_embeddings(**stored), service.worker)


BAD_SEARCHES: list[tuple[dict[str, Any], str, str]] = [
    ({"goal": ""}, "goal_empty", "empty"),
    ({"goal": " \n\t"}, "goal_empty", "empty"),
    ({"goal": "tool " * 20_000}, "goal_too_long", "20000"),
    ({"goal": GOAL, "mode": "psychic"}, "arguments_invalid", "balanced"),
    ({"goal": GOAL, "limit": -1}, "arguments_invalid", "/limit"),
    ({"goal": GOAL, "limit": "five"}, "arguments_invalid", "/limit"),
    ({"goal": 5}, "arguments_invalid", "/goal"),
    ({}, "arguments_invalid", "goal"),
    ({"task": GOAL}, "arguments_invalid", "goal"),
    ({"goal": "\ud800"}, "arguments_invalid", "Unicode"),
    ({"goal": "nul \0 byte"}, "invalid_value", ""),
]


async def test_bad_input_is_explained(front: McpFront):
    async with Client(front.server) as client:
        for arguments, slug, said in BAD_SEARCHES:
            refused = await client.call_tool("search_tools", arguments)
            assert error_of(refused)["slug"] == slug, arguments
            assert said in text_of(refused)
            assert len(text_of(refused)) < 3_000
        assert names_of(await client.call_tool("search_tools", {"goal": GOAL}))


async def test_what_a_client_sends_for_an_argument_that_it_leaves_out_is_left_out(front: McpFront):
    every = ("recent_context", "mode", "kinds", "limit", "budget_tokens", "full", "as_of")
    asked = [dict.fromkeys(every), dict.fromkeys(every, ""), {"limit": 0, "kinds": [], "as_of": ""}]
    async with Client(front.server) as client:
        plain = names_of(await client.call_tool("search_tools", {"goal": GOAL}))
        for optional in [*asked, {"limit": "5", "full": "false"}]:
            found = await client.call_tool("search_tools", {"goal": GOAL, **optional})
            assert names_of(found) == plain, optional
            assert found.meta[REPAIRED_KEY]
        name = plain[0]
        for optional in ({"kind": None, "as_of": None}, {"kind": "", "as_of": ""}):
            described = await client.call_tool("describe_tool", {"name": name, **optional})
            assert described.structured_content["name"] == name


async def test_argument_errors_carry_the_schema(front: McpFront):
    async with Client(front.server) as client:
        refused = await client.call_tool("search_tools", {})
    assert refused.structured_content["problems"][0]["pointer"] == ""
    assert refused.structured_content["inputSchema"]["required"] == ["goal"]
    assert '"required":["goal"]' in text_of(refused)


async def test_a_tool_is_described_whole(front: McpFront, era: str):
    async with Client(front.server, mode=era) as client:
        described = await client.call_tool("describe_tool", {"name": "time__get_current_time"})
    definition = described.structured_content
    assert definition["title"] == "Current time"
    assert definition["annotations"] == {"readOnlyHint": True}
    assert definition["inputSchema"]["properties"]["timezone"]["description"] == "IANA time zone"
    assert (definition["origin"], definition["tool"]) == ("time", "get_current_time")
    assert definition["version"] == 1


async def test_a_tool_is_described_as_it_was(front: McpFront, service: Service):
    async with Client(front.server) as client:
        now = await client.call_tool("describe_tool", {"name": "time__convert_time"})
        moment = now.structured_content["validFrom"]
        changed = {
            "origin": "time",
            "name": "convert_time",
            "description": "Now different.",
            "input_schema": {"type": "object"},
        }
        await service.database.call(api.import_items(kind="tool", items=[changed]), service.worker)
        asked = {"name": "time__convert_time", "as_of": moment}
        then = await client.call_tool("describe_tool", asked)
        later = await client.call_tool("describe_tool", {"name": "time__convert_time"})
    assert then.structured_content["description"] == "Convert time between timezones."
    assert later.structured_content["description"] == "Now different."
    assert later.structured_content["version"] == 2


async def test_the_past_is_searched_and_becomes_part_of_no_list(front: McpFront, service: Service):
    async with Client(front.server, mode="legacy") as client:
        now = await client.call_tool("describe_tool", {"name": "time__convert_time"})
        moment = now.structured_content["validFrom"]
        changed = {"origin": "time", "name": "convert_time", "description": "Now different."}
        await service.database.call(api.import_items(kind="tool", items=[changed]), service.worker)
        asked = {"query": "convert time between timezones", "as_of": moment, "full": True}
        found = await client.call_tool("search_tools", asked)
        wrong = await client.call_tool("search_tools", asked | {"as_of": "Tuesday"})
        listed = await client.list_tools()
    [first, *_] = found.structured_content["tools"]
    assert first["description"] == "Convert time between timezones."
    assert "call_tool runs the current" in text_of(found)
    assert "receipt" not in found.structured_content
    assert error_of(wrong)["slug"] == "argument_invalid"
    assert len(listed.tools) == len(BRIDGE_TOOLS)


BAD_DESCRIPTIONS: list[tuple[dict[str, Any], str, str]] = [
    ({"name": "time__get_time"}, "tool_not_found", "time__get_current_time"),
    ({"name": "🕰️ ' \" \\"}, "tool_not_found", "search_tools"),
    ({"name": "x" * 100_000}, "tool_not_found", "xxx"),
    ({"name": "time__convert_time", "as_of": "Tuesday"}, "argument_invalid", "ISO 8601"),
    ({"name": 5}, "arguments_invalid", "/name"),
]


async def test_a_wrong_description_request_is_explained(front: McpFront):
    async with Client(front.server) as client:
        for arguments, slug, said in BAD_DESCRIPTIONS:
            refused = await client.call_tool("describe_tool", arguments)
            assert error_of(refused)["slug"] == slug, arguments
            assert said in text_of(refused)
            assert len(text_of(refused)) < 3_000


async def test_members_of_a_definition_that_nobody_knows_are_kept(
    front: McpFront, service: Service
):
    extra = {"icons": [{"src": "data:,"}], "x-cost": 3}
    await offer(service, "odd", [{"name": "one", "description": "odd", "extra": extra}])
    async with Client(front.server) as client:
        described = await client.call_tool("describe_tool", {"name": "odd__one"})
    assert described.structured_content["x-cost"] == 3
    assert described.structured_content["icons"] == extra["icons"]


async def test_cards_of_other_kinds_are_found_and_described(front: McpFront, execute: Any):
    execute("select t.make_kind('memo')")
    execute("select t.make_card('memo', 1, 'tokyo clock', 'what time is it in Tokyo')")
    async with Client(front.server) as client:
        found = await client.call_tool("search_tools", {"query": GOAL, "kinds": ["memo", "tool"]})
        cards = found.structured_content["cards"]
        assert {card["kind"] for card in cards} == {"memo", "tool"}
        assert [card["rank"] for card in cards] == [*range(1, len(cards) + 1)]
        assert "[memo] tokyo clock" in text_of(found)
        asked = {"name": "tokyo clock", "kind": "memo"}
        described = await client.call_tool("describe_tool", asked)
        assert described.structured_content["name"] == "tokyo clock"

        unknown = await client.call_tool("describe_tool", asked | {"name": "no memo"})
        assert error_of(unknown)["slug"] == "card_not_found"
        unknown = await client.call_tool("search_tools", {"query": GOAL, "kinds": ["no_kind"]})
        assert error_of(unknown)["slug"] == "kind_not_found"
        asked_of_then = {"query": GOAL, "kinds": ["memo"], "as_of": "2026-01-01"}
        refused = await client.call_tool("search_tools", asked_of_then)
        assert error_of(refused)["slug"] == "argument_invalid"
