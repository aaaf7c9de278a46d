"""What did not run on this machine, by reason, in the last lines of a run."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

# What to do, by a word of the reason. In the order in which they are looked for.
_REMEDIES: Final = {
    "all tests of this run are by an ordinary user": "run make test as root",
    "root": "run make test as root",
    "pg_search": "install pg_search on the server that the tests use",
    "retrieval sets": "set QM_SHARED to the folder with the data sets",
    "npm": "install Node.js with npm",
    "libpython": "install libpython for this Python",
    "the kind": "run make setup, which installs all kinds",
}
_ANY: Final = "run scripts/test-prerequisites.sh as root; it says what it could not install"
# A case that a table of cases names, and that cannot exist: nothing is missing.
_NO_SUCH_CASE: Final = ("know no input-required result", "is run without a network, below")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Counts and names the tests that were skipped because of the machine."""
    skipped: list[pytest.TestReport] = terminalreporter.stats.get("skipped", [])
    reasons = Counter(_reason(report) for report in skipped)
    by_machine = {
        reason: count
        for reason, count in reasons.most_common()
        if not any(text in reason for text in _NO_SUCH_CASE)
    }
    if not by_machine:
        return
    count = sum(by_machine.values())
    terminalreporter.section(f"{count} tests did not run on this machine", red=True)
    for reason, times in by_machine.items():
        remedy = next((summary for word, summary in _REMEDIES.items() if word in reason), _ANY)
        terminalreporter.write_line(f"{times:5}  {reason}\n       to run them: {remedy}")


def _reason(report: pytest.TestReport) -> str:
    # pytest gives file, line and reason; an expected failure has no such triple.
    summary = report.longrepr
    return str(summary[2]).removeprefix("Skipped: ") if isinstance(summary, tuple) else str(summary)
