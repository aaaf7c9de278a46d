"""Resources, prompts, completion and their changes, across the eras of client and upstream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.server.subscriptions import ResourceUpdated
from psycopg.types.json import Jsonb

from quartermaster.doors.mcp.mcp_server import McpFront
from tests.service.calls.relay.conftest import ORIGINS
from tests.support.database import Database
from tests.support.hostile_server import TOKEN
from tests.support.waiting import LONGEST_S

pytestmark = pytest.mark.anyio

FIRST = next(iter(ORIGINS))


def uri_of(catalog: Database, origin: str, uri: str) -> str:
    """Returns public URI: all of the origins have the same resources, so only one keeps its own."""
    with catalog.connect() as connection:
        (found,) = connection.execute(
            "select a.public_name from catalog.item as a"
            " inner join catalog.origin as o on o.id = a.origin_id"
            " where o.name = %s and a.name = %s",
            (origin, uri),
        ).fetchone() or ("",)
    return str(found)


async def test_what_rights_hide_is_neither_listed_nor_read(
    front: McpFront, catalog: Database, era: str
):
    document = {
        "rules": [
            {
                "effect": "deny",
                "subject": "everyone",
                "kinds": ["resource"],
                "names": ["memo://secret/*", "memo://page/13"],
            },
            {"effect": "deny", "subject": "everyone", "kinds": ["prompt"], "names": "pipe__*"},
        ]
    }
    apply_rules(catalog, document)
    try:
        async with Client(front.server, mode=era) as client:
            listed = {resource.uri for resource in (await client.list_resources()).resources}
            assert not [uri for uri in listed if "secret" in uri]
            names = {prompt.name for prompt in (await client.list_prompts()).prompts}
            assert "pipe__greet" not in names
            assert "oldpipe__greet" in names
            for uri in (
                "memo://secret/key",
                "memo://page/13",
                "quartermaster://pipe/memo://secret/x",
            ):
                with pytest.raises(MCPError, match="there is no resource"):
                    await client.read_resource(uri)
            with pytest.raises(MCPError, match="there is no prompt"):
                await client.get_prompt("pipe__greet", {"name": "Ada"})
    finally:
        apply_rules(catalog, {"rules": []})


async def test_resources_and_prompts_are_guarded(
    front: McpFront, catalog: Database, era: str, origin: str
):
    uri = uri_of(catalog, origin, "memo://plan").removesuffix("plan") + f"page/{TOKEN}"
    actions = {"subject": "everyone", "origins": [origin], "personal": "mask", "secrets": "mask"}
    apply_rules(catalog, {"rules": [], "guardrails": [actions]})
    try:
        async with Client(front.server, mode=era) as client:
            read = await client.read_resource(uri)
            got = await client.get_prompt(f"{origin}__greet", {"name": "ada.l@mail.example"})
        assert read.contents[0].text == "the text of memo://page/[secret masked: github]"
        assert got.messages[0].content.text == "Greet [personal data masked: email]"
        assert read.meta["quartermaster/guardrails"] == {"masked": {"secrets": 1}}
        apply_rules(catalog, {"rules": [], "guardrails": [actions | {"result_bytes": 10}]})
        async with Client(front.server, mode=era) as client:
            with pytest.raises(MCPError, match="the limit is 10"):
                await client.read_resource(uri)
    finally:
        apply_rules(catalog, {"rules": []})


async def test_a_long_list_comes_in_pages(
    front: McpFront, era: str, monkeypatch: pytest.MonkeyPatch
):
    async with Client(front.server, mode=era) as client:
        whole = [resource.uri for resource in (await client.list_resources()).resources]
    monkeypatch.setattr("quartermaster.calls.relay.reads.PAGE", 5)
    # Another one, which has kept no list.
    async with Client(front.server, mode=era) as client:
        pages: list[list[str]] = []
        cursor: str | None = None
        while not pages or cursor is not None:
            page = await client.list_resources(cursor=cursor)
            pages.append([resource.uri for resource in page.resources])
            cursor = page.next_cursor
        with pytest.raises(MCPError, match="cursor"):
            await client.list_resources(cursor="!")
    assert [len(page) for page in pages] == [5, 5, 2]
    assert [uri for page in pages for uri in page] == whole


async def test_resources_of_all_origins_are_listed_under_names_of_their_own(
    front: McpFront, era: str
):
    async with Client(front.server, mode=era) as client:
        listed = [resource.uri for resource in (await client.list_resources()).resources]
        templates = await client.list_resource_templates()
        prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
    assert len(listed) == len(set(listed)) == 3 * len(ORIGINS)
    assert "memo://plan" in listed
    assert len(templates.resource_templates) == len(ORIGINS)
    assert {f"{origin}__greet" for origin in ORIGINS} <= set(prompts)


async def test_a_resource_is_read_whole(front: McpFront, catalog: Database, era: str, origin: str):
    async with Client(front.server, mode=era) as client:
        uri = uri_of(catalog, origin, "memo://plan")
        read = await client.read_resource(uri)
        assert read.contents[0].uri == uri
        assert read.contents[0].text == "the text of memo://plan"
        blob = await client.read_resource(uri_of(catalog, origin, "memo://zoo"))
    assert blob.contents[0].blob == "eg=="
    assert (blob.meta or {})["kept"] is True
    assert (blob.meta or {})["quartermaster/call"]["origin"] == origin


async def test_a_resource_of_a_template_is_read(front: McpFront, era: str):
    async with Client(front.server, mode=era) as client:
        read = await client.read_resource("memo://page/7")
        reference = types.ResourceTemplateReference(type="ref/resource", uri="memo://page/{number}")
        completed = await client.complete(reference, {"name": "number", "value": "7"})
    assert read.contents[0].text == "the text of memo://page/7"
    assert completed.completion.values == ["memo://page/{number}:7!"]


async def test_an_upstreams_refusal_arrives_as_it_was(front: McpFront, era: str, origin: str):
    async with Client(front.server, mode=era) as client:
        with pytest.raises(MCPError) as raised:
            await client.read_resource(f"quartermaster://{origin}/memo://nothing")
    assert raised.value.error.message == "no such memo"
    assert raised.value.error.data == {"uri": "memo://nothing"}


async def test_a_prompt_is_got_and_its_arguments_are_completed(
    front: McpFront, era: str, origin: str
):
    name = f"{origin}__greet"
    async with Client(front.server, mode=era) as client:
        prompt = await client.get_prompt(name, {"name": "Ada"})
        reference = types.PromptReference(type="ref/prompt", name=name)
        completed = await client.complete(reference, {"name": "name", "value": "A"})
    assert prompt.description == "A greeting"
    assert prompt.messages[0].content.text == "Greet Ada"
    assert completed.completion.values == ["greet:A!"]


async def test_reads_are_in_the_call_log(front: McpFront, catalog: Database):
    async with Client(front.server) as client:
        await client.read_resource("memo://plan")
        await client.get_prompt(f"{FIRST}__greet", {"name": "Ada"})
    await catalog.ends_are_written()
    with catalog.connect() as connection:
        rows = connection.execute(
            "select method, target, outcome, result_bytes > 0, duration_ms > 0 from calls.call"
            " order by id desc limit 2"
        ).fetchall()
    assert rows == [
        ("prompts/get", "greet", "ok", True, True),
        ("resources/read", "memo://plan", "ok", True, True),
    ]


# The SDK warns of what only handshake clients have; this one is one.
@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
async def test_updates_reach_session_clients_that_subscribed(
    front: McpFront, catalog: Database, origin: str
):
    updated: list[str] = []
    arrived = anyio.Event()

    async def hear(message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            updated.append(str(message.params.uri))
            arrived.set()

    uri = uri_of(catalog, origin, "memo://plan")
    async with Client(front.server, mode="legacy", message_handler=hear) as client:
        await client.subscribe_resource(uri)
        await until(client, f"{origin}__touch", arrived)
        await client.unsubscribe_resource(uri)
    assert set(updated) == {uri}


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
async def test_who_may_no_longer_read_a_resource_hears_no_more_of_it(
    front: McpFront, catalog: Database
):
    updated: list[str] = []
    arrived = anyio.Event()
    hidden, seen = (uri_of(catalog, origin, "memo://plan") for origin in ("pipe", "oldpipe"))

    async def hear(message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            updated.append(str(message.params.uri))
            if str(message.params.uri) == seen:
                arrived.set()

    deny = {"effect": "deny", "subject": "everyone", "kinds": ["resource"], "origins": "pipe"}
    async with Client(front.server, mode="legacy", message_handler=hear) as client:
        await client.subscribe_resource(hidden)
        await client.subscribe_resource(seen)
        apply_rules(catalog, {"rules": [deny]})
        try:
            await client.call_tool("call_tool", {"name": "pipe__touch"})
            # They are told in the order in which they came.
            await until(client, "oldpipe__touch", arrived)
        finally:
            apply_rules(catalog, {"rules": []})
    assert set(updated) == {seen}


async def test_updates_reach_stateless_clients_that_listen(
    front: McpFront, catalog: Database, origin: str
):
    uri = uri_of(catalog, origin, "memo://plan")
    arrived = anyio.Event()
    async with (
        Client(front.server, mode="2026-07-28") as client,
        client.listen(resource_subscriptions=[uri]) as stream,
        anyio.create_task_group() as tasks,
    ):

        async def hear() -> None:
            async for event in stream:
                assert event == ResourceUpdated(uri)
                arrived.set()
                return

        tasks.start_soon(hear)
        await until(client, f"{origin}__touch", arrived)


async def test_new_resources_and_prompts_of_an_upstream_are_news_to_clients(
    front: McpFront, origin: str
):
    heard: set[str] = set()
    both = anyio.Event()

    async def hear(message: Any) -> None:
        heard.add(type(message).__name__)
        if {"ResourceListChangedNotification", "PromptListChangedNotification"} <= heard:
            both.set()

    async with Client(front.server, mode="legacy", message_handler=hear) as client:
        before = len((await client.list_prompts()).prompts)
        await client.list_resources()
        await until(client, f"{origin}__grow", both, report=front.announcer.catalog_changed)
        assert len((await client.list_prompts()).prompts) > before


async def until(
    client: Client, tool: str, event: anyio.Event, report: Callable[[], None] | None = None
) -> None:
    """Calls a tool until something has arrived: the stream that carries it may still be opening."""
    with anyio.fail_after(LONGEST_S):
        while not event.is_set():
            await client.call_tool("call_tool", {"name": tool, "arguments": {}})
            with anyio.move_on_after(0.3):
                await event.wait()
            if report is not None:
                report()


def apply_rules(catalog: Database, document: dict[str, Any]) -> None:
    """As `qm policy apply` does."""
    with catalog.connect() as connection:
        put = "policy.put_version(%s)"
        connection.execute(f"select catalog.activate_rules({put}, false)", (Jsonb(document),))
