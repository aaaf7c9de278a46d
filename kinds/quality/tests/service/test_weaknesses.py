"""Which findings count without a database."""

from __future__ import annotations

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster_quality.weaknesses import counted


def scan(tool: str, *findings: Finding) -> Scan:
    return Scan(tool, "1", Status.OK, findings=findings)


def test_what_bandit_and_ruff_both_report_counts_once_as_the_more_severe():
    bandit = scan(
        "bandit",
        Finding("B101", "assert", 3, Severity.LOW, cwe=703),
        Finding("B101", "assert", 4, Severity.LOW, cwe=703),
        Finding("B113", "no timeout", 5, Severity.HIGH, cwe=400),
    )
    ruff = scan(
        "ruff",
        Finding("S101", "assert", 3, Severity.MEDIUM, cwe=703),
        Finding("S113", "no timeout", 5, Severity.MEDIUM, cwe=400),
        Finding("SIM101", "merge", 3, Severity.LOW),
    )
    found = [(finding.rule, finding.line) for _, finding in counted((bandit, ruff))]
    assert found == [("B101", 4), ("B113", 5), ("S101", 3), ("SIM101", 3)]
