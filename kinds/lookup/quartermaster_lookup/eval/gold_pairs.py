"""Reads gold pairs: strings, and the rows of lookup tables to which the strings refer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quartermaster.core.errors import QmError
from quartermaster.eval.gold import Need, Task
from quartermaster_lookup.table_file import bad_line, csv_entries, read_text


def read_pairs(path: Path, table: str | None = None) -> list[Task]:
    """Reads strings and expected rows from a CSV file.

    The file has the columns table, query and expected_ids, and optionally tier, origin, lang and
    props. Each of the expected ids is a right answer.

    Args:
        path: path of the file.
        table: lookup table whose pairs are returned. Pairs without a text are left out. None
            returns all pairs.

    Raises:
        QmError: QM404 file_not_found; QM422 lookup_file_invalid with the line; QM404 gold_not_found
            if the table has no pairs.
    """
    pairs = [_pair(path, line, entry) for line, entry in csv_entries(path, read_text(path))]
    if not pairs:
        raise bad_line(path, 2, "the file contains no pairs")
    if table is None:
        return pairs
    pairs = [pair for pair in pairs if pair.scope == table and pair.goal.strip()]
    if not pairs:
        raise QmError(
            404,
            "gold_not_found",
            f"{path} has no gold pairs for the table {table!r}.",
            "Choose a table that occurs in the column `table` of the file.",
        )
    return pairs


def _pair(path: Path, line: int, entry: dict[str, Any]) -> Task:
    missing = {"table", "query", "expected_ids"} - set(entry)
    if missing:
        raise bad_line(path, 1, f"the column {min(missing)} is missing")
    try:
        properties = json.loads(entry.get("props") or "null")
    except ValueError as error:
        raise bad_line(path, line, f"props are not JSON: {error}") from None
    expected = frozenset[str](key for key in str(entry["expected_ids"]).split("|") if key)
    return Task(
        key=f"line {line}",
        goal=entry["query"],
        needs=(Need(min(expected), expected),) if expected else (),
        scope=entry["table"],
        tier=entry.get("tier") or ("lexical" if expected else "nil"),
        source=entry.get("origin", ""),
        language=entry.get("lang") or None,
        properties=properties or None,
    )
