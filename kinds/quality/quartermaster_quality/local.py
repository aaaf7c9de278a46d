"""Scans any files for weaknesses, without a project and without a database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio

from quartermaster.core.errors import QmError
from quartermaster.core.findings import Finding, Scan, Status
from quartermaster.projects.guard import ProjectFileAccess, printable, real_folder
from quartermaster.projects.threads import run_sync
from quartermaster_quality.scanners.concurrent_scan import SECURITY, Scanners
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.suppressions import NAME as SUPPRESSIONS
from quartermaster_quality.weaknesses import counted

_AT_A_TIME: Final = 4
Given = TypeVar("Given")
Found = TypeVar("Found")
_SECURITY_OF_RUFF: Final = "S"


@dataclass(frozen=True)
class Suppression:
    """A comment or name in a file that tells checkers to hide findings.

    Attributes:
        line: line of the comment or name.
        word: the text of the comment or name.
        tools: the checkers whose findings the suppression hides.
        hides: number of findings that the suppression would hide.
        counts: number of these findings that count nevertheless.
        message: the findings that the suppression hides, described in one sentence.
    """

    line: int
    word: str
    tools: tuple[str, ...]
    hides: int
    counts: int
    message: str

    def as_dict(self) -> dict[str, Any]:
        """Returns the data that ``qm quality scan --json`` prints."""
        return asdict(self)


@dataclass(frozen=True)
class FileScanResult:
    """The result of scanning one file.

    Attributes:
        path: the file's path as the caller gave it. Unprintable characters are escaped.
        status: ``ok`` only if every checker has read the whole file.
        reason: why the status is not ok.
        findings: the findings that count.
        suppressions: the comments and names in the file that tell checkers to hide findings.
    """

    path: str
    status: str
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    suppressions: tuple[Suppression, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Returns the data that ``qm quality scan --json`` prints."""
        return {
            "path": self.path,
            "status": self.status,
            "findings": [finding.shown() for finding in self.findings],
            "suppressions": [word.as_dict() for word in self.suppressions],
        }


async def scan_files(paths: Sequence[str]) -> list[FileScanResult]:
    """Scans files for weaknesses. Returns one result per file, in the order of the paths.

    Args:
        paths: paths of files.
    """
    return await scan_each(paths, _scanned)


async def scan_each(
    given: Sequence[Given],
    scan: Callable[[Scanners, Given], Awaitable[Found]],
    progress: Callable[[int, int], None] | None = None,
) -> list[Found]:
    """Scans items concurrently, a few at a time. Returns the results in the order of the items.

    Args:
        given: the items.
        scan: scans one item.
        progress: function that is called with the number of finished items and the number of all
            items.
    """
    done: dict[int, Found] = {}
    limit = anyio.CapacityLimiter(_AT_A_TIME)

    async def one(place: int) -> None:
        async with limit:
            done[place] = await scan(scanners, given[place])
        if progress is not None:
            progress(len(done), len(given))

    async with aclosing(Scanners()) as scanners, anyio.create_task_group() as tasks:
        for place in range(len(given)):
            tasks.start_soon(one, place)
    return [done[place] for place in range(len(given))]


async def _scanned(scanners: Scanners, path: str) -> FileScanResult:
    try:
        content = await run_sync(_read, Path(path))
    except QmError as error:
        return FileScanResult(_shown_path(path), "error", error.message)
    scans = await scanners.scan(SourceFile(content[0], content[1]), ScanOptions(), SECURITY)
    return judged(_shown_path(path), scans)


def judged(path: str, scans: tuple[Scan, ...]) -> FileScanResult:
    """Combines the scans of a file into one result.

    Args:
        path: the file's path as the caller gave it, with unprintable characters escaped.
        scans: the scans of all checkers.
    """
    found = sorted(
        (finding for scan, finding in counted(scans) if _is_about_security(scan, finding)),
        key=lambda finding: (finding.line, finding.rule),
    )
    words = tuple(_suppressions(scans))
    gaps = [scan for scan in scans if scan.status is not Status.OK]
    if not gaps and scans:
        return FileScanResult(path, "ok", findings=tuple(found), suppressions=words)
    status = "error" if any(scan.status is Status.ERROR for scan in gaps) else "degraded"
    reason = "; ".join(f"{scan.tool}: {scan.reason}" for scan in gaps)
    reason = reason or "No checker is meant for this file."
    return FileScanResult(path, status, reason, tuple(found), words)


def _suppressions(scans: tuple[Scan, ...]) -> Iterator[Suppression]:
    """Yields the suppressions in a file, each with the number of security findings that it would
    hide.
    """
    loud = (replace(scan, findings=tuple(map(_without_word, scan.findings))) for scan in scans)
    hidden = [
        (scan.tool, finding)
        for scan, finding in counted(tuple(loud))
        if finding.suppressed_by and _is_about_security(scan, finding)
    ]
    counting = {(scan.tool, finding) for scan, finding in counted(scans)}
    for word in (word for scan in scans if scan.tool == SUPPRESSIONS for word in scan.findings):
        place = word.name, word.line
        found = [each for each in hidden if (each[1].suppressed_by, each[1].suppressed_at) == place]
        tools = tuple(sorted({tool for tool, _ in found}))
        counts = sum(each in counting for each in found)
        message = word.message
        if found:
            number = "1 finding" if len(found) == 1 else f"{len(found)} findings"
            message = f"`{word.name}` hides {number} of {' and '.join(tools)}"
            message += f", of which {counts} count." if counts else "."
        yield Suppression(word.line, word.name, tools, len(found), counts, message)


def _without_word(finding: Finding) -> Finding:
    return replace(finding, is_hint=False) if finding.suppressed_by else finding


def _is_about_security(scan: Scan, finding: Finding) -> bool:
    if scan.tool != "ruff":
        return True
    rule = finding.rule
    return rule.startswith(_SECURITY_OF_RUFF) and rule[1:].isdigit()


def _shown_path(path: str) -> str:
    """Returns the path on one line. Unprintable characters are escaped."""
    return path if path.isprintable() else repr(path)[1:-1]


def _read(path: Path) -> tuple[str, bytes]:
    if not path.exists():
        shown = printable(str(path))
        raise QmError(
            404, "file_not_found", f"The file {shown!r} does not exist.", "Check the path."
        )
    guard = ProjectFileAccess(real_folder(path.parent))
    content = guard.read(path.name)
    return content.path, content.data
