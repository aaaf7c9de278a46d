"""The taint pass follows untrusted input through a Python file to the places where the input is
dangerous.
"""

from __future__ import annotations

import time

from quartermaster import __version__
from quartermaster.core.findings import Finding, Scan, Status
from quartermaster_quality.taint.analyzer import Analyzer
from quartermaster_quality.taint.rules.classes import CLASSES
from quartermaster_quality.taint.syntax import Unparsable, parse

MODELLED_CWES = frozenset(c.cwe for c in CLASSES.values())
TOOL = "taint"


def scan(source: bytes, path: str) -> Scan:
    """Finds flows of untrusted input to dangerous calls in a Python file. Never runs the file.

    Args:
        source: the bytes of the file.
        path: the path of the file, for messages.
    """
    started = time.perf_counter()
    status, reason, findings = _examined(source, path)
    elapsed = (time.perf_counter() - started) * 1000
    return Scan(TOOL, __version__, status, reason, findings, elapsed_ms=elapsed)


def _examined(source: bytes, path: str) -> tuple[Status, str, tuple[Finding, ...]]:
    try:
        tree = parse(source)
    except Unparsable as error:
        return Status.ERROR, f"{path} cannot be parsed: {error}. Correct the syntax.", ()
    analyzer = Analyzer(tree)
    try:
        analyzer.analyze()
    except RecursionError:
        return Status.ERROR, f"{path} is nested too deeply to be analysed.", ()
    findings = tuple(sorted(analyzer.found.values(), key=lambda f: (f.line, f.rule)))
    if not analyzer.unfollowed:
        return Status.OK, "", findings
    first, count = min(analyzer.unfollowed), len(analyzer.unfollowed)
    reason = (
        f"{path} is too large, so the analysis is not complete: data was not followed "
        f"into {count} calls, the first on line {first}. Findings may be missing. Split "
        "the file."
    )
    return Status.DEGRADED, reason, findings
