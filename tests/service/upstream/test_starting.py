"""How long a start may take, by what is seen of it."""

from __future__ import annotations

import os
import time

import anyio
import pytest

from quartermaster.core.processes import processor_seconds
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.starting import UpstreamStart, how_to_install, is_asking, is_runner
from quartermaster.upstream.stderr_tail import StderrTail

pytestmark = pytest.mark.anyio


def start(*command: str, said: str = "", is_first: bool = True, **limits: float) -> UpstreamStart:
    spec = OriginSpec(id=1, name="x", transport="stdio", command=command or ("server",), **limits)
    tail = StderrTail()
    tail.append(b"Downloading in the start before\n")
    tail.begin()
    if said:
        tail.append(said.encode())
    return UpstreamStart(spec, tail, is_first=is_first)


async def test_what_is_seen_decides_about_the_limit() -> None:
    assert start().deadline() == pytest.approx(anyio.current_time() + 30, abs=5)
    for long in (
        start("npx", "-y", "server"),
        start("/usr/bin/uvx", "server"),
        start("sh", "-c", "exec npx -y server"),
        start("env", "A=1", "docker", "run", "-i", "server"),
        start(said="Fetching 12 packages\n", is_first=False),
        start(said="Warming up the model\n"),
    ):
        assert long.deadline() > anyio.current_time() + 200
    for short in (
        start(said="Warming up the model\n", is_first=False),
        start(said="Enter your password: "),
        start("python3", "npx.py"),
    ):
        assert short.deadline() < anyio.current_time() + 60


async def test_a_limit_of_its_own_counts_alone() -> None:
    own = start("npx", "server", start_limit_s=5.0)
    assert own.deadline() < anyio.current_time() + 10


async def test_work_of_the_program_is_a_sign_of_life() -> None:
    started = start(is_first=False)
    before = started.deadline()
    used_s = time.process_time()
    while time.process_time() < used_s + 0.05:
        sum(range(1_000))
    started.look(os.getpid())
    assert started.deadline() > before


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("Password: ", True),
        ("Open the page\nand press Enter", True),
        ("Continue? [y/N]", True),
        ("Listening on stdio:\n", False),
        ("", False),
        ("Downloading model: ", False),
    ],
)
async def test_a_question_ends_in_the_middle_of_a_line(said: str, asks: bool) -> None:
    assert is_asking(said) == asks


async def test_well_known_programs_come_with_advice() -> None:
    for program in ("uvx", "npx", "docker", "/usr/local/bin/npx"):
        assert how_to_install(program)
    assert how_to_install("my-server") is None
    for said in ("sh: 1: uvx: not found", "env: 'node': No such file or directory"):
        assert how_to_install(said)


async def test_programs_that_download_are_known_in_shells_only_as_programs() -> None:
    assert is_runner(["bash", "-lc", "cd x && uvx server"])
    assert is_runner(["node", "/usr/lib/node_modules/npm/bin/npx-cli.js", "-y", "server"])
    assert is_runner(["npx.cmd", "-y", "server"])
    assert not is_runner(["node", "server.js"])
    assert not is_runner(["my-server", "npx"])
    assert not is_runner([])


async def test_a_process_that_is_gone_has_used_nothing() -> None:
    assert processor_seconds(2**22 + 1) == 0
