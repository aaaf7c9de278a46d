"""Runs vulture, which finds unused code. It runs in a worker.

It reports only unused code that a single file proves, such as code after a return. A single file
does not show whether other files use a function.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final, cast

from vulture.core import Vulture

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster_quality.scanners.interface import SourceFile
from quartermaster_quality.scanners.parsing import unparsed

_MIN_CONFIDENCE_PERCENT: Final = 90


def examine(source: SourceFile, _settings: object) -> Scan:
    """Scans a file with vulture."""
    if wrong := unparsed(source, "vulture"):
        return wrong
    # The library has no types.
    vulture = cast("Any", _Unhushed(verbose=False))
    vulture.scan(source.text(), filename=source.path)
    # It only prints that it could not parse a file.
    if int(vulture.exit_code) != 0:
        reason = "vulture could not parse the file. Check the file with vulture itself."
        return Scan("vulture", "", Status.ERROR, reason)
    findings = tuple(
        Finding(
            f"unused-{item.typ.replace('_', '-')}",
            f"Nothing uses {item.typ.replace('_', ' ')} {item.name!r}."
            if item.typ != "unreachable_code"
            else "This code is never reached.",
            int(item.first_lineno),
            Severity.LOW,
            end_line=int(item.last_lineno),
            remedy="Remove it.",
            rows=(int(item.first_lineno),),
        )
        for item in vulture.get_unused_code(min_confidence=_MIN_CONFIDENCE_PERCENT)
    )
    return Scan("vulture", "", Status.OK, findings=findings)


class _Unhushed(Vulture):  # pyright: ignore[reportUntypedBaseClass]
    """A version of vulture that ignores `noqa` comments."""

    @property
    def noqa_lines(self) -> defaultdict[str, set[int]]:
        """The lines with `noqa` comments. Always empty, even if vulture assigns lines."""
        return defaultdict(set)

    @noqa_lines.setter
    def noqa_lines(self, _lines: object) -> None: ...
