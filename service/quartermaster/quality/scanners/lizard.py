"""lizard: complexity of languages other than Python. Runs in a worker."""

from __future__ import annotations

from typing import Any, cast

import lizard

from quartermaster.quality.findings import Finding, Scan, Severity, Status
from quartermaster.quality.scanners.interface import OTHER_SUFFIXES, Source

_COMPLEX, _VERY_COMPLEX = 10, 30


def examine(source: Source, _settings: object) -> Scan:
    """Scans a file."""
    analyzer = cast("Any", lizard)
    # It would analyse any other file as if it were C, or find nothing in it.
    if source.suffix not in OTHER_SUFFIXES or not analyzer.get_reader_for(source.path):
        reason = "lizard does not know this language."
        return Scan("lizard", "", Status.SKIPPED, reason)
    found = analyzer.analyze_file.analyze_source_code(source.path, source.text())
    functions = cast("list[Any]", found.function_list)
    numbers = [float(function.cyclomatic_complexity) for function in functions]
    metrics = {
        "functions": float(len(functions)),
        "complexity_mean": round(sum(numbers) / len(numbers), 2) if numbers else 0.0,
        "complexity_max": max(numbers, default=0.0),
        "lines_of_code": float(found.nloc),
    }
    findings = tuple(
        Finding(
            "complexity",
            f"{function.name} has a complexity of {function.cyclomatic_complexity}.",
            int(function.start_line),
            Severity.MEDIUM if function.cyclomatic_complexity > _VERY_COMPLEX else Severity.LOW,
            end_line=int(function.end_line),
            remedy="Split it into functions that each do one thing.",
        )
        for function in functions
        if function.cyclomatic_complexity > _COMPLEX
    )
    return Scan("lizard", "", Status.OK, findings=findings, metrics=metrics)
