"""The weaknesses (CWE) that the taint pass judges. Each is listed with the narrower weaknesses that
it includes.
"""

from __future__ import annotations

from typing import Final

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster_quality.taint import MODELLED_CWES

RELATIVES: Final = {
    23: 22,
    36: 22,
    73: 22,
    77: 78,
    80: 79,
    88: 78,
    95: 94,
    259: 798,
    327: 328,
    338: 330,
    379: 377,
    776: 611,
    916: 328,
    1004: 614,
}
"""For each weakness, the broader weakness as which it is treated, both as CWE numbers. The table
``quality.weakness`` contains the same data.
"""

_REPLACED_SCANNERS: Final = frozenset({"bandit", "ruff"})
_RANKS: Final = list(Severity)


def counted(scans: tuple[Scan, ...]) -> list[tuple[Scan, Finding]]:
    """Returns those findings of a file that count, by the same rules as api.findings. Hints do not
    count. If the taint pass has read the whole file, it replaces bandit and ruff for the weaknesses
    that it models. A finding that both bandit and ruff report counts once, with the higher
    severity.

    Args:
        scans: all scans of the file.
    """
    is_judged = any(scan.tool == "taint" and scan.status is Status.OK for scan in scans)
    found = [
        (scan, finding)
        for scan in scans
        for finding in scan.findings
        if not finding.is_hint
        and not (is_judged and scan.tool in _REPLACED_SCANNERS and _is_modelled(finding.cwe))
    ]
    retained: dict[tuple[int, str], Finding] = {}
    for scan, finding in found:
        if test := _test(scan, finding):
            other = retained.setdefault(test, finding)
            if _RANKS.index(finding.severity) > _RANKS.index(other.severity):
                retained[test] = finding
    return [
        (scan, finding)
        for scan, finding in found
        if not (test := _test(scan, finding)) or retained[test] is finding
    ]


def _test(scan: Scan, finding: Finding) -> tuple[int, str] | None:
    """Returns the line of a finding from bandit or ruff, and the number of its test, which is the
    same in both programs: B101 is S101. Returns None for a finding from another checker.
    """
    if scan.tool in _REPLACED_SCANNERS and finding.rule[:1] in "BS" and finding.rule[1:].isdigit():
        return finding.line, finding.rule[1:]
    return None


def _is_modelled(cwe: int | None) -> bool:
    return cwe is not None and RELATIVES.get(cwe, cwe) in MODELLED_CWES
