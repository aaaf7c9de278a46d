"""Runs hadolint, an external linter for Dockerfiles, without the project's settings."""

from __future__ import annotations

from typing import Final

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile, UnreadableError
from quartermaster_quality.scanners.programs import answer
from quartermaster_quality.scanners.scanner import Scanner

_SEVERITY: Final = {
    "error": Severity.HIGH,
    "warning": Severity.MEDIUM,
    "info": Severity.LOW,
    "style": Severity.LOW,
}
_CANNOT_PARSE: Final = "DL1000"


class Hadolint(Scanner):
    """The scanner that runs hadolint. The caller must ensure that the file is a Dockerfile."""

    name = "hadolint"

    async def look(self, source: SourceFile, settings: ScanOptions, **_extra: bytes) -> Scan:
        """Runs hadolint on a Dockerfile; see `Scanner.look`."""
        arguments = ["--no-color", "--format=json", "--disable-ignore-pragma", "-"]
        limit = settings.timeout_s
        entries = await answer("hadolint", arguments, source.data, timeout_s=limit)
        if broken := next((entry for entry in entries if entry["code"] == _CANNOT_PARSE), None):
            reason = f"hadolint cannot parse line {broken['line']}. Correct it first."
            raise UnreadableError(reason)
        findings = tuple(
            Finding(
                str(entry["code"]),
                str(entry["message"]),
                int(entry["line"]),
                _SEVERITY.get(str(entry["level"]), Severity.LOW),
                column=max(0, int(entry["column"]) - 1),
            )
            for entry in entries
        )
        return Scan("hadolint", "", Status.OK, findings=findings)
