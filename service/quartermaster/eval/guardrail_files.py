"""Reads tool results in which the instructions, personal data and secrets are marked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quartermaster.eval.evaluation_files import read_objects
from quartermaster.guardrails.measuring import places_of


def read_results(file: Path) -> list[dict[str, Any]]:
    """Reads results with marked spans, one JSON object per line.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid.
    """
    results: list[dict[str, Any]] = []
    for entry in read_objects(file):
        row = entry.members
        try:
            for name in ("instructions", "personal", "secrets"):
                parts = [part if isinstance(part, str) else part["text"] for part in row[name]]
                row[name] = [places_of(row["result"], part) for part in parts]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            what = f"no result with marked spans ({error})"
            hint = "Each line needs result, instructions, personal and secrets."
            raise entry.bad(what, hint) from error
        results.append(row)
    return results
