"""ty: types, quickly. Its findings are hints, because mypy is the authority."""

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
    "blocker": Severity.HIGH,
    "critical": Severity.HIGH,
    "major": Severity.MEDIUM,
    "minor": Severity.LOW,
    "info": Severity.LOW,
}
_UNKNOWN_MODULES: Final = "unresolved-import"


class Ty:
    """The scanner."""

    name = "ty"

    def applies(self, source: Source) -> bool:
        """Whether the file is written in Python."""
        return source.is_python

    async def scan(self, source: Source, settings: Settings) -> Scan:
        """Scans a file."""
        there = installed(*PACKAGES["ty"])
        path = program("ty")
        reason = there.problem
        if not reason and path is None:
            reason = "The program ty is missing. Install the package ty again."
        if not reason and not self.applies(source):
            reason = "ty is not meant for this kind of file."
        if not reason and settings.mirror is None:
            reason = "ty needs the project's other files. Add the project: `qm project add`."
        if reason or path is None or settings.mirror is None:
            return Scan("ty", there.version, Status.SKIPPED, reason)
        start = time.perf_counter()
        command = [
            path,
            "check",
            "--output-format=gitlab",
            f"--project={settings.mirror}",
            f"--python-version={settings.python_version}",
            *([f"--python={settings.environment}"] if settings.environment else []),
            "--",
            source.path,
        ]
        try:
            done = await run(command, b"", folder=settings.mirror, timeout_s=settings.timeout_s)
            scan = _understood(done, source)
        except TimeoutError:
            scan = Scan("ty", "", Status.ERROR, timed_out("ty", settings))
        except OSError as error:
            reason = f"ty cannot be started: {error.strerror}. Install it again."
            scan = Scan("ty", "", Status.ERROR, reason)
        elapsed = (time.perf_counter() - start) * 1000
        return replace(scan, version=there.version, elapsed_ms=elapsed)


def _understood(done: Done, source: Source) -> Scan:
    try:
        entries = (
            cast("list[dict[str, Any]]", json.loads(done.out)) if done.code in {0, 1} else None
        )
    except ValueError:
        entries = None
    if entries is None:
        reason = "ty stopped before it had checked the file. Check the file with ty itself."
        return Scan("ty", "", Status.ERROR, reason)
    own = [entry for entry in entries if entry["location"]["path"] == source.path]
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
