"""A local server looks for other processes, and for the rights of root."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.attack.conftest import Hostile
from tests.support.confined import needs_bubblewrap
from tests.support.instance import descendants

pytestmark = needs_bubblewrap


@pytest.mark.parametrize("name", ["environ", "maps", "mem", "cwd", "root", "fd", "cmdline"])
@pytest.mark.parametrize("whose", ["service", "database"])
def test_the_files_of_a_process(hostile: Hostile, whose: str, name: str) -> None:
    run = hostile.instance.run_file
    pid = run.pid if whose == "service" else min(hostile.instance.server_pids())
    tried = hostile.attempt("import os; os.stat(path)", path=f"/proc/{pid}/{name}")
    assert tried.get("error") in {"FileNotFoundError", "PermissionError"}


def test_a_signal_to_the_service(hostile: Hostile) -> None:
    tried = hostile.attempt("import os; os.kill(pid, 0)", pid=hostile.instance.run_file.pid)
    assert tried.get("error") == "ProcessLookupError"


def test_only_its_own_processes_are_in_sight(hostile: Hostile) -> None:
    code = "import os; found = [int(name) for name in os.listdir('/proc') if name.isdecimal()]"
    assert len(hostile.attempt(code)["found"]) <= 3


def test_it_is_not_root_on_this_machine(hostile: Hostile) -> None:
    hostile.attempt("")
    service = hostile.instance.run_file.pid
    [server] = [
        pid
        for pid in descendants(service)
        if b"trespassing_server.py" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"--")[-1]
        and not Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"/usr/bin/bwrap")
        and b"reaper.py" not in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    status = Path(f"/proc/{server}/status").read_text()
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert "0" not in facts["Uid"].split()
    assert "0" not in facts["Gid"].split()
    assert facts["CapEff"].strip("0") == facts["CapPrm"].strip("0") == ""
    assert facts["NoNewPrivs"] == "1"
    if os.geteuid() == 0:
        assert facts["Uid"].split()[0] not in {"0", str(Path("/proc/self").stat().st_uid)}


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.setuid(0)",
        "import os; os.chroot('/usr')",
        "import os; os.mknod('/tmp/disk', 0o60600, os.makedev(8, 0))",
        "open('/proc/sys/kernel/core_pattern', 'w')",
        "open('/usr/planted', 'w')",
        "open('/etc/passwd', 'a')",
        "import os; os.open('/dev/kmsg', os.O_RDONLY)",
        "import subprocess; subprocess.run(['mount', '-t', 'tmpfs', 'x', '/usr'], check=True)",
    ],
)
def test_more_rights(hostile: Hostile, code: str) -> None:
    assert "error" in hostile.attempt(code)
