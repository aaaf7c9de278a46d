"""The tests see when a service or a process of PostgreSQL ends by itself."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.support.instance import Instance, new_instance
from tests.support.process_ends import ends
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_what_ends_by_itself_is_told(installed: Instance) -> None:
    installed.start()
    assert installed.ends() == []
    backends = "select pid from pg_stat_activity where usename = 'qm_service' limit 1"
    [(backend,)] = installed.rows(backends)
    os.kill(backend, signal.SIGSEGV)
    assert wait_until(lambda: len(installed.ends()) == 1)
    assert f"{backend}) was terminated by signal 11" in installed.ends()[0]

    os.kill(installed.run_file.pid, signal.SIGKILL)
    assert wait_until(lambda: len(installed.ends()) == 2)
    assert installed.ends()[0].startswith("the service ended")
    name = str(installed.data_dir.parent)
    assert ends()[name] == installed.ends()


def test_what_a_test_ends_is_not_told(stopped_data_dir: Path) -> None:
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        instance.kill()
        name = str(instance.data_dir.parent)
        assert ends()[name] == []
    assert ends()[name] == []
