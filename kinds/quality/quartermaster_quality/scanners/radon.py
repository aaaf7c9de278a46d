"""Runs radon, which measures complexity and maintainability. It runs in a worker."""

from __future__ import annotations

from typing import Any, cast

from radon import complexity, metrics, raw

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster_quality.scanners.interface import SourceFile
from quartermaster_quality.scanners.parsing import unparsed

# Above these, a function is hard to test, and then hard to change at all (radon's ranks C and E).
_COMPLEX, _VERY_COMPLEX = 10, 30


def examine(source: SourceFile, _settings: object) -> Scan:
    """Scans a file with radon."""
    if wrong := unparsed(source, "radon"):
        return wrong
    text = source.text()
    # The library has no types.
    blocks = cast("list[Any]", cast("Any", complexity).cc_visit(text))
    functions = [block for block in blocks if block.letter != "C"]
    sizes = cast("Any", raw).analyze(text)
    index = float(cast("Any", metrics).mi_visit(text, multi=True))
    numbers = [float(function.complexity) for function in functions]
    measured = {
        "maintainability_index": round(index, 2),
        "functions": float(len(functions)),
        "complexity_mean": round(sum(numbers) / len(numbers), 2) if numbers else 0.0,
        "complexity_max": max(numbers, default=0.0),
        "lines": float(sizes.loc),
        "lines_of_code": float(sizes.sloc),
        "comment_lines": float(sizes.comments),
    }
    findings = tuple(
        Finding(
            "complexity",
            f"{function.fullname} has a complexity of {function.complexity}.",
            int(function.lineno),
            Severity.MEDIUM if function.complexity > _VERY_COMPLEX else Severity.LOW,
            column=int(function.col_offset),
            end_line=int(function.endline),
            remedy="Split it into functions that each do one thing.",
        )
        for function in functions
        if function.complexity > _COMPLEX
    )
    return Scan("radon", "", Status.OK, findings=findings, metrics=measured)
