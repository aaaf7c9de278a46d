"""Gold pairs of lookup tables: strings as people wrote them, and the rows that are meant."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from quartermaster.core.errors import QmError
from quartermaster.lookup.table_file import bad_line, csv_entries, read_text


@dataclass(frozen=True)
class Pair:
    """A query and its answers.

    Attributes:
        table: name of the lookup table.
        query: as written, blanks and all.
        expected: ids of the rows that are right; empty where none is.
        tier, kind, origin: how hard it is, how it came about, real or derived.
        language: of the query, None where unknown.
        properties: constraints, None where there are none.
    """

    table: str
    query: str
    expected: frozenset[str]
    tier: str
    kind: str
    origin: str
    language: str | None
    properties: dict[str, Any] | None

    def fold(self, folds: int) -> int:
        """The fold of its entity: all strings for one row are in one fold."""
        entity = min(self.expected, default=self.query)
        digest = sha256(f"{self.table}:{entity}".encode()).digest()
        return int.from_bytes(digest[:8]) % folds


def read_gold(path: Path) -> list[Pair]:
    """Pairs of a CSV with the columns table, query and expected_ids, and perhaps tier, kind,
    origin, lang and props.

    Raises:
        QmError: QM404 file_not_found; QM422 lookup_file_invalid with the line.
    """
    pairs: list[Pair] = []
    for line, entry in csv_entries(path, read_text(path)):
        missing = {"table", "query", "expected_ids"} - set(entry)
        if missing:
            raise bad_line(path, 1, f"the column {min(missing)} is missing")
        try:
            properties = json.loads(entry.get("props") or "null")
        except ValueError as error:
            raise bad_line(path, line, f"props are no JSON: {error}") from None
        expected = frozenset[str](key for key in str(entry["expected_ids"]).split("|") if key)
        pairs.append(
            Pair(
                table=entry["table"],
                query=entry["query"],
                expected=expected,
                tier=entry.get("tier") or ("lexical" if expected else "nil"),
                kind=entry.get("kind", ""),
                origin=entry.get("origin", ""),
                language=entry.get("lang") or None,
                properties=properties or None,
            )
        )
    if not pairs:
        raise bad_line(path, 2, "it holds no pair")
    return pairs


def pairs_of(path: Path, table: str) -> list[Pair]:
    """Pairs of one table whose query has text.

    Raises:
        QmError: those of `read_gold`; QM404 gold_not_found where there are none.
    """
    pairs = [pair for pair in read_gold(path) if pair.table == table and pair.query.strip()]
    if not pairs:
        raise QmError(
            404,
            "gold_not_found",
            f"{path} has no pair for the table {table!r}.",
            "Use a table named in its column `table`.",
        )
    return pairs
