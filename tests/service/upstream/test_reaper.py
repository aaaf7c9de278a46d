"""Nothing an upstream started outlives its service, however that ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

import quartermaster.core.reaper as reaper
from tests.support.upstreams import REPOSITORY, is_running
from tests.support.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="stray processes: Linux only")

HOST = """
import anyio, json
from quartermaster.upstream.supervisor import Supervisor
from tests.support.upstreams import rude_spec

async def main():
    async with Supervisor() as supervisor:
        spec = rude_spec(MODE)
        strays = (await supervisor.call(spec, "spawn_strays")).structured_content
        print(json.dumps([supervisor.states()["rude"].pid, *strays.values()]), flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""


def start_host(mode: str) -> tuple[subprocess.Popen[str], list[int]]:
    """Returns a process with a supervisor; returns it with its upstream, child and grandchild."""
    source = HOST.replace("MODE", repr(mode))
    command = [sys.executable, "-c", source]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY)
    assert host.stdout is not None
    return host, json.loads(host.stdout.readline())


def end(host: subprocess.Popen[str], number: int) -> None:
    host.send_signal(number)
    host.wait(timeout=15)
    assert host.stdout is not None
    host.stdout.close()


@pytest.mark.parametrize("mode", ["deaf", "stubborn"])
def test_killed_service_leaves_no_child_and_no_grandchild(mode: str) -> None:
    host, pids = start_host(mode)
    assert all(map(is_running, pids))
    reapers = {parent_of(pids[0])}
    end(host, signal.SIGKILL)
    assert wait_until(lambda: not any(map(is_running, [*pids, *reapers])))


def test_killed_upstream_takes_its_strays_along() -> None:
    host, pids = start_host("deaf")
    os.kill(pids[0], signal.SIGKILL)
    assert wait_until(lambda: not any(map(is_running, pids)))
    assert host.poll() is None
    end(host, signal.SIGKILL)


@pytest.mark.parametrize("which", [0, 1], ids=["the one that starts", "the one that watches"])
def test_killed_reaper_takes_the_upstream_and_its_strays_along(which: int) -> None:
    host, pids = start_host("deaf")
    reapers = [parent_of(pids[0]), parent_of(parent_of(pids[0]))]
    assert host.pid not in reapers
    os.kill(reapers[which], signal.SIGKILL)
    assert wait_until(lambda: not any(map(is_running, [*pids, *reapers])))
    assert host.poll() is None
    end(host, signal.SIGKILL)


def test_strays_of_two_killed_reapers_end_with_the_next_where_there_are_cgroups() -> None:
    can_group = reaper.make_group()
    reaper.end_group(can_group)
    host, pids = start_host("stubborn")
    for pid in (host.pid, parent_of(parent_of(pids[0])), parent_of(pids[0])):
        os.kill(pid, signal.SIGKILL)
    end(host, signal.SIGKILL)
    assert is_running(pids[-1])
    options = ["--watched", "1", "--", "/bin/true"]
    done = subprocess.run([sys.executable, "-I", "-S", "-E", reaper.__file__, *options], check=True)
    assert done.returncode == 0
    # Where there is no cgroup, it is not ended at all.
    ended = wait_until(lambda: not is_running(pids[-1]), 2 if can_group is None else 30)
    assert ended == (can_group is not None)
    for stray in filter(is_running, pids):
        os.kill(stray, signal.SIGKILL)


@pytest.mark.parametrize(
    ("mounts", "groups"),
    [
        ("", "0::/"),
        ("proc /proc proc rw 0 0", "0::/"),
        ("cgroup /sys/fs/cgroup/memory cgroup rw 0 0", "9:memory:/user"),
        ("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0", "9:memory:/user"),
        ("cgroup2 /nowhere cgroup2 rw 0 0", "0::/nowhere"),
    ],
)
def test_without_cgroups_a_command_runs_in_none(
    monkeypatch: pytest.MonkeyPatch, mounts: str, groups: str
) -> None:
    said = {"/proc/self/mounts": mounts, "/proc/self/cgroup": groups}
    monkeypatch.setattr(reaper, "content", lambda path: said[path].encode())
    assert reaper.make_group() is None


def parent_of(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    return int(stat.rpartition(")")[2].split()[1])


@pytest.fixture
def reaped() -> Generator[list[subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


def reap(started: list[subprocess.Popen[str]], source: str) -> subprocess.Popen[str]:
    """Runs Python source through the reaper with a grace of 0.3 s."""
    program = [sys.executable, "-c", source]
    command = [sys.executable, "-I", "-S", "-E", reaper.__file__, "--grace", "0.3", "--", *program]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    started.append(subprocess.Popen(command, text=True, **pipes))
    return started[-1]


@pytest.mark.parametrize(
    ("source", "status"),
    [("pass", 0), ("raise SystemExit(3)", 3), ("import os; os.kill(os.getpid(), 9)", 137)],
)
def test_status_of_the_command_is_passed_on(
    reaped: list[subprocess.Popen[str]], source: str, status: int
) -> None:
    assert reap(reaped, source).wait(timeout=10) == status


def test_missing_command_is_status_127() -> None:
    command = [sys.executable, reaper.__file__, "--", "no-such-program-here"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=10)
    assert found.returncode == 127
    assert "no-such-program-here" in found.stderr


def test_pipes_are_the_commands_own(reaped: list[subprocess.Popen[str]]) -> None:
    running = reap(reaped, "import sys; print(sys.stdin.read().upper()); sys.stderr.write('e')")
    assert running.communicate("text", timeout=10) == ("TEXT\n", "e")


@pytest.mark.parametrize("ending", ["terminate", "close stdin"])
def test_command_that_ignores_it_is_killed_after_the_grace(
    reaped: list[subprocess.Popen[str]], ending: str
) -> None:
    source = "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True)\n"
    running = reap(reaped, source + "time.sleep(60)")
    assert running.stdout is not None
    assert running.stdin is not None
    running.stdout.readline()
    if ending == "terminate":
        running.terminate()
    else:
        running.stdin.close()
        running.stdin = None
    assert running.wait(timeout=10) == 128 + signal.SIGKILL
