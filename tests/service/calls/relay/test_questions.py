"""What upstreams ask and tell while they work, across the eras of client and upstream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError
from pydantic import FileUrl

from quartermaster.doors.mcp.mcp_server import McpFront
from tests.support.database import Database
from tests.support.reading import text_of
from tests.support.waiting import LONGEST_S, until

pytestmark = pytest.mark.anyio


async def call(client: Client, name: str, **arguments: Any) -> types.CallToolResult:
    return await client.call_tool("call_tool", {"name": name, "arguments": arguments})


async def test_a_user_is_asked_and_the_answer_arrives(front: McpFront, era: str, origin: str):
    async def answer(_context: Any, question: Any) -> types.ElicitResult:
        assert question.message == "who?"
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async with Client(front.server, mode=era, elicitation_callback=answer) as client:
        assert text_of(await call(client, f"{origin}__ask")) == "accept Ada"


async def test_a_user_who_declines_is_understood(front: McpFront, era: str, origin: str):
    async def answer(_context: Any, _question: Any) -> types.ElicitResult:
        return types.ElicitResult(action="decline")

    async with Client(front.server, mode=era, elicitation_callback=answer) as client:
        assert text_of(await call(client, f"{origin}__ask")) == "decline None"


@pytest.mark.parametrize("handshake_origin", ["http", "oldhttp", "oldpipe"])
async def test_a_question_that_its_upstream_withdraws_is_withdrawn_from_the_client(
    front: McpFront, handshake_origin: str
):
    asked, withdrawn = anyio.Event(), anyio.Event()

    async def answer(_context: Any, _question: Any) -> types.ElicitResult:
        asked.set()
        try:
            await anyio.sleep_forever()
        finally:
            withdrawn.set()
        raise AssertionError("it sleeps for ever")

    report: list[str] = []

    async def wait(client: Client) -> None:
        report.append(text_of(await call(client, f"{handshake_origin}__ask_until")))

    async with Client(front.server, mode="legacy", elicitation_callback=answer) as client:
        with anyio.fail_after(LONGEST_S):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(wait, client)
                await asked.wait()
                await call(client, f"{handshake_origin}__never_mind")
            await withdrawn.wait()
    assert report == ["withdrawn"]


async def test_a_client_without_anybody_to_ask_hears_of_it(front: McpFront, era: str, origin: str):
    async with Client(front.server, mode=era) as client:
        try:
            refused = await call(client, f"{origin}__ask")
        except MCPError as error:
            assert "elicitation" in str(error).lower()  # noqa: PT017 - either is an answer
        else:
            assert refused.is_error


async def test_a_model_is_asked_and_its_words_arrive(front: McpFront, era: str, origin: str):
    async def think(_context: Any, params: Any) -> types.CreateMessageResult:
        assert params.messages[0].content.text == "think"
        said = types.TextContent(type="text", text="hm")
        return types.CreateMessageResult(role="assistant", content=said, model="m")

    async with Client(front.server, mode=era, sampling_callback=think) as client:
        assert text_of(await call(client, f"{origin}__sample")) == "the model says hm"


async def test_a_stateless_upstream_is_told_the_roots_of_the_client(front: McpFront, era: str):
    async def roots(_context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=FileUrl("file:///srv/ada"))])

    async with Client(front.server, mode=era, list_roots_callback=roots) as client:
        assert text_of(await call(client, "pipe__roots")) == "file:///srv/ada"


async def test_answers_reach_the_call_they_are_for(front: McpFront, era: str):
    """Twenty calls at once over the connections that all clients share."""

    def answering(name: str) -> Callable[..., Any]:
        async def answer(_context: Any, _question: Any) -> types.ElicitResult:
            return types.ElicitResult(action="accept", content={"name": name})

        return answer

    heard: list[tuple[str, str]] = []

    async def one(name: str, origin: str) -> None:
        async with Client(front.server, mode=era, elicitation_callback=answering(name)) as client:
            heard.append((name, text_of(await call(client, f"{origin}__ask"))))

    async with anyio.create_task_group() as tasks:
        for number in range(20):
            tasks.start_soon(one, f"n{number}", ["http", "oldhttp"][number % 2])
    assert sorted(heard) == sorted((f"n{n}", f"accept n{n}") for n in range(20))


async def test_a_parked_question_is_answered_by_the_same_request_only(front: McpFront):
    async def answer(_context: Any, _question: Any) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def leg(client: Client, name: str, state: str | None = None) -> Any:
        responses: Any = {"answer": types.ElicitResult(action="accept", content={"name": "Eve"})}
        return await client.session.call_tool(
            "call_tool",
            {"name": name, "arguments": {}},
            request_state=state,
            input_responses=responses if state else None,
            allow_input_required=True,
        )

    async with Client(front.server, mode="2026-07-28", elicitation_callback=answer) as client:
        asked = await leg(client, "oldpipe__ask")
        assert isinstance(asked, types.InputRequiredResult)
        with pytest.raises(MCPError, match="No request is waiting"):
            await leg(client, "oldhttp__ask", asked.request_state)
        with pytest.raises(MCPError, match="No request is waiting"):
            await leg(client, "oldpipe__ask", "guessed")
        assert text_of(await leg(client, "oldpipe__ask", asked.request_state)) == "accept Eve"
        with pytest.raises(MCPError, match="No request is waiting"):
            await leg(client, "oldpipe__ask", asked.request_state)


async def test_log_messages_reach_the_client_that_wants_them(
    front: McpFront, era: str, origin: str
):
    heard: list[str] = []

    async def hear(params: types.LoggingMessageNotificationParams) -> None:
        heard.append(f"{params.level}: {params.data}")

    level = "warning" if era != "legacy" else None
    async with Client(front.server, mode=era, logging_callback=hear, log_level=level) as client:
        if era == "legacy":
            await client.session.send_request(
                types.SetLevelRequest(params=types.SetLevelRequestParams(level="warning")),
                types.EmptyResult,
            )
        await call(client, f"{origin}__log")
        await until(lambda: len(heard) >= 2)  # Notifications arrive beside the result.
    assert heard == ["warning: a warning", "error: a error"]


async def test_a_client_that_wants_no_log_messages_gets_none(front: McpFront):
    heard: list[str] = []

    async def hear(params: types.LoggingMessageNotificationParams) -> None:
        heard.append(params.level)

    async with Client(front.server, mode="2026-07-28", logging_callback=hear) as client:
        await call(client, "http__log")
        await call(client, "oldhttp__log")
    assert heard == []


async def test_each_kind_of_content_arrives_as_it_was(front: McpFront, era: str, origin: str):
    async with Client(front.server, mode=era) as client:
        result = await call(client, f"{origin}__mixed")
    kinds = [block.type for block in result.content]
    assert kinds == ["text", "image", "audio", "resource_link", "resource"]
    assert result.content[0].annotations is not None
    assert result.structured_content == {"n": 1}
    assert (result.meta or {})["kept"] is True


async def test_every_call_ended_in_the_log(front: McpFront, catalog: Database):
    await catalog.ends_are_written()
