"""ruff: style, likely bugs and dangerous calls. It reads none of the project's settings."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from typing import Any, Final, cast

from quartermaster.quality.findings import Finding, Scan, Severity, Status
from quartermaster.quality.scanners.cwes import CWE_OF_TEST
from quartermaster.quality.scanners.interface import Settings, Source, UnreadableError
from quartermaster.quality.scanners.programs import (
    NOT_FOUND,
    PACKAGES,
    Done,
    installed,
    program,
    run,
)
from quartermaster.quality.scanners.workers import timed_out

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
_NOQA: Final = re.compile(r"#\s*noqa(?P<rules>:\s*[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)?", re.IGNORECASE)
# Only the version of Python is wrong for such code; ruff has read it.
_OTHER_VERSION: Final = "(syntax was "


class Ruff:
    """The scanner."""

    name = "ruff"

    def applies(self, source: Source) -> bool:
        """Whether the file is written in Python."""
        return source.is_python

    async def scan(self, source: Source, settings: Settings) -> Scan:
        """Scans a file."""
        there = installed(*PACKAGES["ruff"])
        path = program("ruff")
        if there.problem or path is None or not self.applies(source):
            reason = there.problem or (
                "ruff is not meant for this kind of file."
                if path
                else "The program ruff is missing. Install the package ruff again."
            )
            return Scan("ruff", there.version, Status.SKIPPED, reason)
        start = time.perf_counter()
        try:
            text = source.text()
            done = await run(
                [path, *_arguments(source, settings)],
                text.encode(),
                timeout_s=settings.timeout_s,
            )
            scan = _understood(done, text.splitlines())
        except UnreadableError as error:
            scan = _error(str(error))
        except TimeoutError:
            scan = _error(timed_out("ruff", settings))
        except OSError as error:
            scan = _error(f"ruff cannot be started: {error.strerror}. Install it again.")
        elapsed = (time.perf_counter() - start) * 1000
        return replace(scan, version=there.version, elapsed_ms=elapsed)

    async def fixed(self, source: Source, settings: Settings) -> bytes:
        """The file's bytes after ruff's safe corrections.

        Raises:
            UnreadableError: ruff cannot correct the file, with the reason.
        """
        path = program("ruff")
        if installed(*PACKAGES["ruff"]).problem or path is None:
            raise UnreadableError("ruff is not installed.")
        text = source.text()
        if text.encode() != source.data:
            raise UnreadableError("Only files in UTF-8 are corrected.")
        arguments = _arguments(source, settings, only_fix=True)
        try:
            done = await run([path, *arguments], source.data, timeout_s=settings.timeout_s)
        except (TimeoutError, OSError):
            raise UnreadableError("ruff did not finish, and was killed.") from None
        if done.code != 0:
            raise UnreadableError("ruff cannot parse the file.")
        return done.out


def _arguments(source: Source, settings: Settings, *, only_fix: bool = False) -> list[str]:
    name = source.path.rpartition("/")[2]
    version = settings.python_version
    return [
        "check",
        "--isolated",
        "--no-cache",
        "--quiet",
        "--output-format=json",
        f"--select={SELECT}",
        *([f"--ignore={_IGNORED_IN_TESTS}"] if source.is_test else []),
        *([f"--target-version=py{version.replace('.', '')}"] if version in _TARGETS else []),
        "--fix-only" if only_fix else "--ignore-noqa",
        f"--stdin-filename={name}",
        "-",
    ]


def _error(reason: str) -> Scan:
    return Scan("ruff", "", Status.ERROR, reason)


def _understood(done: Done, lines: list[str]) -> Scan:
    try:
        entries = (
            cast("list[dict[str, Any]]", json.loads(done.out)) if done.code in {0, 1} else None
        )
    except ValueError:
        entries = None
    if entries is None:
        gone = "ruff cannot be started. Install it again."
        crashed = "ruff stopped before it had checked the file. Check the file with ruff itself."
        return _error(gone if done.code == NOT_FOUND else crashed)
    wrong = [e for e in entries if e["code"] in {None, "invalid-syntax"}]
    broken = [e for e in wrong if _OTHER_VERSION not in e["message"]]
    findings = tuple(_finding(entry, lines) for entry in entries)
    if broken:
        line = broken[0]["location"]["row"]
        reason = f"ruff cannot parse the file: syntax error on line {line}. Correct it first."
        return Scan("ruff", "", Status.ERROR, reason, findings)
    silenced = sum(finding.is_hint and not _HINTS.match(finding.rule) for finding in findings)
    return Scan("ruff", "", Status.OK, "", findings, {"silenced": float(silenced)})


def _finding(entry: dict[str, Any], lines: list[str]) -> Finding:
    rule = str(entry["code"] or "invalid-syntax")
    row = entry["noqa_row"] or 0
    comment = _NOQA.search(lines[row - 1]) if 0 < row <= len(lines) else None
    named = re.findall(r"[A-Z]+\d+", (comment["rules"] or "").upper()) if comment else []
    is_silenced = comment is not None and (not named or rule in named)
    number = rule[1:] if re.fullmatch(r"S\d{3}", rule) else ""
    return Finding(
        rule,
        str(entry["message"]),
        int(entry["location"]["row"]),
        next((severity for form, severity in _SEVERITIES if form.match(rule)), Severity.LOW),
        column=max(0, int(entry["location"]["column"]) - 1),
        end_line=int(entry["end_location"]["row"]),
        cwe=CWE_OF_TEST.get(number),
        is_hint=is_silenced or _HINTS.match(rule) is not None,
    )
