"""Runs ty, which checks types quickly. Its findings are only hints, because the findings of mypy
are decisive.
"""

from __future__ import annotations

from typing import Any, Final

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster.projects.threads import run_sync
from quartermaster_quality.scanners.interface import PYTHON_SUFFIXES, ScanOptions, SourceFile
from quartermaster_quality.scanners.programs import answer
from quartermaster_quality.scanners.scanner import Scanner

_SEVERITY: Final = {
    "blocker": Severity.HIGH,
    "critical": Severity.HIGH,
    "major": Severity.MEDIUM,
    "minor": Severity.LOW,
    "info": Severity.LOW,
}
_UNKNOWN_MODULES: Final = "unresolved-import"


class Ty(Scanner):
    """The scanner that runs ty."""

    name = "ty"
    suffixes = PYTHON_SUFFIXES

    def obstacle(self, source: SourceFile, settings: ScanOptions) -> str:
        """Returns why ty cannot scan a file; see `Scanner.obstacle`."""
        if settings.mirror is None and self.applies(source):
            return "ty needs the project's other files. Add the project: `qm project add`."
        return super().obstacle(source, settings)

    async def look(self, source: SourceFile, settings: ScanOptions, **_extra: bytes) -> Scan:
        """Runs ty on a file; see `Scanner.look`."""
        arguments = [
            "check",
            "--output-format=gitlab",
            f"--project={settings.mirror}",
            f"--python-version={settings.python_version}",
            *([f"--python={settings.environment}"] if settings.environment else []),
            "--",
            source.path,
        ]
        limit = settings.timeout_s
        entries = await answer("ty", arguments, b"", folder=settings.mirror, timeout_s=limit)
        return await run_sync(_understood, entries, source.path)


def _understood(entries: list[dict[str, Any]], path: str) -> Scan:
    own = [entry for entry in entries if entry["location"]["path"] == path]
    broken = [entry for entry in own if entry["check_name"] == "invalid-syntax"]
    if broken:
        line = broken[0]["location"]["positions"]["begin"]["line"]
        reason = f"ty cannot parse the file: syntax error on line {line}. Correct it first."
        return Scan("ty", "", Status.ERROR, reason)
    findings = tuple(_finding(e) for e in own if e["check_name"] != _UNKNOWN_MODULES)
    if len(findings) < len(own):
        reason = (
            "ty does not know some imported modules. It looks for them in the project, and in the "
            "project's environment if it has one."
        )
        return Scan("ty", "", Status.DEGRADED, reason, findings)
    return Scan("ty", "", Status.OK, findings=findings)


def _finding(entry: dict[str, Any]) -> Finding:
    begin, end = (entry["location"]["positions"][name] for name in ("begin", "end"))
    rule = str(entry["check_name"])
    return Finding(
        rule,
        str(entry["description"]).removeprefix(f"{rule}: "),
        int(begin["line"]),
        _SEVERITY.get(str(entry["severity"]), Severity.LOW),
        column=max(0, int(begin["column"]) - 1),
        end_line=int(end["line"]),
        is_hint=True,
    )
