"""`qm stdio` beside a running service: everything passes, and nothing is started."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import psycopg
import pytest
from mcp import Client, MCPError, StdioServerParameters

from tests.support.certificates import Authority
from tests.support.forks import forked_qm
from tests.support.instance import QM, STOP_S, Instance, descendants, new_instance
from tests.support.waiting import LONGEST_S, until, wait_until

pytestmark = [pytest.mark.anyio, pytest.mark.e2e, pytest.mark.slow]

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
LIMIT_S = 0.3
LIMIT_KB = 40_000


@pytest.fixture(params=["legacy", "auto"], ids=["session", "stateless"])
def era(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def served(stopped_data_dir: Path) -> Generator[Instance]:
    """A running service with the leaf server."""
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        instance.add_upstream("leaf", "leaf_server.py", "stdio")
        yield instance


@asynccontextmanager
async def bridged(
    instance: Instance,
    era: str,
    *options: str,
    key: str = "",
    qm: Sequence[str] = (str(QM),),
    **more: Any,
) -> AsyncGenerator[Client]:
    server = StdioServerParameters(
        command=qm[0],
        args=[*qm[1:], "stdio", *options],
        env=instance.environment | {"QM_KEY": key},
    )
    async with Client(server, mode=era, **more) as client:
        yield client


async def call(client: Client, name: str, **arguments: Any) -> types.CallToolResult:
    return await client.call_tool("call_tool", {"name": f"leaf__{name}", "arguments": arguments})


def text_of(result: types.CallToolResult) -> str:
    assert not result.is_error, result
    return "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))


async def counters(client: Client) -> dict[str, int]:
    return (await call(client, "counters")).structured_content or {}


async def test_requests_results_and_errors_pass(served: Instance, era: str) -> None:
    async with bridged(served, era) as client:
        assert [tool.name for tool in (await client.list_tools()).tools][:3]
        text = "grüße \u2028 \U0001f600"
        assert text_of(await call(client, "echo", text=text)) == text
        assert (await call(client, "refuse")).is_error
        with pytest.raises(MCPError, match="Unknown"):
            await client.call_tool("no_such_tool", {})


async def test_instructions_pass_and_a_toolset_has_its_own(served: Instance, era: str) -> None:
    async with bridged(served, era) as client:
        assert client.instructions is not None
        assert "\n- leaf" in client.instructions
    put = served.qm("toolset", "put", "notes", "--origin", "knowledge")
    assert put.returncode == 0, put.stderr
    async with bridged(served, era, "--toolset", "notes") as client:
        assert client.instructions is not None
        assert "\n- knowledge: " in client.instructions
        assert "leaf" not in client.instructions
    assert served.qm("toolset", "remove", "notes", "--yes").returncode == 0


async def test_a_list_of_all_tools_passes(served: Instance, era: str) -> None:
    async with bridged(served, era, "--list-all") as client:
        assert "leaf__echo" in [tool.name for tool in (await client.list_tools()).tools]
        assert text_of(await client.call_tool("leaf__echo", {"text": "heard"})) == "heard"
    async with bridged(served, era) as client:
        assert "leaf__echo" not in [tool.name for tool in (await client.list_tools()).tools]


async def test_many_requests_at_once_get_each_its_own_answer(served: Instance, era: str) -> None:
    answers: dict[int, str] = {}

    async def ask(number: int) -> None:
        answers[number] = text_of(await call(client, "echo", text=str(number)))

    async with bridged(served, era) as client, anyio.create_task_group() as tasks:
        for number in range(40):
            tasks.start_soon(ask, number)
    assert answers == {number: str(number) for number in range(40)}


async def test_a_large_result_passes(served: Instance, era: str) -> None:
    async with bridged(served, era) as client:
        result = await call(client, "big", size=3_000_000)
    assert not result.is_error


async def test_progress_passes(served: Instance, era: str) -> None:
    seen: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert (total, message) == (3, f"step {len(seen) + 1}")
        seen.append(progress)

    async with bridged(served, era) as client:
        asked = {"name": "leaf__count", "arguments": {"to": 3}}
        counted = await client.call_tool("call_tool", asked, progress_callback=hear)
        assert text_of(counted) == "counted"
    assert seen == [1, 2, 3]


async def test_a_cancelled_call_is_cancelled_upstream(served: Instance, era: str) -> None:
    hanging = anyio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert (progress, total, message) == (1, None, "hanging")
        hanging.set()

    async with bridged(served, era) as client:
        before = (await counters(client))["cancelled"]
        async with anyio.create_task_group() as tasks:

            async def hang() -> None:
                asked: dict[str, Any] = {"name": "leaf__hang", "arguments": {}}
                await client.call_tool("call_tool", asked, progress_callback=hear)

            tasks.start_soon(hang)
            await hanging.wait()
            tasks.cancel_scope.cancel()

        async def is_cancelled() -> bool:
            return (await counters(client))["cancelled"] == before + 1

        await until(is_cancelled)
        # The bridge goes on.
        assert text_of(await call(client, "echo", text="on")) == "on"


async def test_a_question_of_a_server_reaches_the_user_and_the_answer_the_server(
    served: Instance, era: str
) -> None:
    async def answer(_: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        assert params.message == "who?"
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async with bridged(served, era, elicitation_callback=answer) as client:
        assert text_of(await call(client, "ask")).startswith("hello Ada")


async def test_what_the_service_says_by_itself_passes(served: Instance) -> None:
    heard = anyio.Event()

    async def hear(message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            heard.set()

    async with bridged(served, "legacy", message_handler=hear) as client:
        await client.list_tools()
        assert served.qm("origin", "refresh", "leaf").returncode == 0
        await client.call_tool("search_tools", {"query": "echo"})
        with anyio.fail_after(LONGEST_S):
            await heard.wait()


async def test_one_origin_is_that_origin(served: Instance, era: str) -> None:
    async with bridged(served, era, "--origin", "leaf") as client:
        assert "echo" in [tool.name for tool in (await client.list_tools()).tools]
        assert text_of(await client.call_tool("echo", {"text": "hello"})) == "hello"


async def test_no_second_upstream_is_started_and_no_instance_registered(
    served: Instance, era: str
) -> None:
    count = "select count(*) from core.instance"
    before = served.rows(count)
    async with bridged(served, era) as client:
        pid = (await counters(client))["pid"]
        async with bridged(served, era) as other:
            assert (await counters(other))["pid"] == pid
        ours = [p for p in descendants(os.getpid()) if is_bridge(p)]
        assert ours
        assert not [child for p in ours for child in descendants(p) if child not in ours]
    assert served.rows(count) == before


def is_bridge(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().endswith(b"qm\0stdio\0")
    except OSError:
        return False


async def test_the_key_decides_who_calls(served: Instance, era: str) -> None:
    served.qm("principal", "create", f"bridged-{era}")
    made = served.qm_json("key", "create", f"bridged-{era}")
    async with bridged(served, era, key=made["key"]) as client:
        await call(client, "echo", text="mine")
        rows = served.rows(
            "select p.name from calls.call as c join policy.principal as p on p.id = c.principal_id"
            " order by c.id desc limit 1"
        )
        assert rows == [(f"bridged-{era}",)]
        assert served.qm("key", "revoke", made["key"], "--yes").returncode == 0
        with pytest.raises(MCPError, match="key") as refused:
            await call(client, "echo", text="no longer")
        assert refused.value.error.data["slug"] == "key_invalid"


async def test_the_session_ends_with_the_client(served: Instance) -> None:
    def sessions() -> int:
        with served.http() as http:
            return http.get("/status").json()["service"]["sessions"]

    before = sessions()
    async with bridged(served, "legacy") as client:
        await client.list_tools()
        assert sessions() == before + 1
    await until(lambda: sessions() == before)


async def test_after_a_restart_it_goes_on(stopped_data_dir: Path) -> None:
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        instance.add_upstream("leaf", "leaf_server.py", "stdio")
        async with bridged(instance, "legacy") as one, bridged(instance, "auto") as other:
            clients = (one, other)
            for client in clients:
                assert text_of(await call(client, "echo", text="before")) == "before"
            lost: list[MCPError] = []

            async def hang(client: Client, hanging: anyio.Event) -> None:
                async def hear(progress: float, total: float | None, message: str | None) -> None:
                    assert (progress, total, message) == (1, None, "hanging")
                    hanging.set()

                asked: dict[str, Any] = {"name": "leaf__hang", "arguments": {}}
                try:
                    await client.call_tool("call_tool", asked, progress_callback=hear)
                except MCPError as error:
                    lost.append(error)

            async with anyio.create_task_group() as tasks:
                for client in clients:
                    hanging = anyio.Event()
                    tasks.start_soon(hang, client, hanging)
                    await hanging.wait()
                await anyio.to_thread.run_sync(instance.kill)
            assert [each.error.code for each in lost] == [-32000] * 2
            assert all("Quartermaster" in each.error.message for each in lost)
            for client in clients:
                with pytest.raises(MCPError, match="qm up") as down:
                    await call(client, "echo", text="down")
                assert down.value.error.code == -32000
            await anyio.to_thread.run_sync(instance.start)
            for client in clients:
                assert text_of(await call(client, "echo", text="after")) == "after"


async def test_the_authority_of_the_service_is_trusted(
    stopped_data_dir: Path, tmp_path: Path
) -> None:
    authority = Authority(tmp_path, "authority")
    certified = authority.certify("server")
    options = ["--tls-cert", certified.certificate, "--tls-key", certified.key]
    options += ["--tls-ca", authority.certificate]
    with new_instance(*map(str, options), copy_of=stopped_data_dir) as instance:
        instance.start()
        async with bridged(instance, "auto") as client:
            assert (await client.list_tools()).tools


def launch(instance: Instance, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [QM, "stdio", *options],
        env=instance.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def say(process: subprocess.Popen[bytes], line: object) -> None:
    assert process.stdin is not None
    process.stdin.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def test_the_first_answer_comes_at_once_from_a_small_process(served: Instance) -> None:
    times: list[float] = []
    alone: list[float] = []
    sizes: list[int] = []
    for _ in range(7):
        begun = time.monotonic()
        process = launch(served)
        say(process, HELLO)
        assert hear(process)["id"] == 1
        times.append(time.monotonic() - begun)
        # How long it waited for a processor that other processes used, in nanoseconds.
        waited = int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[1])
        alone.append(times[-1] - waited / 1e9)
        say(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        say(process, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        while hear(process).get("id") != 2:
            pass
        status = Path(f"/proc/{process.pid}/status").read_text()
        sizes.append(int(status.split("VmHWM:")[1].split()[0]))
        process.communicate(timeout=STOP_S)
        assert process.returncode == 0
    report = (
        f"first answer after {sorted(times)} s, without waiting for a processor {sorted(alone)}"
    )
    print(f"\n{report}; at most {max(sizes)} kB")  # noqa: T201
    assert min(alone) < LIMIT_S, report
    assert max(sizes) < LIMIT_KB


def test_it_imports_neither_the_sdk_nor_the_command_line() -> None:
    code = (
        "import sys, quartermaster.bridge.start;"
        "print([m for m in ('mcp', 'typer', 'pydantic', 'anyio', 'httpx2') if m in sys.modules],"
        " [m for m in sys.modules if m.startswith('quartermaster.cli')])"
    )
    python = QM.with_name("python")
    report = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    assert report.stdout.split() == ["[]", "[]"]


def test_lines_that_are_no_messages_are_answered_and_harm_nothing(served: Instance) -> None:
    process = launch(served)
    for line, code in ((b"no json", -32700), (b"\xff\xfe", -32700), (b"[1]", -32600)):
        say(process, line)
        answer = hear(process)
        assert (answer["id"], answer["error"]["code"]) == (None, code)
    say(process, b"")
    say(process, HELLO)
    assert hear(process)["id"] == 1
    rest, report = process.communicate(timeout=STOP_S)
    assert (rest, report, process.returncode) == (b"", b"", 0)


def test_answers_that_are_on_their_way_at_the_end_of_input_arrive(served: Instance) -> None:
    process = launch(served)
    call = {"name": "call_tool", "arguments": {"name": "leaf__echo", "arguments": {"text": "x"}}}
    for message in (
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": call},
    ):
        say(process, message)
    said, _ = process.communicate(timeout=STOP_S)
    answers = [json.loads(line) for line in said.splitlines()]
    assert {1, "a"} <= {answer.get("id") for answer in answers}


def test_a_client_that_is_gone_ends_it(served: Instance) -> None:
    process = launch(served)
    say(process, HELLO)
    assert hear(process)["id"] == 1
    assert process.stdout is not None
    process.stdout.close()
    say(process, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    assert wait_until(lambda: process.poll() is not None)
    process.communicate()


@pytest.mark.parametrize("option", ["--config", "--settings", "--dsn"])
def test_options_of_a_service_are_refused_beside_one(
    served: Instance, tmp_path: Path, option: str
) -> None:
    (tmp_path / "file").write_text("{}")
    refused = served.qm("stdio", option, str(tmp_path / "file"))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "already_running" in refused.stderr
    assert "qm import" in refused.stderr


def test_an_unknown_toolset_is_explained(served: Instance) -> None:
    process = launch(served, "--toolset", "none")
    say(process, HELLO)
    answer = hear(process)
    process.communicate(timeout=STOP_S)
    assert answer["id"] == 1
    assert "toolset" in answer["error"]["message"]


async def test_alone_it_serves_the_owner_of_the_key(stopped_data_dir: Path) -> None:
    goals = {"legacy": "a goal of a session", "auto": "a goal without a session"}
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        assert instance.qm("principal", "create", "desk").returncode == 0
        key = instance.qm_json("key", "create", "desk")["key"]
        dsn = instance.admin_dsn
        assert instance.stop() == 0
        asked = (
            "select p.name from selection.receipt as r"
            " join policy.principal as p on p.id = r.principal_id where r.goal = %s"
        )
        for era, goal in goals.items():
            async with bridged(instance, era, key=key, qm=forked_qm()) as client:
                await client.call_tool("search_tools", {"query": goal})
                with psycopg.connect(dsn) as connection:
                    assert connection.execute(asked, [goal]).fetchall() == [("desk",)]


def test_somebody_elsewhere_needs_only_address_and_key(served: Instance, tmp_path: Path) -> None:
    made = served.qm("key", "create", "local", "--label", "elsewhere").stdout.strip()
    there = {"QM_URL": served.run_file.url, "QM_KEY": made, "HOME": str(tmp_path)}
    environment = {k: v for k, v in served.environment.items() if k != "QM_DATA_DIR"} | there
    called = subprocess.run(
        [QM, "call", "leaf__echo", '{"text": "from afar"}'],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert (called.returncode, called.stdout.strip()) == (0, "from afar"), called.stderr
    bridge = subprocess.run(
        [QM, "stdio"],
        env=environment,
        input=json.dumps(HELLO).encode() + b"\n",
        capture_output=True,
    )
    assert json.loads(bridge.stdout.splitlines()[0])["result"]["serverInfo"]
    refused = subprocess.run(
        [QM, "stdio"],
        env=environment | {"QM_KEY": "wrong"},
        input=json.dumps(HELLO).encode() + b"\n",
        capture_output=True,
    )
    assert json.loads(refused.stdout.splitlines()[0])["error"]["data"]["slug"] == "key_invalid"
    assert not list(tmp_path.rglob("run.json"))
