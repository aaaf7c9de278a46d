"""Messages over stdin and stdout, whatever is on the other side."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import anyio
import mcp_types as types
import pytest
from mcp.shared.message import SessionMessage

from quartermaster.doors.stdio import open_stdio
from tests.support.waiting import LONGEST_S

pytestmark = pytest.mark.anyio

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
CLAIMS = """
import os, sys
from quartermaster.doors.stdio import claimed_stdio
with claimed_stdio() as (source, sink):
    print("printed by mistake", flush=True)
    os.write(sink, b"given " + os.read(source, 10) + os.read(0, 10))
print("afterwards")
"""


@pytest.fixture
def pipes() -> Generator[tuple[int, int, int, int]]:
    """Where the client writes, where we read, where we write, where the client reads."""
    source, asking = os.pipe()
    answers, sink = os.pipe()
    for fd in (source, sink):
        os.set_blocking(fd, False)
    yield asking, source, sink, answers
    for fd in (asking, source, sink, answers):
        try:
            os.close(fd)
        except OSError:
            continue


def message(text: str = "") -> SessionMessage:
    given = {"jsonrpc": "2.0", "id": 1, "result": {"text": text}}
    return SessionMessage(types.jsonrpc_message_adapter.validate_python(given))


async def test_lines_that_come_in_pieces_are_messages_and_others_are_errors(
    pipes: tuple[int, int, int, int],
):
    asking, source, sink, _ = pipes
    ended = anyio.Event()
    line = json.dumps(PING).encode()
    async with open_stdio(source, sink, ended) as (read, _write):
        os.write(asking, line[:10])
        await anyio.wait_all_tasks_blocked()
        os.write(asking, line[10:] + b"\nno json\n" + line + b"\n\xff\xfe\n" + line)
        kinds = [type(await read.receive()).__name__ for _ in range(4)]
        os.close(asking)
        with pytest.raises(anyio.EndOfStream):
            await read.receive()
    assert kinds == ["SessionMessage", "MessageError"] * 2
    assert ended.is_set()


async def test_half_a_character_does_not_lose_the_question(pipes: tuple[int, int, int, int]):
    asking, source, sink, _ = pipes
    async with open_stdio(source, sink, anyio.Event()) as (read, _write):
        os.write(asking, json.dumps(PING | {"params": {"cut": "\ud83d"}}).encode() + b"\n")
        asked = await read.receive()
    assert isinstance(asked, SessionMessage)
    assert isinstance(asked.message, types.JSONRPCRequest)
    assert asked.message.params == {"cut": "\ufffd"}


async def test_a_large_answer_waits_for_its_reader(pipes: tuple[int, int, int, int]):
    _, source, sink, answers = pipes
    text = "x" * 300_000
    got = bytearray()

    def read_all() -> None:
        while not got.endswith(b"\n"):
            got.extend(os.read(answers, 65_536))

    async with open_stdio(source, sink, anyio.Event()) as (_read, write):
        await write.send(message(text))
        await anyio.wait_all_tasks_blocked()
        await anyio.to_thread.run_sync(read_all)
    assert json.loads(got)["result"]["text"] == text


async def test_it_ends_when_nobody_reads_the_answers(pipes: tuple[int, int, int, int]):
    _, source, sink, answers = pipes
    os.close(answers)
    ended = anyio.Event()
    with anyio.fail_after(LONGEST_S):
        async with open_stdio(source, sink, ended) as (read, write):
            await write.send(message())
            await ended.wait()
            with pytest.raises(anyio.EndOfStream):
                await read.receive()


async def test_it_can_be_ended_from_this_side(pipes: tuple[int, int, int, int]):
    _, source, sink, _ = pipes
    ended = anyio.Event()
    with anyio.fail_after(LONGEST_S):
        async with open_stdio(source, sink, ended) as (read, _write):
            ended.set()
            with pytest.raises(anyio.EndOfStream):
                await read.receive()


async def test_files_will_do(tmp_path: Path):
    asked, report = tmp_path / "asked", tmp_path / "told"
    asked.write_text(f"{json.dumps(PING)}\n")
    with asked.open("rb") as source, report.open("wb") as sink:
        async with open_stdio(source.fileno(), sink.fileno(), anyio.Event()) as (read, write):
            assert isinstance(await read.receive(), SessionMessage)
            with pytest.raises(anyio.EndOfStream):
                await read.receive()
            await write.send(message("a"))
    assert json.loads(report.read_text())["result"] == {"text": "a"}


def test_what_is_printed_by_mistake_does_not_reach_the_client():
    run = subprocess.run(
        [sys.executable, "-c", CLAIMS], input=b"asked", capture_output=True, check=True
    )
    assert run.stdout == b"given askedafterwards\n"
    assert run.stderr == b"printed by mistake\n"
