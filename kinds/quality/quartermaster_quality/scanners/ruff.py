"""Runs ruff, which finds bad style, likely bugs and dangerous calls, without the project's
settings.
"""

from __future__ import annotations

import re
from typing import Any, Final

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster.projects.threads import run_sync
from quartermaster_quality.scanners.cwes import CWE_OF_TEST
from quartermaster_quality.scanners.interface import PYTHON_SUFFIXES, ScanOptions, SourceFile
from quartermaster_quality.scanners.programs import answer
from quartermaster_quality.scanners.scanner import Scanner

SELECT: Final = (
    "ASYNC,B,BLE,C4,C901,D100,D101,D103,DTZ,E4,E7,E9,F,PERF,PIE,PLC,PLE,PLR09,PLW,RET,S,SIM,UP,W6"
)
# An assert in a test is its purpose.
_IGNORED_IN_TESTS: Final = "S101,S105,S106,S107,D,PLR09"
# As bandit's: the import of a module, or a process without a shell, is no weakness by itself.
_HINTS: Final = re.compile(r"S(?:4\d\d|603|606|607)$")
_SEVERITIES: Final = (
    (re.compile(r"S(?:102|30[1268]|307|50[1-9]|60[2458]|611|70[12])$"), Severity.HIGH),
    (re.compile(r"S"), Severity.MEDIUM),
    (re.compile(r"F(?:5|6|7|82)|E9|PLE|invalid-syntax"), Severity.HIGH),
    (re.compile(r"F|B|PLW|ASYNC|DTZ"), Severity.MEDIUM),
)
_TARGETS: Final = frozenset(f"3.{minor}" for minor in range(7, 16))
# Only the version of Python is wrong for such code; ruff has read it.
_OTHER_VERSION: Final = "(syntax was "


class Ruff(Scanner):
    """The scanner that runs ruff."""

    name = "ruff"
    suffixes = PYTHON_SUFFIXES

    async def look(self, source: SourceFile, settings: ScanOptions, **_extra: bytes) -> Scan:
        """Runs ruff on a file; see `Scanner.look`."""
        version = settings.python_version
        arguments = [
            "check",
            "--isolated",
            "--no-cache",
            "--quiet",
            "--output-format=json",
            f"--select={SELECT}",
            *([f"--ignore={_IGNORED_IN_TESTS}"] if source.is_test else []),
            *([f"--target-version=py{version.replace('.', '')}"] if version in _TARGETS else []),
            "--ignore-noqa",
            f"--stdin-filename={source.path.rpartition('/')[2]}",
            "-",
        ]
        text = await run_sync(_encoded, source)
        entries = await answer("ruff", arguments, text, timeout_s=settings.timeout_s)
        return await run_sync(_understood, entries)


def _encoded(source: SourceFile) -> bytes:
    return source.text().encode()


def _understood(entries: list[dict[str, Any]]) -> Scan:
    findings = tuple(map(_finding, entries))
    wrong = [e for e in entries if e["code"] in {None, "invalid-syntax"}]
    if broken := [e for e in wrong if _OTHER_VERSION not in e["message"]]:
        line = broken[0]["location"]["row"]
        reason = f"ruff cannot parse the file: syntax error on line {line}. Correct it first."
        return Scan("ruff", "", Status.ERROR, reason, findings)
    return Scan("ruff", "", Status.OK, "", findings)


def _finding(entry: dict[str, Any]) -> Finding:
    rule = str(entry["code"] or "invalid-syntax")
    number = rule[1:] if re.fullmatch(r"S\d{3}", rule) else ""
    return Finding(
        rule,
        str(entry["message"]),
        int(entry["location"]["row"]),
        next((severity for form, severity in _SEVERITIES if form.match(rule)), Severity.LOW),
        column=max(0, int(entry["location"]["column"]) - 1),
        end_line=int(entry["end_location"]["row"]),
        cwe=CWE_OF_TEST.get(number),
        is_hint=_HINTS.match(rule) is not None,
        rows=(entry["noqa_row"],) if entry["noqa_row"] else (),
    )
