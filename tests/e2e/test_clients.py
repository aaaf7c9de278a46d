"""The official client, of both protocol eras, over HTTP and stdio, with the starter servers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent, ToolListChangedNotification

from quartermaster.doors.mcp.bridge_tools import BRIDGE_TOOLS
from tests.support.forks import forked_qm
from tests.support.instance import QM, START_S, STOP_S, Instance, descendants
from tests.support.upstreams import SUPPORT, is_running
from tests.support.waiting import LONGEST_S, until, wait_until

pytestmark = [pytest.mark.anyio, pytest.mark.e2e, pytest.mark.slow]

GOAL = "what time is it in Tokyo"
TOOL = "time__get_current_time"
ARGUMENTS = {"timezone": "Asia/Tokyo"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "0"},
    },
}


@pytest.fixture(params=["legacy", "auto"], ids=["session", "stateless"])
def era(request: pytest.FixtureRequest) -> str:
    """Both kinds of client; ``auto`` asks the server and finds the newest revision."""
    return request.param


@asynccontextmanager
async def over_http(instance: Instance, era: str, **more: Any) -> AsyncGenerator[Client]:
    run = instance.run_file
    async with (
        httpx2.AsyncClient(
            headers={"authorization": f"Bearer {run.token}"}, timeout=START_S, trust_env=False
        ) as http,
        Client(
            streamable_http_client(f"{run.url}/mcp", http_client=http), mode=era, **more
        ) as client,
    ):
        yield client


@asynccontextmanager
async def over_stdio(
    instance: Instance, era: str, *options: str, qm: Sequence[str] = (str(QM),), **more: Any
) -> AsyncGenerator[Client]:
    server = StdioServerParameters(
        command=qm[0], args=[*qm[1:], "stdio", *options], env=instance.environment
    )
    async with Client(server, mode=era, **more) as client:
        yield client


def text_of(result: CallToolResult) -> str:
    assert not result.is_error, result
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


async def find_and_call(client: Client) -> None:
    """What an agent does."""
    found = await client.call_tool("search_tools", {"query": GOAL})
    assert TOOL in [tool["name"] for tool in found.structured_content["tools"]]
    asked = {
        "name": TOOL,
        "arguments": ARGUMENTS,
        "receipt": found.structured_content["receipt"],
    }
    called = await client.call_tool("call_tool", asked)
    assert json.loads(text_of(called))["timezone"] == "Asia/Tokyo"
    assert called.meta is not None
    assert called.meta["quartermaster/call"]["origin"] == "time"


async def check_the_list(client: Client, era: str, heard: anyio.Event) -> None:
    """Found tools are promoted for session clients only."""
    tools = (await client.list_tools(cache_mode="bypass")).tools
    assert tools[:3] == [*BRIDGE_TOOLS]
    names = [tool.name for tool in tools]
    if era == "legacy":
        with anyio.fail_after(LONGEST_S):
            await heard.wait()
        assert TOOL in names[3:] == sorted(names[3:])
        assert json.loads(text_of(await client.call_tool(TOOL, ARGUMENTS)))["timezone"]
    else:
        assert client.protocol_version == "2026-07-28"
        assert len(names) == 3


def listener() -> tuple[anyio.Event, Any]:
    heard = anyio.Event()

    async def hear(message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            heard.set()

    return heard, hear


async def test_a_starter_tool_is_found_and_called_over_http(instance: Instance, era: str):
    heard, hear = listener()
    async with over_http(instance, era, message_handler=hear) as client:
        await find_and_call(client)
        await check_the_list(client, era, heard)


async def test_a_starter_tool_is_found_and_called_over_stdio(instance: Instance, era: str):
    # Beside the running service, on the same database.
    heard, hear = listener()
    async with over_stdio(instance, era, message_handler=hear) as client:
        await find_and_call(client)
        await check_the_list(client, era, heard)


async def test_an_error_says_that_the_sandbox_hides_a_path(instance: Instance):
    async with over_http(instance, "auto") as client:
        asked = {"name": TOOL, "arguments": {"timezone": "/var/lib/zones"}}
        report = await client.call_tool("call_tool", asked)
    assert report.is_error
    (note,) = (part.text for part in report.content[1:] if isinstance(part, TextContent))
    assert "qm origin sandbox time --folder FOLDER" in note


async def test_many_clients_at_once_are_all_served(instance: Instance):
    answers: list[str] = []

    async def one(era: str) -> None:
        async with over_http(instance, era) as client:
            await find_and_call(client)
            answers.append(era)

    async with anyio.create_task_group() as clients:
        for number in range(12):
            clients.start_soon(one, ("legacy", "auto")[number % 2])
    assert len(answers) == 12


async def finds(client: Client, query: str) -> list[str]:
    found = await client.call_tool("search_tools", {"query": query})
    return [tool["name"] for tool in found.structured_content["tools"]]


def is_leaf(pid: int) -> bool:
    """Returns whether it is the leaf server over stdio, or one of the processes around it."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().endswith(b"leaf_server.py\0stdio\0")
    except OSError:
        return False


async def test_stdio_alone_serves_what_a_configuration_names_and_leaves_nothing_running(
    installed: Instance, tmp_path: Path
):
    command = {"command": sys.executable, "args": [str(SUPPORT / "leaf_server.py"), "stdio"]}
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"leaf": command}}))
    async with over_stdio(installed, "auto", "--config", str(config)) as client:
        # The server is read while we are served already.
        async def is_read() -> bool:
            return "leaf__echo" in await finds(client, "echo")

        await until(is_read, START_S)
        asked = {"name": "leaf__echo", "arguments": {"text": "hello"}}
        assert text_of(await client.call_tool("call_tool", asked)) == "hello"
        upstream = {pid for pid in descendants(os.getpid()) if is_leaf(pid)}
        assert upstream
        everything = {*upstream, *installed.server_pids()}
    assert wait_until(lambda: not any(map(is_running, everything)), STOP_S)


async def test_stdio_of_one_origin_is_that_origin(installed: Instance, tmp_path: Path):
    command = {"command": sys.executable, "args": [str(SUPPORT / "leaf_server.py"), "stdio"]}
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"leaf": command}}))
    options = ("--config", str(config), "--origin", "leaf")
    # A stateless client keeps the empty list of the beginning until it is told.
    async with over_stdio(installed, "legacy", *options, qm=forked_qm()) as client:
        listed: set[str] = set()

        async def is_listed() -> bool:
            listed.update(tool.name for tool in (await client.list_tools()).tools)
            return bool(listed)

        await until(is_listed, START_S)
        assert "echo" in listed
        assert text_of(await client.call_tool("echo", {"text": "hello"})) == "hello"


def test_a_configuration_with_a_mistake_is_refused_by_line(installed: Instance, tmp_path: Path):
    config = tmp_path / "mcp.json"
    config.write_text('{"mcpServers": {\n  "a": {"command": }\n}}')
    refused = installed.qm("stdio", "--config", str(config))
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert "mcp.json:2:" in refused.stderr.replace("\n", "")


def launch_stdio(instance: Instance) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [QM, "stdio"],
        env=instance.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_nothing_but_the_protocol_is_on_stdout(instance: Instance):
    process = launch_stdio(instance)
    call = {"name": "search_tools", "arguments": {"query": GOAL}}
    messages = [
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    assert process.stdin is not None
    assert process.stdout is not None
    said: list[dict[str, Any]] = []
    for message in messages:
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
    while not any(answer.get("id") == 2 for answer in said):
        said.append(json.loads(process.stdout.readline()))
    rest, log = process.communicate(timeout=STOP_S)
    assert rest == b""
    assert all(answer["jsonrpc"] == "2.0" for answer in said)
    assert any(answer.get("method") == "notifications/tools/list_changed" for answer in said)
    for line in log.decode().splitlines():
        assert json.loads(line)["level"]
    assert process.returncode == 0


def test_sigterm_ends_stdio_although_its_client_keeps_it_open(instance: Instance):
    process = launch_stdio(instance)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(HELLO).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    process.terminate()
    status = process.wait(STOP_S)
    _, report = process.communicate()
    assert status == 0, report
    # The service beside it goes on.
    with instance.http() as http:
        assert http.get("/readyz").status_code == 200


def test_qm_search_prints_what_select_tools_selects(instance: Instance):
    found = instance.qm_json("search", GOAL, "--limit", "3", "--mode", "fast")
    assert found.keys() == {"receipt", "tools"}
    assert 1 <= len(found["tools"]) <= 3
    for rank, tool in enumerate(found["tools"], start=1):
        shown = {"rank", "name", "origin", "brief", "score", "scores", "weak", "unavailable"}
        assert tool.keys() == shown
        assert tool["rank"] == rank
    assert TOOL in [tool["name"] for tool in found["tools"]]
    (retained,) = instance.rows(
        "select goal, mode, kind from selection.receipt where id = %s", found["receipt"]
    )
    assert retained == (GOAL, "fast", "tool")
    # The goal is embedded by the same model, so meaning counts.
    assert any("dense" in tool["scores"]["sources"] for tool in found["tools"])


def test_qm_search_explains_itself(instance: Instance):
    shown = instance.qm("search", GOAL, "--explain")
    assert shown.returncode == 0
    for heading in ("lexical", "dense", "fuzzy", "found by", TOOL):
        assert heading in shown.stdout


def test_qm_search_explains_what_is_wrong(instance: Instance):
    for arguments, slug in (
        ((GOAL, "--mode", "psychic"), "argument_invalid"),
        ((" ",), "goal_empty"),
        (("x " * 50_000,), "goal_too_long"),
        ((GOAL, "--limit", "1000"), "argument_invalid"),
    ):
        refused = instance.qm("search", *arguments)
        assert refused.returncode == (2 if slug == "argument_invalid" else 1)
        assert slug in refused.stderr
        assert "Next:" in refused.stderr


def test_qm_call_prints_the_result(instance: Instance):
    arguments = json.dumps(ARGUMENTS)
    shown = instance.qm("call", TOOL, arguments)
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["timezone"] == "Asia/Tokyo"
    assert instance.qm("call", TOOL, "-", stdin=arguments).stdout
    whole = instance.qm_json("call", TOOL, arguments)
    assert whole["_meta"]["quartermaster/call"]["tool"] == "get_current_time"


def test_qm_call_explains_what_is_wrong(instance: Instance):
    for arguments, said in (
        ((TOOL, '{"timezone": }'), "line 1 column 14"),
        ((TOOL, '["a"]'), "array"),
        ((TOOL, "{}"), "timezone"),
        (("time__get", "{}"), "tool_not_found"),
    ):
        refused = instance.qm("call", *arguments)
        assert refused.returncode == 1
        assert said in refused.stderr
        assert "Next:" in refused.stderr
    assert instance.qm("call", TOOL, "{}", "--json").returncode == 1
