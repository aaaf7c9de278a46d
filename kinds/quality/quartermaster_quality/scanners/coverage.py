"""Reads from the project's coverage data file which lines the tests have run. Runs in a worker.

A data file does not say which version of a file it measured. So a measurement is stale if the file
is newer than the data or if the data names lines that the file does not have.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Final, cast

from coverage import CoverageData
from coverage.exceptions import CoverageException
from coverage.parser import PythonParser

from quartermaster.core.findings import Scan, Status
from quartermaster_quality.scanners.interface import COVERAGE_FILE, SourceFile, UnreadableError
from quartermaster_quality.scanners.parsing import unparsed

MAKE_IT: Final = "Run the tests with `coverage run -m pytest`, which measures the coverage."


def examine(source: SourceFile, _settings: object, data: bytes = b"", facts: bytes = b"") -> Scan:
    """Reads the coverage of a file.

    Args:
        source: the file.
        data: the data file ``.coverage``; empty if there is none.
        facts: a JSON object. ``root`` is the project's root. ``file_changed`` and ``data_changed``
            are the times of the last changes, in nanoseconds. ``new_lines`` lists the new lines,
            whose coverage is measured separately; it may be null.
    """
    if not data:
        return _unknown(f"There is no coverage data. {MAKE_IT}")
    if wrong := unparsed(source, "coverage"):
        return wrong
    known = json.loads(facts)
    executed = _executed(source.path, Path(known["root"]), data)
    if executed is None:
        return _unknown(f"The coverage data does not contain this file. {MAKE_IT}")
    parser = PythonParser(text=source.text())
    parser.parse_source()
    statements = parser.statements - parser.excluded
    run = parser.translate_lines(executed) & statements
    length = len(source.text().splitlines())
    if known["file_changed"] > known["data_changed"] or max(executed, default=0) > max(length, 1):
        reason = f"The file has changed since its coverage was measured. {MAKE_IT}"
        return Scan("coverage", "", Status.DEGRADED, reason, metrics={"is_stale": 1.0})
    metrics = {
        "statements": float(len(statements)),
        "missing": float(len(statements) - len(run)),
        "coverage_percent": _percent(run, statements),
    }
    if known["new_lines"] is not None:
        new = parser.translate_lines(known["new_lines"]) & statements
        metrics["new_coverage_percent"] = _percent(run & new, new)
    return Scan("coverage", "", Status.OK, metrics=metrics)


def _percent(run: set[int], statements: set[int]) -> float:
    return round(100.0 * len(run) / len(statements), 2) if statements else 100.0


def _unknown(reason: str) -> Scan:
    return Scan("coverage", "", Status.SKIPPED, reason)


def _executed(path: str, root: Path, data: bytes) -> set[int] | None:
    """Returns the numbers of the lines of a file that the tests have run; None if the file was not
    measured.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / COVERAGE_FILE
        copy.write_bytes(data)
        measured = CoverageData(basename=str(copy))
        try:
            measured.read()
            names = measured.measured_files()
            wanted = {path, str(root / path)}
            found = [name for name in names if name in wanted]
            lines = [cast("list[Any] | None", measured.lines(name)) for name in found]
        except CoverageException:
            raise UnreadableError(f"The coverage data cannot be read. {MAKE_IT}") from None
        finally:
            measured.close()
    if not found:
        return None
    return {int(line) for some in lines for line in some or [] if int(line) > 0}
