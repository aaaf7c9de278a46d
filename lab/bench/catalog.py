"""Fills the catalog, and looks at what it takes on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from psycopg.types.json import Jsonb

from lab.bench.server import BenchDatabase
from lab.bench.timing import rate, timed
from lab.comparisons.retrieval_sets import Tool

BATCH = 250

_IMPORT = (
    "select count(*) filter (where outcome <> 'rejected'),"
    " count(*) filter (where outcome = 'rejected')"
    " from api.import_items('tool', %s)"
)
# Tables count with what is stored out of line, without their indexes.
_SIZES = """
select kind.name, sum(
    pg_relation_size(c.oid)
    + case when c.reltoastrelid > 0 then pg_total_relation_size(c.reltoastrelid) else 0 end
)
from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
left join pg_am as a on a.oid = c.relam
cross join lateral (
    select case
        when a.amname = 'hnsw' then 'index: HNSW, vectors'
        when c.relname like 'lexical%document%' then 'index: GIN, tokens'
        when c.relname like 'card%label%' then 'index: GIN, trigrams of names'
        when c.relkind = 'i' then 'index: B-trees of ' || n.nspname
        else 'table: ' || n.nspname || '.' || c.relname
    end as name
) as kind
where n.nspname in ('catalog', 'search') and c.relkind in ('r', 'i')
group by 1
having sum(pg_relation_size(c.oid)) > 1000000
order by 1
"""
_INDEXES = """
select a.amname || ': ' || c.relname, format('reindex index %I.%I', n.nspname, c.relname)
from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
inner join pg_am as a on a.oid = c.relam
where n.nspname = 'search' and a.amname in ('gin', 'hnsw')
order by 1
"""


@dataclass(frozen=True)
class CatalogImport:
    """An import: tools stored, tools rejected, and seconds in the database."""

    tools: int
    rejected: int
    seconds: float

    @property
    def tools_per_s(self) -> float:
        """Tools a second."""
        return rate(self.tools + self.rejected, self.seconds)


def import_tools(
    bench: BenchDatabase, tools: Sequence[Tool], progress: Callable[[int], None]
) -> CatalogImport:
    """Imports through the api in batches, each committed; progress hears how many more."""
    stored = rejected = 0
    seconds = 0.0
    for start in range(0, len(tools), BATCH):
        batch = Jsonb(list(tools[start : start + BATCH]))
        [row], took = timed(lambda batch=batch: bench.service.execute(_IMPORT, (batch,)).fetchall())
        added, refused = (int(str(number)) for number in row)
        stored, rejected, seconds = stored + added, rejected + refused, seconds + took
        progress(added + refused)
    return CatalogImport(stored, rejected, seconds)


def total(imports: Sequence[CatalogImport]) -> CatalogImport:
    """Returns several imports as one."""
    return CatalogImport(
        sum(one.tools for one in imports),
        sum(one.rejected for one in imports),
        sum(one.seconds for one in imports),
    )


@dataclass(frozen=True)
class Unchanged:
    """What a second import of the same tools does: `texts` wait for a new vector after it."""

    imported: CatalogImport
    texts: int


def import_again(bench: BenchDatabase, tools: Sequence[Tool]) -> Unchanged:
    """Imports the first tools once more."""
    imported = import_tools(bench, tools[: 4 * BATCH], lambda _: None)
    [(texts,)] = bench.service.execute("select missing from api.list_models()").fetchall()
    return Unchanged(imported, int(str(texts)))


def settle(bench: BenchDatabase) -> None:
    """What autovacuum does within minutes: statistics, and the lists that wait in GIN indexes."""
    bench.owner.execute("vacuum analyze")


def sizes_mb(bench: BenchDatabase) -> dict[str, float]:
    """Returns megabytes (1e6 bytes) of tables and indexes, by name; smaller ones are left out."""
    rows = bench.owner.execute(_SIZES).fetchall()
    return {str(name): round(int(str(size)) / 1e6, 1) for name, size in rows}


def rebuild_s(bench: BenchDatabase) -> dict[str, float]:
    """Returns seconds to build each search index from nothing, as `reindex` does."""
    bench.owner.execute("set maintenance_work_mem = '512MB'")
    found: dict[str, float] = {}
    for name, statement in bench.owner.execute(_INDEXES).fetchall():
        _, seconds = timed(lambda statement=statement: bench.owner.execute(str(statement).encode()))
        found[str(name)] = round(seconds, 2)
    return found
