from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import BrokenResourceError, ClosedResourceError, EndOfStream
from anyio.abc import ByteSendStream
from anyio.lowlevel import checkpoint

from quartermaster.core.child_process import ChildProcess

Run = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]


@pytest.fixture(params=["uvloop", "asyncio", "without descriptors of processes"])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a function in each event loop, and where the kernel is not Linux."""
    if request.param.startswith("without"):
        monkeypatch.delattr(os, "pidfd_open", raising=False)
    options = {"use_uvloop": request.param == "uvloop"}
    return lambda function: anyio.run(function, backend_options=options)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


async def text_of(process: ChildProcess) -> bytes:
    assert process.stdout is not None
    return b"".join([chunk async for chunk in process.stdout])


async def send_on(stream: ByteSendStream) -> None:
    for _ in range(100):
        await stream.send(b"a" * 100_000)


def descriptors() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def test_it_gets_what_it_reads_and_tells_how_it_ended(run: Run):
    async def talk() -> None:
        process = await ChildProcess.start(
            python("import sys; print(sys.stdin.read().upper()); sys.exit(3)"),
            stderr=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        assert process.stderr is None
        await process.stdin.send(b"a" * 300_000)
        await process.stdin.aclose()
        assert await text_of(process) == b"A" * 300_000 + b"\n"
        assert await process.wait() == process.returncode == 3
        with pytest.raises(ClosedResourceError):
            await process.stdin.send(b"b")
        await process.aclose()

    run(talk)


def test_a_program_that_reads_no_more_is_an_error_of_the_one_who_sends(run: Run):
    async def talk() -> None:
        process = await ChildProcess.start(["true"])
        assert process.stdin is not None
        await process.wait()
        with pytest.raises(BrokenResourceError):
            await send_on(process.stdin)
        await process.aclose()

    run(talk)


def test_who_is_cancelled_while_it_closes_kills_it(run: Run):
    async def talk() -> None:
        process = await ChildProcess.start(["sleep", "60"])
        assert process.returncode is None
        with anyio.move_on_after(0.2) as scope:
            await process.aclose()
        assert scope.cancelled_caught
        assert process.returncode == -9
        process.terminate()
        assert process.stdout is not None
        with pytest.raises((ClosedResourceError, EndOfStream)):
            await process.stdout.receive()

    run(talk)


def test_files_and_a_program_that_is_not_there(run: Run, tmp_path: Path):
    async def talk() -> None:
        with (tmp_path / "in").open("w+b") as given:
            given.write(b"text")
            given.seek(0)
            process = await ChildProcess.start(["cat"], stdin=given, cwd=tmp_path)
            assert process.stdin is None
            assert await text_of(process) == b"text"
            await process.aclose()
        with pytest.raises(FileNotFoundError):
            await ChildProcess.start([str(tmp_path / "nothing")])

    run(talk)


def test_no_descriptor_stays(run: Run):
    async def talk() -> None:
        async def one() -> None:
            process = await ChildProcess.start(["true"])
            await process.wait()
            await process.aclose()
            await checkpoint()

        await one()
        before = descriptors()
        for _ in range(20):
            await one()
        assert descriptors() <= before + 1

    run(talk)
