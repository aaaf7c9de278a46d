"""Names failed and long tests while a run goes on, because one that is stopped has no summary."""

from __future__ import annotations

import threading
import time
from typing import Final

import pytest

# A test that takes this long is named, and named again after as long again.
_LONG_S: Final = 120.0


class Progress:
    """Names failed and long tests, in the process that prints the dots."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal
        self._began = time.monotonic()
        self._running: dict[str, float] = {}
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._name_long_tests, daemon=True)
        self._watch.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Notes when a test begins."""
        self._running[nodeid] = time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Names a test that took long."""
        took_s = time.monotonic() - self._running.pop(nodeid, time.monotonic())
        if took_s > _LONG_S:
            self._say(f"took {took_s:.0f} s: {nodeid}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Names a test that failed, with the last line of the reason."""
        if report.failed:
            self._say(f"failed: {report.nodeid} ({report.when}): {_reason(report)}")

    def pytest_sessionfinish(self) -> None:
        """Ends the thread."""
        self._ended.set()
        self._watch.join()

    def _name_long_tests(self) -> None:
        while not self._ended.wait(_LONG_S):
            now = time.monotonic()
            for nodeid, since in list(self._running.items()):
                if now - since > _LONG_S:
                    self._say(f"running for {now - since:.0f} s: {nodeid}")

    def _say(self, text: str) -> None:
        minutes = (time.monotonic() - self._began) / 60
        self._terminal.ensure_newline()
        self._terminal.write_line(f"[{minutes:.1f} min] {text}")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Names tests where several processes run them: only such a run takes long."""
    is_worker = hasattr(config, "workerinput")
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal and getattr(config.option, "numprocesses", None) and not is_worker:
        config.pluginmanager.register(Progress(terminal))


def _reason(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr)
    return text.partition("\n")[0][:200]
