"""What searches and look-ups answer, in the database."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha1
from itertools import cycle
from pathlib import Path
from typing import Any, Final, LiteralString, TypeVar

from lab.bench import catalog, vectors
from lab.bench.outputs.writing import Output, as_json, read_lines
from lab.bench.searching import read_modes
from lab.bench.server import BenchDatabase, throw_away
from quartermaster_lookup.eval.gold_pairs import read_pairs
from quartermaster_lookup.eval.lookups import by_table
from quartermaster_lookup.table_file import read_rows

SEARCHES: Final = 620
LOOKUPS: Final = 3_600
SETS: Final = ("everyday", "desks/dev1", "desks/dev2", "desks/dev3", "desks/dev4")
_IMPORT_BATCH: Final = 5_000
_SELECT: Final = (
    "select rank, name, origin, brief, score, weak, unavailable"
    " from api.select_tools(%s, %s, query_vector => %s::ext.vector)"
)
_RECEIPT: Final = (
    "select part, rank, name, score, text, detail from api.show_receipt(api.last_receipt(%s))"
)
_LOOKUP: Final = (
    "select * from api.search_lookup(%s, %s, in_language => %s, properties => %s::jsonb)"
)
# Numbers and times of receipts, and numbers of their cards. A row of a lookup table keeps its id.
_VARYING_MEMBERS: Final = r"id|ref|created_at|\w+_ms"
Drawn = TypeVar("Drawn")


def drawn(all_of_them: Iterable[tuple[str, Drawn]], count: int) -> list[tuple[str, Drawn]]:
    """Returns the first by hash of their keys: the same everywhere, whatever else there is."""
    found = sorted(
        all_of_them, key=lambda one: sha1(one[0].encode(), usedforsecurity=False).digest()
    )
    assert len(found) >= count, f"{len(found)} of {count}"
    return found[:count]


def write_searches(output: Output) -> None:
    """Goals of everyday servers and of the desks, each in one of the modes, over all their tools.

    Nothing is near enough: without the vector index, whose shape is drawn by lot, the scan is
    exact.
    """
    output.tell("importing tools")
    rows = {name: output.data / "retrieval" / name for name in SETS}
    tools = [tool for folder in rows.values() for tool in read_lines(folder / "tools.jsonl")]
    goals = [
        (f"{name} {row['id']}", str(row["query"]))
        for name, folder in rows.items()
        for row in read_lines(folder / "queries.jsonl")
    ]
    model, folder = vectors.load_model()
    with throw_away() as bench:
        vectors.register(bench, model)
        for (index,) in bench.owner.execute(vectors.VECTOR_INDEXES).fetchall():
            bench.owner.execute(f"drop index {index}".encode())
        catalog.import_tools(bench, [_tool(row) for row in tools], lambda _: None)
        memory = vectors.VectorCache(vectors.memory_file(folder))
        output.tell("embedding tools")
        vectors.embed_cards(bench, model, memory, vectors.EmbeddingCost(), lambda _: None)
        catalog.settle(bench)
        modes = cycle(mode.name for mode in read_modes(bench))
        report: list[str] = []
        for (key, goal), mode in zip(drawn(goals, SEARCHES), modes, strict=False):
            output.tell(f"search {len(report) + 1} of {SEARCHES}")
            [vector] = model.embed([goal])
            found = _rows(bench, _SELECT, goal, mode, vectors.literal(vector))
            receipt = _rows(bench, _RECEIPT, goal)
            report.append("\n".join([f"{key}, {mode}: {goal}", *found, *receipt]))
    output.write("searches.txt", "\n\n".join(report))


def _tool(row: dict[str, Any]) -> dict[str, Any]:
    wanted = ("origin", "name", "description", "input_schema", "annotations")
    return {member: row[member] for member in wanted if member in row}


def write_lookups(output: Output) -> None:
    """Gold queries of all tables."""
    folder = output.data / "reconcile"
    with throw_away() as bench:
        _load(bench, folder / "lookup.csv", output)
        pairs = [(f"{pair.scope} {pair.key}", pair) for pair in read_pairs(folder / "gold_dev.csv")]
        report: list[str] = []
        for key, pair in drawn(pairs, LOOKUPS):
            output.tell(f"look-up {len(report) + 1} of {LOOKUPS}")
            goal = pair.goal.replace("\0", "")
            asked = (pair.scope, goal, pair.language, json.dumps(pair.properties))
            report.append("\n".join([f"{key}: {goal!r}", *_rows(bench, _LOOKUP, *asked)]))
    output.write("lookups.txt", "\n\n".join(report))


def _load(bench: BenchDatabase, path: Path, output: Output) -> None:
    for name, rows in by_table(read_rows(path)).items():
        output.tell(f"loading {name}")
        bench.service.execute("select api.create_lookup(%s)", (name,))
        for start in range(0, len(rows), _IMPORT_BATCH):
            given = json.dumps(rows[start : start + _IMPORT_BATCH])
            bench.service.execute(
                "select * from api.load_lookup(%s, %s::jsonb, false)", (name, given)
            )
    catalog.settle(bench)


def _rows(bench: BenchDatabase, query: LiteralString, *given: object) -> list[str]:
    return [
        as_json(list(row), _VARYING_MEMBERS, indent=None)
        for row in bench.service.execute(query, given).fetchall()
    ]
