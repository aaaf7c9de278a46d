"""Finds changes that people have made in a database since the last installation, and how to undo
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, LiteralString

import psycopg
from psycopg import sql

from quartermaster.install import discover
from quartermaster.install.connection import Connection
from quartermaster.install.execute import owner_rows

# With more objects than this, a sentence only counts the rest.
_MAX_NAMED_OBJECTS: Final = 5
# Kinds of objects whose data an installation cannot make again.
_WITH_DATA: Final = {"table", "type", "sequence"}
# Kinds of objects that may be moved to another schema.
_MOVABLE_KINDS: Final = {"table", "view", "materialized view", "sequence", "function", "type"}

_CHANGED_QUERY: Final = "select change, kind, name from core.changed_objects()"
_LAGGING_QUERY: Final = "select s.sequence::text from core.lagging_sequences() as s"
# The owner cannot compare what he may not read.
_GIVEN_AWAY: Final = """
select 'schema ' || n.nspname from pg_namespace as n
where n.nspname = any(%s) and n.nspowner <> 'qm_owner'::regrole
order by n.nspname
"""
_INDEXES: Final = "select m from search.missing_indexes() as m"
_COLLATION: Final = """
select d.datname from pg_database as d
where d.datname = current_database()
    and d.datcollversion <> pg_database_collation_actual_version(d.oid)
"""
_INVALID_QUERY: Final = """
select i.indexrelid::regclass::text from pg_index as i
inner join pg_class as c on c.oid = i.indexrelid
inner join pg_namespace as n on n.oid = c.relnamespace
where n.nspowner = 'qm_owner'::regrole and not i.indisvalid and c.relkind = 'i'
order by 1
"""
_PUBLICATIONS: Final = """
select distinct quote_ident(p.pubname) from pg_publication_tables as p
inner join pg_namespace as n on n.nspname = p.schemaname
where n.nspowner = 'qm_owner'::regrole
order by 1
"""
# Autovacuum collects statistics after changes only, so it does nothing after an upgrade of the
# server or a reset of the counters. Small tables do not need statistics.
_UNANALYZED_QUERY: Final = """
select count(*) from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
inner join pg_stat_user_tables as s on s.relid = c.oid
where n.nspowner = 'qm_owner'::regrole and c.relkind = 'r' and c.reltuples < 0
    and pg_relation_size(c.oid) > 1000000 and s.n_mod_since_analyze = 0
"""
_REINSTALL_HINT: Final = "Run qm install, which makes it again."


def is_changed(connection: Connection) -> bool:
    """Returns whether an installation would undo changes that people have made."""
    try:
        return any(change != "added" for change, *_ in owner_rows(connection, _CHANGED_QUERY))
    except psycopg.Error:
        return True


def changes(connection: Connection) -> Iterator[str]:
    """Yields the differences from the last installation and the obstacles to the next one, each
    with its remedy.

    Args:
        connection: connection of an administrator, after `execute.let_owner_act`.
    """
    try:
        changed = owner_rows(connection, _CHANGED_QUERY)
        lagging = owner_rows(connection, _LAGGING_QUERY)
        indexes = owner_rows(connection, _INDEXES)
    except psycopg.Error as error:
        message = error.diag.message_primary or str(error)
        if given := _rows(connection, _GIVEN_AWAY, [discover.schema_names()]):
            message = f"these belong to others: {_list(given)}"
        yield (
            f"Somebody has changed the database, so that it cannot be checked: {message}. "
            + _REINSTALL_HINT
        )
        return
    yield from _changed(changed)
    if lagging:
        yield (
            f"These sequences give numbers that their tables already have: {_list(lagging)}."
            " Run qm install, which sets them right."
        )
    if indexes:
        yield f"These indexes for searches are missing: {_list(indexes)}. {_REINSTALL_HINT}"
    if publications := _rows(connection, _PUBLICATIONS):
        yield (
            f"The publication {_list(publications)} copies tables of Quartermaster, with keys and"
            " calls, and its subscribers stop where they lack these tables. Make it again for the"
            " tables or the schemas of others."
        )
    for (name,) in _rows(connection, _COLLATION):
        database = sql.Identifier(name).as_string(connection)
        yield (
            "The collations of the operating system have changed since the database was created, so"
            f" its indexes may miss rows. Run in psql: reindex database {database}; alter database"
            f" {database} refresh collation version."
        )
    if invalid := _rows(connection, _INVALID_QUERY):
        yield f"These indexes are not used: {_list(invalid)}. Run in psql: reindex index NAME."
    [(unanalyzed,)] = _rows(connection, _UNANALYZED_QUERY)
    if unanalyzed:
        yield (
            f"The planner has no statistics of {unanalyzed} large tables, so searches may be slow."
            " Run in psql: analyze."
        )


def _changed(rows: list[tuple[Any, ...]]) -> Iterator[str]:
    added = [row for row in rows if row[0] == "added"]
    lost = [
        row
        for row in rows
        if (row[1] == "column" and row not in added)
        or (row[0] == "missing" and row[1] in _WITH_DATA)
    ]
    roles = [row for row in rows if row[:2] == ("missing", "role")]
    mendable = [row for row in rows if row not in lost and row not in added and row not in roles]
    for *_, name in roles:
        yield (
            f"The role {name} is missing. If somebody has renamed it, run in psql: alter role NAME"
            f" rename to {name}. If it was dropped, run qm install."
        )
    if lost:
        yield (
            f"Somebody has dropped or changed what holds data: {_objects(lost)}. Restore a backup"
            " (docs/runbooks.md)."
        )
    for change in ("missing", "changed"):
        if found := [row for row in mendable if row[0] == change]:
            what = f"this is {change}: {_objects(found)}"
            yield f"Since the last installation, {what}. {_REINSTALL_HINT}"
    foreign = [row for row in added if row[1] in _MOVABLE_KINDS]
    for _, kind, name in foreign[:_MAX_NAMED_OBJECTS]:
        yield (
            f"The {kind} {name} does not belong to Quartermaster, so the next installation is"
            f" refused. Move it: alter {kind} {name} set schema public."
        )
    if other := [row for row in added if row not in foreign]:
        yield (
            f"Somebody has added this to objects of Quartermaster: {_objects(other)}. Drop it:"
            " it may break the service, and the next installation is refused."
        )


def _objects(rows: list[tuple[Any, ...]]) -> str:
    return _list([(f"{kind} {name}",) for _, kind, name in rows])


def _list(rows: list[tuple[Any, ...]]) -> str:
    named = ", ".join(str(row[0]) for row in rows[:_MAX_NAMED_OBJECTS])
    return named + (
        f" and {len(rows) - _MAX_NAMED_OBJECTS} more" if len(rows) > _MAX_NAMED_OBJECTS else ""
    )


def _rows(
    connection: Connection, query: LiteralString, given: Sequence[object] = ()
) -> list[tuple[Any, ...]]:
    return connection.execute(query, given or None).fetchall()
