"""What a server or a service leaves behind is gone with it: processes that hide, and folders.

The ways in are others than those of the review of 28 November, last line.
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

from quartermaster.upstream.stderr_tail import StderrTail
from quartermaster.upstream.stdio_transport import StdioTransport
from tests.support.confined import python
from tests.support.instance import Instance, new_instance
from tests.support.waiting import until, wait_until

GONE_S = 30
_SERVER = """
# MARK
import json, os, signal, sys
def hide():
    import select
    STRAY
def listen():
    while True:
        signal.pause()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for number in range(3):
                os.dup2(null, number)
            hide()
            listen()
        os._exit(0)
    os._exit(0)
if "ENDS" == "by itself":
    os.wait()
    sys.exit()
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        about = {"name": "stray", "version": "1"}
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "tools": [
            {"name": "echo", "inputSchema": {"type": "object"}}], "serverInfo": about}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""
STRAYS = {
    "in a session of a session": "pass",
    "without ears for signals": (
        "[signal.signal(n, signal.SIG_IGN) for n in range(1, 32) if n not in (9, 17, 19)]"
    ),
    "with another name": (
        "import ctypes; ctypes.CDLL(None).prctl(15, b'postgres', 0, 0, 0); os.chdir('/')"
    ),
    "as one that is always another": (
        "[select.select([], [], [], .1) for n in range(10**9) if os.fork() == 0 or os._exit(0)]"
    ),
    "stopped": "os.kill(os.getpid(), signal.SIGSTOP)",
}


def marked(mark: str) -> set[int]:
    """Returns the processes with a mark in their command line, which a fork keeps."""
    found: set[int] = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (process / "cmdline").read_bytes():
                found.add(int(process.name))
    return found


def is_hidden(pid: int) -> bool:
    """Returns whether this is what the server has hidden: it reads nothing."""
    try:
        return Path(f"/proc/{pid}/fd/0").resolve() == Path(os.devnull)
    except OSError:
        return False


def end_all(mark: str) -> None:
    """Nothing of a test outlives it."""
    for _ in range(1000):
        if not (left := marked(mark)):
            return
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def instance(stopped_data_dir: Path) -> Generator[Instance]:
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        yield instance
        assert instance.stop() == 0


@pytest.mark.anyio
@pytest.mark.parametrize("what", STRAYS)
@pytest.mark.parametrize("ends", ["when it is told to", "by itself"])
async def test_a_process_that_hides_ends_with_its_server_where_there_is_no_sandbox(
    what: str, ends: str
) -> None:
    mark = uuid4().hex
    code = _SERVER.replace("MARK", mark).replace("STRAY", STRAYS[what]).replace("ENDS", ends)
    transport = StdioTransport(python(code, None), StderrTail(), lambda: None)
    try:
        async with transport.open():
            # If the server has ended by itself, all may be gone already.
            await until(
                lambda: transport.returncode is not None or any(map(is_hidden, marked(mark)))
            )
        await until(lambda: not marked(mark), GONE_S)
    finally:
        end_all(mark)


@pytest.mark.parametrize("what", STRAYS)
def test_a_process_that_hides_ends_with_its_origin(instance: Instance, what: str) -> None:
    mark = uuid4().hex
    code = _SERVER.replace("MARK", mark).replace("STRAY", STRAYS[what])
    system = Path("/usr/bin/python3")
    program = str(system) if system.exists() else sys.executable
    name = f"stray-{mark[:8]}"
    try:
        command = shlex.join([program, "-c", code])
        done = instance.qm("origin", "add", name, "--command", command, "--yes")
        assert done.returncode == 0, done.stdout + done.stderr
        assert wait_until(lambda: any(map(is_hidden, marked(mark))))
        done = instance.qm("origin", "remove", name, "--yes")
        assert done.returncode == 0, done.stdout + done.stderr
        assert wait_until(lambda: not marked(mark), GONE_S), marked(mark)
    finally:
        end_all(mark)
    with instance.http() as http:
        assert http.get("/readyz").status_code == 200


class Scanning:
    """An instance with a folder of its own for what is temporary.

    Args:
        instance: not started yet.
        temporary: the folder.
    """

    def __init__(self, instance: Instance, temporary: Path) -> None:
        self.instance, self.temporary = instance, temporary

    def scan(self, root: Path) -> set[str]:
        """Scores a file; returns the folders that are there then."""
        if not root.exists():
            root.mkdir()
            (root / "page.py").write_text("X = 1\n")
            self.instance.qm_json("project", "add", root, "--name", root.name)
        done = self.instance.qm("quality", "score", root / "page.py", "--project", root.name)
        assert "QM500" not in done.stdout + done.stderr
        return self.folders()

    def folders(self) -> set[str]:
        """Returns our folders for a moment."""
        return {each.name for each in self.temporary.glob("qm-*")}


@pytest.fixture
def scanning(stopped_data_dir: Path, tmp_path: Path) -> Generator[Scanning]:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with new_instance(
        copy_of=stopped_data_dir, environment={"TMPDIR": str(temporary)}, forked=False
    ) as instance:
        yield Scanning(instance, temporary)


def test_folders_of_a_service_that_was_killed_are_gone_after_its_next_start(
    scanning: Scanning, tmp_path: Path
) -> None:
    scanning.instance.start()
    left = scanning.scan(tmp_path / "shop")
    scanning.instance.kill()
    left |= scanning.folders()
    scanning.instance.start()
    assert wait_until(lambda: not left & scanning.folders(), GONE_S), left
    scanning.scan(tmp_path / "shop")
    assert scanning.instance.stop() == 0
    assert scanning.folders() == set()


def test_what_only_looks_like_such_a_folder_is_not_followed(
    scanning: Scanning, tmp_path: Path
) -> None:
    retained = tmp_path / "kept"
    retained.mkdir()
    (retained / "letter").write_text("mine")
    for prefix in ("qm-scan-", "qm-git-", "qm-check-"):
        (scanning.temporary / f"{prefix}abcdefgh").symlink_to(retained)
        folder = scanning.temporary / f"{prefix}ijklmnop"
        folder.mkdir()
        (folder / "link").symlink_to(retained)
    os.mkfifo(scanning.temporary / "qm-scan-qrstuvwx")
    scanning.instance.start()
    scanning.scan(tmp_path / "shop")
    assert (retained / "letter").read_text() == "mine"
    assert "Traceback" not in scanning.instance.stderr
    assert scanning.instance.stop() == 0


def test_the_folders_of_another_service_that_runs_stay(
    scanning: Scanning, stopped_data_dir: Path, tmp_path: Path
) -> None:
    scanning.instance.start()
    used = scanning.scan(tmp_path / "shop")
    shared = {"TMPDIR": str(scanning.temporary)}
    with new_instance(copy_of=stopped_data_dir, environment=shared, forked=False) as second:
        second.start()
        assert second.stop() == 0
    assert used <= scanning.folders()
    scanning.scan(tmp_path / "shop")
    assert scanning.instance.stop() == 0
