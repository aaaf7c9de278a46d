"""Runs bandit, which finds calls that are often dangerous. It runs in a worker, without the
project's settings.
"""

from __future__ import annotations

import io
from typing import Any, Final, cast

from bandit.core.config import BanditConfig
from bandit.core.manager import BanditManager

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster_quality.scanners.cwes import CWE_OF_TEST
from quartermaster_quality.scanners.interface import SourceFile
from quartermaster_quality.scanners.parsing import unparsed

# Their messages quote the value, which may be a password.
_QUOTES_A_VALUE: Final = frozenset({"B105", "B106", "B107"})
# That a module is imported, or a process started without a shell, is no weakness by itself.
_HINTS: Final = frozenset({"B403", "B404", "B603", "B607", *(f"B4{n:02}" for n in range(5, 16))})
_HINTS_IN_TESTS: Final = frozenset({"B101", "B105", "B106", "B107"})
_SEVERITY: Final = {
    ("HIGH", "HIGH"): Severity.HIGH,
    ("HIGH", "MEDIUM"): Severity.HIGH,
    ("HIGH", "LOW"): Severity.MEDIUM,
    ("MEDIUM", "HIGH"): Severity.MEDIUM,
    ("MEDIUM", "MEDIUM"): Severity.MEDIUM,
}


def examine(source: SourceFile, _settings: object) -> Scan:
    """Scans a file with bandit."""
    if wrong := unparsed(source, "bandit"):
        return wrong
    # The library has no types.
    manager = cast("Any", BanditManager(BanditConfig(), "file", ignore_nosec=True))
    manager._parse_file(source.path, io.BytesIO(source.data), [source.path])
    if manager.skipped:
        reason = f"bandit skipped the file: {manager.skipped[0][1]}. Report this error to bandit."
        return Scan("bandit", "", Status.ERROR, reason)
    hints = _HINTS | _HINTS_IN_TESTS if source.is_test else _HINTS
    findings = tuple(_finding(issue, hints) for issue in manager.results)
    return Scan("bandit", "", Status.OK, findings=findings)


def _finding(issue: Any, hints: frozenset[str]) -> Finding:
    rule = str(issue.test_id)
    message = str(issue.text)
    if rule in _QUOTES_A_VALUE:
        message = "A password seems to be written in the code."
    return Finding(
        rule,
        message,
        int(issue.lineno),
        _SEVERITY.get((issue.severity, issue.confidence), Severity.LOW),
        column=max(0, int(issue.col_offset)),
        end_line=max(issue.linerange, default=None),
        cwe=CWE_OF_TEST.get(rule[1:], int(issue.cwe.id) or None),
        is_hint=rule in hints,
        rows=tuple(issue.linerange),
    )
