"""What pytest asks of the search for credentials: what tests write, and how much was searched."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from tests.support.canary import SEARCHED, leaks_in_text


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test whose output, or that of what it started, tells a credential has failed."""
    report = yield
    if SEARCHED.canaries:
        for name, text in report.sections:
            if leaks_in_text(text):
                report.outcome = "failed"
                report.longrepr = f"a credential of a test is in its {name}: {item.nodeid}"
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Adds what a worker of xdist has searched."""
    SEARCHED.merge(getattr(node, "workeroutput", {}).get("searched", {}))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tells the main process what this worker has searched."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["searched"] = SEARCHED.counts()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line: what was searched for credentials; a test that leaked one has failed."""
    if SEARCHED.canaries:
        summary = ", ".join(f"{count} {name}" for name, count in SEARCHED.counts().items())
        terminalreporter.write_line(f"searched for credentials: {summary}")
