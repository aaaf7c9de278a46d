"""Runs lizard, which measures the complexity of code in languages other than Python. It runs in a
worker.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import lizard

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster_quality.scanners.interface import OTHER_SUFFIXES, SourceFile

_COMPLEX, _VERY_COMPLEX = 10, 30


def examine(source: SourceFile, _settings: object) -> Scan:
    """Scans a file with lizard."""
    analyzer = cast("Any", lizard)
    # It would analyse any other file as if it were C, or find nothing in it.
    if source.suffix not in OTHER_SUFFIXES or not analyzer.get_reader_for(source.path):
        reason = "lizard does not know this language."
        return Scan("lizard", "", Status.SKIPPED, reason)
    processors = [
        _without_comments if each is analyzer.comment_counter else each
        for each in analyzer.get_extensions([])
    ]
    found = analyzer.FileAnalyzer(processors).analyze_source_code(source.path, source.text())
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


def _without_comments(tokens: Iterator[str], reader: Any) -> Iterator[str]:
    """Removes comments as lizard does, but does not obey instructions to lizard in the comments."""
    for token in tokens:
        comment = reader.get_comment_from_token(token)
        if comment is None:
            yield token
        else:
            yield from "\n" * len(comment.splitlines()[1:])
