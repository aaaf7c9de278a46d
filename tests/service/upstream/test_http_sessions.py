"""A session that the server does not know any more is replaced; what else it says is passed on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import mcp_types as types
import pytest

from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Supervisor
from tests.support.session_upstream import Refusing, session_upstream

pytestmark = pytest.mark.anyio


def error(code: int, message: str) -> dict[str, Any]:
    return {"code": code, "message": message}


LOST = [
    Refusing(404),
    Refusing(404, "404 page not found"),
    Refusing(404, error(-32001, "Session not found")),
    Refusing(400, error(-32000, "Bad Request: No valid session ID provided")),
    Refusing(400, error(-32600, "Bad Request: Session not found")),
    Refusing(400, error(-32000, "Bad Request: Server not initialized")),
    Refusing(400, "Invalid or missing session ID"),
    Refusing(401, "Unauthorized: Session not found"),
    Refusing(410, "The session has expired."),
    Refusing(422, "Unexpected message, expect initialize request"),
    Refusing(500, error(-32000, "Bad Request: No valid session ID provided")),
    Refusing(200, error(-32001, "Unknown session")),
    Refusing(200, error(-32600, "Session terminated")),
]


async def bake(supervisor: Supervisor, spec: OriginSpec) -> str:
    result = await supervisor.call(spec, "bake")
    assert isinstance(result, types.CallToolResult)
    [block] = result.content
    assert isinstance(block, types.TextContent)
    return block.text


@pytest.mark.parametrize("refusing", LOST, ids=lambda each: f"{each.status} {each.body}"[:50])
async def test_a_lost_session_is_begun_anew_within_the_call(
    supervisor: Supervisor, refusing: Refusing
) -> None:
    with session_upstream(of_unknown=refusing) as upstream:
        assert await bake(supervisor, upstream.spec()) == "baked"
        upstream.sessions.clear()

        assert await bake(supervisor, upstream.spec()) == "baked"

        assert (upstream.calls, upstream.begun) == (2, 2)
        upstream.sessions.clear()
        assert len((await supervisor.list_tools(upstream.spec())).tools) == 1


@pytest.mark.parametrize(
    "refusing", [Refusing(404), Refusing(400, "No transport found for sessionId")], ids=str
)
async def test_a_lost_session_of_the_older_transport_is_begun_anew(
    supervisor: Supervisor, refusing: Refusing
) -> None:
    with session_upstream(of_unknown=refusing, has_sse=True) as upstream:
        spec = replace(upstream.spec(), transport="sse")
        assert await bake(supervisor, spec) == "baked"
        upstream.sessions.clear()

        assert await bake(supervisor, spec) == "baked"

        assert (upstream.calls, upstream.begun) == (2, 2)


@pytest.mark.parametrize("status", [200, 400, 500])
async def test_an_error_about_a_session_of_the_tool_is_the_tools(
    supervisor: Supervisor, status: int
) -> None:
    with session_upstream() as upstream:
        await supervisor.list_tools(upstream.spec())
        report = error(-32000, "Browser session 7 was not found")
        upstream.refusals.append(Refusing(status, report))

        with pytest.raises(UpstreamError) as raised:
            await supervisor.call(upstream.spec(), "bake")

        assert raised.value.kind == "tool_error"
        assert raised.value.reply is not None
        assert raised.value.reply.message == "Browser session 7 was not found"
        assert await bake(supervisor, upstream.spec()) == "baked"
        assert upstream.begun == 1


@pytest.mark.parametrize(
    ("refusing", "kind", "said"),
    [
        (Refusing(400, error(-32602, "flour is missing")), "tool_error", "flour is missing"),
        (Refusing(400, "no flour"), "protocol", "HTTP 400"),
        (Refusing(401), "auth", "HTTP 401"),
        (Refusing(429), "busy", "HTTP 429"),
        (Refusing(500, error(-32603, "the oven broke")), "tool_error", "the oven broke"),
        (Refusing(503), "network", "HTTP 503"),
    ],
    ids=lambda each: str(each)[:30],
)
async def test_other_refusals_keep_the_session(
    supervisor: Supervisor, refusing: Refusing, kind: str, said: str
) -> None:
    with session_upstream(refusals=[refusing]) as upstream:
        with pytest.raises(UpstreamError, match=said) as raised:
            await supervisor.call(upstream.spec(), "bake")

        assert raised.value.kind == kind
        assert await bake(supervisor, upstream.spec()) == "baked"
        assert (upstream.calls, upstream.begun) == (1, 1)


@pytest.mark.parametrize(
    ("after", "seconds"),
    [("2", 2.0), ("", 0.0), ("soon", 0.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0)],
)
async def test_the_pause_that_a_server_asks_for_is_known(
    supervisor: Supervisor, after: str, seconds: float
) -> None:
    refusing = Refusing(503, headers={"retry-after": after} if after else {})
    with (
        session_upstream(refusals=[refusing]) as upstream,
        pytest.raises(UpstreamError) as raised,
    ):
        await supervisor.call(upstream.spec(), "bake")

    assert raised.value.refusal is not None
    assert raised.value.refusal.retry_after_s == seconds


@pytest.mark.parametrize("status", [400, 404, 405])
async def test_a_server_that_speaks_only_sse_is_found_at_its_address(
    supervisor: Supervisor, status: int
) -> None:
    with session_upstream(of_posts=Refusing(status, "not here"), has_sse=True) as upstream:
        listing = await supervisor.list_tools(upstream.spec())

        assert [tool["name"] for tool in listing.tools] == ["bake"]
        assert await bake(supervisor, upstream.spec()) == "baked"


async def test_an_address_without_any_transport_names_the_option_for_sse(
    supervisor: Supervisor,
) -> None:
    with (
        session_upstream(of_posts=Refusing(404, "not here")) as upstream,
        pytest.raises(UpstreamError) as raised,
    ):
        await supervisor.list_tools(upstream.spec())

    assert raised.value.kind == "protocol"
    assert "HTTP 404" in raised.value.message
    assert "HTTP 405" in raised.value.message, "what the other transport met"
    assert "--sse" in raised.value.hint


async def test_a_refused_key_is_no_reason_to_try_another_transport(supervisor: Supervisor) -> None:
    with (
        session_upstream(of_posts=Refusing(401), has_sse=True) as upstream,
        pytest.raises(UpstreamError) as raised,
    ):
        await supervisor.list_tools(upstream.spec())

    assert raised.value.kind == "auth"
