"""A program that the service starts tries to stay when the service is killed."""

from __future__ import annotations

import subprocess
import sys

from tests.attack.conftest import Hostile
from tests.support.confined import needs_bubblewrap
from tests.support.instance import descendants
from tests.support.upstreams import is_running
from tests.support.waiting import wait_until

_INSTALL = """
import sys
from pathlib import Path
from quartermaster.starter.catalog import load_starters
from quartermaster.starter.install import Installer
sleeps = [sys.executable, "-c", "import subprocess; subprocess.run(['sleep', '300'])"]
Installer(Path())._run(sleeps, load_starters()[0])
"""
_HIDE = """
import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.closerange(0, 100)
        signal.pause()
    os._exit(0)
os.wait()
found = "hidden"
"""


def test_an_installer() -> None:
    service = subprocess.Popen([sys.executable, "-c", _INSTALL])
    assert wait_until(lambda: any(map(_sleeps, descendants(service.pid))))
    started = descendants(service.pid)
    service.kill()
    service.wait()
    assert wait_until(lambda: not any(map(is_running, started)))


def _sleeps(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/comm") as name:  # noqa: PTH123
            return name.read().strip() == "sleep"
    except OSError:
        return False


@needs_bubblewrap
def test_a_process_that_hides_in_a_session_of_its_own(hostile: Hostile) -> None:
    assert hostile.attempt(_HIDE) == {"found": "hidden"}
    before = descendants(hostile.instance.run_file.pid)
    hostile.instance.qm_json("origin", "sandbox", "hostile", "--network", "none", "--yes")
    hostile.attempt("")
    assert wait_until(lambda: len(set(filter(is_running, before)) & before) < len(before))
    gone = {pid for pid in before if not is_running(pid)}
    # The reaper, bubblewrap, its first process, the server, and what it has hidden.
    assert len(gone) >= 5
    hostile.instance.qm_json("origin", "sandbox", "hostile", "--network", "internet", "--yes")
