"""Every kind of misbehaviour is one clear error of that upstream; all others go on."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

import anyio
import mcp_types as types
import pytest

from quartermaster.core.logs import register_secret
from quartermaster.upstream import connection, listing, stdio_transport
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.messages import MAX_MESSAGE_BYTES
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Supervisor
from tests.support.canary import canary
from tests.support.origins import LOOPBACK
from tests.support.upstreams import is_running, leaf_server, rude_spec
from tests.support.waiting import until, wait_until

pytestmark = pytest.mark.anyio


async def facts(supervisor: Supervisor, spec: OriginSpec, tool: str, **given: Any) -> Any:
    result = await supervisor.call(spec, tool, given)
    assert isinstance(result, types.CallToolResult)
    return result.structured_content


async def outcome(supervisor: Supervisor, spec: OriginSpec) -> str:
    """``ok``, or the kind of failure of a listing."""
    try:
        await supervisor.list_tools(spec)
    except UpstreamError as error:
        return error.kind
    return "ok"


async def test_hang_at_start_ends_at_the_connect_limit(supervisor: Supervisor) -> None:
    began = time.monotonic()
    with pytest.raises(UpstreamError) as raised:
        await supervisor.list_tools(rude_spec("hang-at-start", connect_timeout_s=0.5))
    assert raised.value.kind == "timeout"
    assert raised.value.sent is False
    assert time.monotonic() - began < 10, "well below the limit that it has by default"


async def test_hang_at_list_ends_at_the_list_limit(supervisor: Supervisor) -> None:
    spec = rude_spec("hang-at-list", list_timeout_s=0.5)
    began = time.monotonic()
    with pytest.raises(UpstreamError) as raised:
        await supervisor.list_tools(spec)
    assert (raised.value.kind, raised.value.status) == ("timeout", 504)
    assert time.monotonic() - began < 15, "well below the limit that it has by default"


async def test_exit_at_start_tells_status_and_last_words(supervisor: Supervisor) -> None:
    with pytest.raises(UpstreamError) as raised:
        await supervisor.list_tools(rude_spec("exit-at-start"))
    assert raised.value.kind == "died"
    assert "exit status 1" in raised.value.message
    assert raised.value.detail == "no configuration found"


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"command": ("no-such-program-here",)}, "'no-such-program-here'"),
        ({"command": ("C:\\tools\\srv.exe",)}, r"'C:\tools\srv.exe'"),
        ({"cwd": "/no/such/folder"}, "'/no/such/folder'"),
    ],
)
async def test_what_cannot_be_started_is_said(
    supervisor: Supervisor, changes: dict[str, Any], what: str
) -> None:
    spec = OriginSpec(id=1, name="x", transport="stdio", **{"command": ("true",), **changes})
    with pytest.raises(UpstreamError) as raised:
        await supervisor.list_tools(spec)
    assert raised.value.slug == "upstream_command_not_found"
    assert what in raised.value.message
    assert raised.value.hint


async def test_repeated_failures_are_answered_at_once_until_the_next_attempt(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So long that it is not over before the second call, however busy the machine.
    monkeypatch.setattr(connection, "_FIRST_S", 30.0)
    spec = rude_spec("exit-at-start")
    with pytest.raises(UpstreamError):
        await supervisor.list_tools(spec)
    with pytest.raises(UpstreamError, match=r"You can retry in \d"):
        await supervisor.list_tools(spec)


async def test_banner_on_stdout_is_tolerated(supervisor: Supervisor) -> None:
    listing = await supervisor.list_tools(rude_spec("banner"))
    assert len(listing.tools) == 8


@pytest.mark.parametrize(
    ("tool", "problem"),
    [("flood", "that are not JSON-RPC"), ("long_line", f"longer than {MAX_MESSAGE_BYTES} bytes")],
)
async def test_endless_output_is_stopped(supervisor: Supervisor, tool: str, problem: str) -> None:
    spec = rude_spec()
    pid = (await facts(supervisor, spec, "pid"))["pid"]
    with pytest.raises(UpstreamError, match=problem) as raised:
        await supervisor.call(spec, tool)
    assert (raised.value.kind, raised.value.sent) == ("protocol", True)
    assert wait_until(lambda: not is_running(pid))
    assert (await facts(supervisor, spec, "pid"))["pid"] != pid


async def test_death_in_the_middle_of_a_call_is_told_and_not_repeated(
    supervisor: Supervisor,
) -> None:
    spec = rude_spec()
    with pytest.raises(UpstreamError) as raised:
        await supervisor.call(spec, "die")
    assert (raised.value.kind, raised.value.sent) == ("died", True)
    assert f"exit status {128 + signal.SIGKILL}" in raised.value.message
    assert raised.value.detail == "last words"
    # The next process has not seen it.
    assert await facts(supervisor, spec, "calls") == {"calls": ["calls"]}


async def test_killed_upstream_is_noticed_and_back_at_the_next_call(
    supervisor: Supervisor,
) -> None:
    spec = rude_spec()
    pid = (await facts(supervisor, spec, "pid"))["pid"]
    assert supervisor.states()["rude"].pid == pid
    os.kill(pid, signal.SIGKILL)
    await until(lambda: supervisor.states()["rude"].state != "connected")
    assert (await facts(supervisor, spec, "pid"))["pid"] != pid


async def test_stopped_http_server_is_an_error_and_its_successor_is_used(
    supervisor: Supervisor,
) -> None:
    with leaf_server("http", "legacy") as first:
        spec = first.spec()
        await supervisor.call(spec, "measure")
        first.kill()
        with pytest.raises(UpstreamError) as raised:
            await supervisor.call(spec, "measure")
        assert (raised.value.kind, raised.value.sent) == ("network", False)
        with leaf_server("http", "legacy", str(first.port)):
            outcomes: list[str] = []

            async def is_over() -> bool:
                """Returns whether the pause after the failed attempt is."""
                outcomes.append(await outcome(supervisor, spec))
                return outcomes[-1] != "network"

            await until(is_over)
            assert outcomes[-1] == "ok"


async def test_forgotten_http_session_is_renewed_within_the_call(supervisor: Supervisor) -> None:
    with leaf_server("http", "legacy") as first:
        spec = first.spec()
        await supervisor.call(spec, "measure")
        first.kill()
        with leaf_server("http", "legacy", str(first.port)):
            # The new server does not know the session: 404, nothing ran, so it is sent again.
            result = await supervisor.call(spec, "counters")
            assert isinstance(result, types.CallToolResult)
            assert result.structured_content is not None
            assert result.structured_content["calls"] == 1


async def test_refused_credentials_are_an_auth_failure(supervisor: Supervisor) -> None:
    for transport in ("http", "sse"):
        with leaf_server(transport, "token") as server:
            with pytest.raises(UpstreamError) as raised:
                await supervisor.list_tools(server.spec(name=f"{transport}-without"))
            assert raised.value.slug == "upstream_auth"
            with_token = {"authorization": "Bearer cnryQm7x-let-me-in"}
            spec = server.spec(name=f"{transport}-with", headers=with_token)
            assert (await supervisor.list_tools(spec)).tools


async def test_nobody_listening_is_a_network_failure(supervisor: Supervisor) -> None:
    for transport in ("http", "sse"):
        spec = OriginSpec(
            id=1,
            name=transport,
            transport=transport,
            url="http://127.0.0.1:9/mcp",
            networks=(LOOPBACK,),
        )
        with pytest.raises(UpstreamError) as raised:
            await supervisor.list_tools(spec)
        assert raised.value.slug == "upstream_network"


async def test_five_thousand_tools_arrive(supervisor: Supervisor) -> None:
    listing = await supervisor.list_tools(rude_spec("many"))
    assert len({tool["name"] for tool in listing.tools}) == 5_000


async def test_listing_is_cut_at_the_bound() -> None:
    async with Supervisor(max_tools=700) as supervisor:
        listing = await supervisor.list_tools(rude_spec("many"))
    assert listing.truncated
    assert [tool["name"] for tool in listing.tools][-1] == "tool_0699"


@pytest.mark.parametrize(
    ("mode", "names", "warning"),
    [
        ("endless", ["again"], "its cursor 'again' repeats"),
        ("cursor-empty", ["first"], None),
        ("cursor-null", ["first"], None),
        ("cursor-number", ["first", "second"], None),
        ("cursor-strict", ["first"], "its cursor is the number 8"),
        ("cursor-object", ["first"], "its cursor is no text"),
        ("cursor-growing", ["first"], "a page repeats what came before"),
        ("cursor-without-end", ["first"], "and no end"),
    ],
)
async def test_a_list_ends_with_what_was_read(
    supervisor: Supervisor, mode: str, names: list[str], warning: str | None
) -> None:
    listing = await supervisor.list_tools(rude_spec(mode))

    assert [tool["name"] for tool in listing.tools] == names
    assert not listing.rejected
    assert len(listing.warnings) == (warning is not None)
    assert all(warning in report for report in listing.warnings if warning is not None)


async def test_a_list_ends_at_a_size(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MAX_LIST_BYTES", 10)
    found = await supervisor.list_tools(rude_spec("cursor-number"))
    assert [tool["name"] for tool in found.tools] == ["first"]
    assert ["more than 10 bytes" in report for report in found.warnings] == [True]


@pytest.mark.parametrize("mode", ["utf16", "crlf", "pretty", "framed", "banner"])
async def test_messages_in_other_forms_are_understood(supervisor: Supervisor, mode: str) -> None:
    spec = rude_spec(mode)
    assert len((await supervisor.list_tools(spec)).tools) == 8
    pid = (await facts(supervisor, spec, "pid"))["pid"]
    large = await facts(supervisor, spec, "large", bytes=200_000)
    assert len(large["text"]) == 200_000
    assert (await facts(supervisor, spec, "pid"))["pid"] == pid


async def test_a_server_that_ends_after_each_answer_answers_each_call(
    supervisor: Supervisor,
) -> None:
    spec = rude_spec("once")
    pids = [(await facts(supervisor, spec, "pid"))["pid"] for _ in range(5)]
    assert len(set(pids)) == 5


async def test_a_server_whose_first_request_must_be_the_handshake_is_connected(
    supervisor: Supervisor,
) -> None:
    assert len((await supervisor.list_tools(rude_spec("handshake-first"))).tools) == 8


async def test_an_error_with_a_code_of_the_sdk_does_not_end_the_server(
    supervisor: Supervisor,
) -> None:
    spec = rude_spec()
    pid = (await facts(supervisor, spec, "pid"))["pid"]
    with pytest.raises(UpstreamError, match="not today") as raised:
        await supervisor.call(spec, "refuse")
    assert raised.value.kind == "tool_error"
    assert raised.value.reply is not None
    assert (raised.value.reply.code, raised.value.reply.data) == (-32000, None)
    assert (await facts(supervisor, spec, "pid"))["pid"] == pid


async def test_a_line_that_is_too_long_costs_its_own_call_only(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio_transport, "MAX_MESSAGE_BYTES", 200_000)
    spec = rude_spec()
    pid = (await facts(supervisor, spec, "pid"))["pid"]
    with pytest.raises(UpstreamError, match="more than 200,000 bytes") as raised:
        await supervisor.call(spec, "large", {"bytes": 400_000})
    assert (raised.value.kind, raised.value.sent) == ("too_large", True)
    assert (await facts(supervisor, spec, "pid"))["pid"] == pid


async def test_a_line_may_be_as_long_as_an_answer_over_http(supervisor: Supervisor) -> None:
    size = 33 * 2**20
    assert size < MAX_MESSAGE_BYTES
    large = await facts(supervisor, rude_spec(), "large", bytes=size)
    assert len(large["text"]) == size


@pytest.mark.parametrize(
    ("mode", "kind", "said", "next_step"),
    [
        ("asks", "timeout", "waits for input", "--env NAME=VALUE"),
        ("at-end", "timeout", "only after the end of its input", "author"),
        ("no-handshake", "protocol", "refuses the handshake", "initialize"),
        ("hang-at-start", "timeout", "did not answer within", "qm origin start-limit NAME"),
        ("exit-at-start", "died", "ended at its start", "qm origin log NAME"),
    ],
)
async def test_a_start_that_fails_says_what_happened_and_what_to_do(
    supervisor: Supervisor, mode: str, kind: str, said: str, next_step: str
) -> None:
    # Long enough for an interpreter to start on a busy machine.
    with pytest.raises(UpstreamError) as raised:
        await supervisor.list_tools(rude_spec(mode, connect_timeout_s=3))
    assert raised.value.kind == kind
    assert said in raised.value.message
    assert next_step in raised.value.hint


async def test_the_errors_of_a_start_carry_its_last_lines_without_secrets(
    supervisor: Supervisor,
) -> None:
    token = canary()
    code = f"import sys; sys.exit('first\\nTOKEN={token} is wrong')"
    register_secret(token)
    spec = OriginSpec(id=1, name="x", transport="stdio", command=(sys.executable, "-c", code))
    with pytest.raises(UpstreamError) as raised:
        await supervisor.list_tools(spec)
    assert raised.value.detail is not None
    assert raised.value.detail.splitlines()[0] == "first"
    assert token not in raised.value.detail
    assert len(raised.value.detail) < 2_500


@pytest.mark.parametrize(
    ("code", "detail", "next_step"),
    [
        ("print('Usage: server --stdio')", "Usage: server --stdio", "Correct what its output says"),
        ("", None, "It wrote nothing"),
    ],
)
async def test_a_program_that_prints_and_ends_is_told_with_what_it_printed(
    supervisor: Supervisor, code: str, detail: str | None, next_step: str
) -> None:
    command = (sys.executable, "-c", code)
    spec = OriginSpec(id=1, name="x", transport="stdio", command=command)
    with pytest.raises(UpstreamError) as raised:
        await supervisor.list_tools(spec)
    assert (raised.value.kind, raised.value.detail) == ("died", detail)
    assert next_step in raised.value.hint


async def test_a_program_that_a_shell_does_not_find_is_named_with_what_to_install(
    supervisor: Supervisor,
) -> None:
    command = ("sh", "-c", "PATH=/nowhere uvx some-server")
    spec = OriginSpec(id=1, name="x", transport="stdio", command=command)
    with pytest.raises(UpstreamError) as raised:
        await supervisor.list_tools(spec)
    assert raised.value.kind == "command_not_found"
    assert "uvx" in str(raised.value.detail)
    assert "Install uv" in raised.value.hint


async def test_a_start_that_downloads_may_take_longer_than_one_that_is_silent(
    supervisor: Supervisor,
) -> None:
    spec = rude_spec("downloads", connect_timeout_s=2)
    assert len((await supervisor.list_tools(spec)).tools) == 8


async def test_a_start_with_a_limit_of_its_own_ends_at_this_limit(supervisor: Supervisor) -> None:
    with pytest.raises(UpstreamError, match="within 3 s") as raised:
        await supervisor.list_tools(rude_spec("downloads", start_limit_s=3))
    assert raised.value.detail == "Downloading packages ..."


async def test_a_call_does_not_wait_for_a_long_start_but_the_start_goes_on(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_ENDING_S", 0.0)
    spec = rude_spec("downloads", connect_timeout_s=2)
    with pytest.raises(UpstreamError, match=r"is still (starting|downloading)") as raised:
        await supervisor.call(spec, "pid")
    assert (raised.value.kind, raised.value.sent) == ("timeout", False)
    start = supervisor.states()["rude"].start
    assert start is not None
    assert start["seconds"] > 0
    assert len((await supervisor.list_tools(spec)).tools) == 8
    assert supervisor.states()["rude"].start is None


async def test_malformed_definitions_cost_only_themselves(supervisor: Supervisor) -> None:
    listing = await supervisor.list_tools(rude_spec("malformed"))
    assert len(listing.tools) == 9
    assert [(bad.position, bad.name) for bad in listing.rejected] == [(3, None), (4, None)]
    assert listing.rejected[0].reason == "name: Field required"


async def test_a_result_that_is_no_object_is_a_schema_failure_at_once(
    supervisor: Supervisor,
) -> None:
    with pytest.raises(UpstreamError) as raised:
        await supervisor.call(rude_spec(), "bad_result")
    assert (raised.value.kind, raised.value.sent) == ("schema", True)


async def test_half_a_character_does_not_lose_the_answer(supervisor: Supervisor) -> None:
    assert await facts(supervisor, rude_spec(), "half") == {"cut": "\ufffd"}


async def test_dead_upstreams_hide_nothing_of_the_living(supervisor: Supervisor) -> None:
    dead = [
        rude_spec("exit-at-start", name="exits"),
        rude_spec("hang-at-start", name="hangs", connect_timeout_s=1),
        OriginSpec(
            id=1,
            name="nobody",
            transport="http",
            url="http://127.0.0.1:9/mcp",
            networks=(LOOPBACK,),
        ),
    ]
    outcomes: dict[str, str] = {}

    async def look(spec: OriginSpec) -> None:
        outcomes[spec.name] = await outcome(supervisor, spec)

    async with anyio.create_task_group() as tasks:
        for spec in [*dead, rude_spec(name="lives")]:
            tasks.start_soon(look, spec)
    assert outcomes == {"exits": "died", "hangs": "timeout", "nobody": "network", "lives": "ok"}
    assert supervisor.states()["exits"].last_error is not None
    assert supervisor.states()["lives"].last_error is None


async def test_stderr_is_kept_up_to_its_limit(supervisor: Supervisor) -> None:
    spec = rude_spec()
    await supervisor.call(spec, "whisper", {"text": "first\n"})
    for _ in range(5):
        await supervisor.call(spec, "whisper", {"text": "x" * 50_000})
    await supervisor.call(spec, "whisper", {"text": "\nlast"})
    await until(lambda: supervisor.stderr_tail("rude").endswith("last"))
    assert len(supervisor.stderr_tail("rude")) == 100_000


async def test_service_variables_are_not_inherited(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QM_SOME_SECRET", "s3cret")
    seen = await facts(supervisor, rude_spec(env={"OWN": "1"}), "pid")
    assert seen["env"]["OWN"] == "1"
    assert "QM_SOME_SECRET" not in seen["env"]
