"""Programs that read a folder of somebody else: what they reach on each way to confine them."""

from __future__ import annotations

import fcntl
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import pytest

from quartermaster.core import bubblewrap, confined_reader, landlock
from quartermaster.core.confined_reader import (
    CONFINEMENTS,
    Way,
    end_reader,
    start_reader,
    try_way,
)
from tests.support.escapes import SYSTEM_PYTHON


@pytest.fixture(params=CONFINEMENTS)
def way(request: pytest.FixtureRequest) -> Way:
    found = try_way(request.param)
    assert found is not None
    return found


@pytest.fixture
def shown(tmp_path: Path) -> Generator[int]:
    folder = tmp_path / "shown"
    folder.mkdir()
    (folder / "file").write_text("seen")
    descriptor = os.open(folder, os.O_PATH)
    yield descriptor
    os.close(descriptor)


def said(way: Way, tmp_path: Path, shown: int, code: str) -> str:
    """Returns what a Python program says; empty if it fails."""
    own = tmp_path / "own"
    own.mkdir(exist_ok=True)
    command = [SYSTEM_PYTHON, "-I", "-S", "-c", code, way.place_of(shown)]
    process = start_reader(way, command, {}, own, shown, subprocess.DEVNULL, subprocess.PIPE)
    return process.communicate()[0].decode().strip()


def test_it_reads_what_is_shown_and_its_own_folder(way: Way, tmp_path: Path, shown: int):
    code = "import sys; print(open(sys.argv[1] + '/file').read())"
    assert said(way, tmp_path, shown, code) == "seen"
    (tmp_path / "own").joinpath("mine").write_text("mine")
    assert said(way, tmp_path, shown, "print(open('mine').read())") == "mine"


def test_nothing_of_it_is_left_whenever_it_is_ended(way: Way, tmp_path: Path, shown: int):
    own = tmp_path / "own"
    own.mkdir()
    for pause_ms in range(12):
        process = start_reader(
            way, ["/bin/sleep", "60"], {}, own, shown, subprocess.DEVNULL, subprocess.PIPE
        )
        with suppress(subprocess.TimeoutExpired):
            process.wait(pause_ms / 1000)
        end_reader(process)
        # The pipe ends when the last process that has it has ended.
        output, _ = process.communicate(timeout=10)
        assert output == b""


def test_programs_start_meanwhile(tmp_path: Path):
    # If a thread's table had the pipe of a start of uvloop, both would wait for ever.
    code = """
import os, subprocess, sys
from pathlib import Path
import anyio, anyio.to_thread
from quartermaster.core.confined_reader import start_reader, try_way

def read(way, folder, shown):
    null = subprocess.DEVNULL
    for _ in range(15):
        start_reader(way, ["/bin/true"], {}, folder, shown, null, null).wait()

async def start():
    for _ in range(20):
        await anyio.run_process(["/bin/true"])

async def main():
    way, folder = try_way("landlock"), Path(sys.argv[1])
    shown = os.open(folder, os.O_PATH)
    async with anyio.create_task_group() as tasks:
        for _ in range(6):
            tasks.start_soon(anyio.to_thread.run_sync, read, way, folder, shown)
            tasks.start_soon(start)

anyio.run(main, backend_options={"use_uvloop": True})
"""
    command = [sys.executable, "-c", code, str(tmp_path)]
    subprocess.run(command, timeout=100, check=True)


def test_it_reads_nothing_beside_them(way: Way, tmp_path: Path, shown: int):
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "shown" / "link").symlink_to(tmp_path / "secret")
    for path in (
        str(tmp_path / "secret"),
        "../secret",
        "/etc/shadow",
        f"/proc/{os.getpid()}/environ",
    ):
        assert said(way, tmp_path, shown, f"print('got', open({path!r}).read())") == ""
    code = "import sys; print('got', open(sys.argv[1] + '/link').read())"
    assert said(way, tmp_path, shown, code) == ""


def test_what_is_put_in_the_place_of_the_folder_is_not_shown(way: Way, tmp_path: Path, shown: int):
    (tmp_path / "shown").rename(tmp_path / "kept")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("other")
    (tmp_path / "shown").symlink_to(tmp_path / "other")
    code = "import sys; print(open(sys.argv[1] + '/file').read())"
    assert said(way, tmp_path, shown, code) == "seen"


def test_it_changes_nothing(way: Way, tmp_path: Path, shown: int):
    for path in ("sys.argv[1] + '/new'", "'new'", "sys.argv[1] + '/file'"):
        assert said(way, tmp_path, shown, f"import sys; print(open({path}, 'a').name)") == ""


def test_it_has_no_network(way: Way, tmp_path: Path, shown: int):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket; print(socket.create_connection(('127.0.0.1', {port}), 5))"
        assert said(way, tmp_path, shown, code) == ""


def test_it_has_little_memory(way: Way, tmp_path: Path, shown: int):
    assert said(way, tmp_path, shown, "print(len(bytearray(10**8)))") == "100000000"
    assert said(way, tmp_path, shown, "print(len(bytearray(10**9)))") == ""


def test_the_process_that_started_it_is_not_confined(way: Way, tmp_path: Path, shown: int):
    said(way, tmp_path, shown, "")
    (tmp_path / "new").write_text("new")
    assert subprocess.run(["cat", tmp_path / "new"], capture_output=True).stdout == b"new"


def test_it_inherits_the_folder_and_nothing_else(way: Way, tmp_path: Path, shown: int):
    other = os.open("/etc/passwd", os.O_RDONLY)
    os.set_inheritable(other, True)
    try:
        code = (
            "import os; print([n for n in range(3, 99) if os.path.lexists(f'/proc/self/fd/{n}')])"
        )
        opened = said(way, tmp_path, shown, code)
        assert opened in {f"[{shown}]", "[]"}
        assert not os.get_inheritable(shown)
    finally:
        os.close(other)


def test_its_start_costs_the_same_whatever_number_the_folder_has(
    way: Way, tmp_path: Path, shown: int
):
    seconds: list[float] = []
    for number in range(shown, shown + 8):
        descriptor = fcntl.fcntl(shown, fcntl.F_DUPFD_CLOEXEC, number)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(5):
            null = subprocess.DEVNULL
            process = start_reader(way, ["/bin/true"], {}, tmp_path, descriptor, null, null)
            assert process.wait() == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        os.close(descriptor)
    # Of the processor, so that other work does not count.
    assert max(seconds) < 2.5 * min(seconds)


def test_what_cannot_be_started_is_an_error(way: Way, tmp_path: Path, shown: int):
    null = subprocess.DEVNULL
    with pytest.raises(FileNotFoundError):
        start_reader(way, ["/bin/cat"], {}, tmp_path / "gone", shown, null, null)


def _nothing(read: object, write: object, known: object) -> None:
    del read, write, known


def test_a_way_that_shows_too_much_is_not_taken(monkeypatch: pytest.MonkeyPatch):
    try_way.cache_clear()
    monkeypatch.setattr(landlock, "restrict", _nothing)
    assert try_way("landlock") is None
    try_way.cache_clear()


def test_where_there_is_none_nothing_is_taken(monkeypatch: pytest.MonkeyPatch):
    for each in (try_way, confined_reader.way):
        each.cache_clear()
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setattr(bubblewrap, "system_bubblewrap", lambda: None)
    monkeypatch.setattr(bubblewrap, "bundled_bubblewrap", lambda: None)
    assert confined_reader.way() is None
    for each in (try_way, confined_reader.way):
        each.cache_clear()
