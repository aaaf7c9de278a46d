"""Removes a kind folder with all its data in one transaction, completely or not at all."""

# All names that are inserted into SQL here come from the server, which has quoted them.
# ruff: noqa: S608
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install import discover
from quartermaster.install.connection import Connection, connected
from quartermaster.install.execute import (
    as_owner,
    begin,
    let_owner_act,
    owner_rows,
    settle,
    wait_for_turn,
)
from quartermaster.install.kind_folder import KindFolder
from quartermaster.install.locks import lock_tables
from quartermaster.install.removal import (
    counted_rows,
    dump_options,
    our_schemas,
    require_administrator,
    require_no_dependents,
)

_KINDS: Final = """
select
    k.name as kind, k.folder, coalesce(f.is_hidden, false) as hidden,
    (select count(*) from search.card as c where c.kind = k.name) as cards,
    (select count(*) from catalog.item as i where i.kind = k.name) as items
from search.kind as k
left join core.kind_folder as f on f.name = k.folder
order by k.folder, k.name
"""
_FOLDER: Final = "select name, schemas from core.kind_folder"
# What its kinds call, for a folder that an older release has recorded.
_CALLED_QUERY: Final = """
select distinct split_part(f.value, '.', 1) as schema
from search.kind as k
cross join lateral jsonb_each_text(to_jsonb(k)) as f
where k.folder = %s and f.key like '%%\\_function' and f.value is not null
"""
_OURS_QUERY: Final = """
select n.nspname::text as schema
from pg_namespace as n
where n.nspname = any(%s) and n.nspname <> all(%s) and n.nspowner = 'qm_owner'::regrole
order by n.nspname
"""
_REGISTERED_QUERY: Final = """
select r.what, r.name
from (
    select 'jobs' as what, name, folder from jobs.job
    union all
    select 'settings', name, folder from core.setting
    union all
    select 'migrations', name, folder from core.migration
) as r
where r.folder = %s
order by r.what, r.name
"""
# All foreign keys between different tables that stay: the table and its columns, and those of the
# other.
_KEYS: Final = """
select
    c.conrelid::regclass::text as referrer,
    string_agg(quote_ident(a.attname), ', ' order by k.place) as columns,
    c.confrelid::regclass::text as referred,
    string_agg(quote_ident(r.attname), ', ' order by k.place) as their_columns
from pg_constraint as c
inner join pg_class as t on t.oid = c.conrelid and t.relnamespace::regnamespace::text <> all(%s)
cross join unnest(c.conkey, c.confkey) with ordinality as k (number, their_number, place)
inner join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = k.number
inner join pg_attribute as r on r.attrelid = c.confrelid and r.attnum = k.their_number
where c.contype = 'f' and c.conrelid <> c.confrelid and c.conparentid = 0
group by c.oid, c.conrelid, c.confrelid
order by 1, 2
"""
# A table that refers to another: its name, its columns, and the columns of the other.
_Key = tuple[str, str, str]


@dataclass(frozen=True)
class KindRemoval:
    """The objects that the removal of a kind folder deletes.

    Attributes:
        database: name of the database.
        folder: name of the folder.
        kinds: kinds of the folder, each with the numbers of its cards and items.
        schemas: schemas to drop, each with the number of its tables and the number of rows in each
            table.
        jobs: names of the folder's jobs.
        settings: names of the folder's settings.
        migrations: names of the folder's migrations in the ledger.
        dump_options: options of pg_dump with which this login can dump all our rows.
    """

    database: str
    folder: str
    kinds: list[dict[str, Any]]
    schemas: list[dict[str, Any]]
    jobs: list[str]
    settings: list[str]
    migrations: list[str]
    dump_options: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Returns the removal as a dict for JSON."""
        return asdict(self)


def list_kinds(dsn: str) -> list[dict[str, Any]]:
    """Returns all kinds, each with its folder (empty if the kind is built in), the numbers of its
    cards and items, and whether it is hidden.

    Args:
        dsn: DSN of an administrator.

    Raises:
        QmError: QM503 database_unavailable, QM404 not_installed, QM403 not_permitted.
    """
    with connected(dsn) as connection:
        begin(connection)
        require_administrator(connection)
        let_owner_act(connection)
        return _kinds(connection)


def preview(dsn: str, name: str, folders: Sequence[KindFolder]) -> KindRemoval:
    """Returns the objects that `remove` would delete; changes nothing.

    Args:
        dsn: DSN of the administrator who installed, or of a superuser.
        name: name of the folder.
        folders: the folders that the settings name.

    Raises:
        QmError: QM404 kind_folder_not_found, QM409 kind_folder_in_use or installation_in_use, and
            see `list_kinds`.
    """
    with connected(dsn) as connection, connection.transaction(force_rollback=True):
        begin(connection)
        # Somebody may have locked a table whose rows are counted.
        connection.execute("set local lock_timeout = '10s'")
        require_administrator(connection)
        let_owner_act(connection)
        return _removal(connection, name, folders)


def remove(dsn: str, name: str, folders: Sequence[KindFolder]) -> KindRemoval:
    """Drops the schemas of a kind folder, and deletes its kinds with their cards, its jobs and its
    settings.

    Args:
        dsn: see `preview`.
        name: see `preview`.
        folders: see `preview`.

    Raises:
        QmError: see `preview`; QM503 retryable. Nothing is changed then.
    """
    with connected(dsn) as connection, connection.transaction():
        begin(connection)
        require_administrator(connection)
        wait_for_turn(connection)
        let_owner_act(connection)
        lock_tables(connection)
        removal = _removal(connection, name, folders)
        as_owner(connection, _statements(connection, removal), f"the removal of {name}")
        settle(connection)
        return removal


def _statements(connection: Connection, removal: KindRemoval) -> str:
    folder = sql.Literal(removal.folder).as_string()
    gone = [row["schema"] for row in removal.schemas]
    drops = [
        sql.SQL("drop schema {} cascade;").format(sql.Identifier(name)).as_string() for name in gone
    ]
    keys: defaultdict[str, list[_Key]] = defaultdict(list)
    for referrer, columns, referred, their_columns in owner_rows(connection, _KEYS, [gone]):
        keys[referred].append((referrer, columns, their_columns))
    return "\n".join(
        [
            *drops,
            f"select catalog.release_kinds({folder});",
            *_deletes(keys, "search.kind", f"folder = {folder}"),
            *_deletes(keys, "jobs.job", f"folder = {folder}"),
            f"delete from core.setting where folder = {folder};",
            f"delete from core.migration where folder = {folder};",
            f"delete from core.kind_folder where name = {folder};",
            "select core.record_objects();",
            "notify qm_installation;",
        ]
    )


def _deletes(keys: Mapping[str, Sequence[_Key]], table: str, condition: str) -> Iterator[str]:
    """Deletes rows. First deletes all rows that refer to them, in any table."""
    for referrer, columns, their_columns in keys.get(table, ()):
        of_them = f"({columns}) in (select {their_columns} from {table} where {condition})"
        yield from _deletes(keys, referrer, of_them)
    yield f"delete from {table} where {condition};"


def _removal(connection: Connection, name: str, folders: Sequence[KindFolder]) -> KindRemoval:
    kinds = _kinds(connection)
    recorded: dict[str, list[str]] = dict(owner_rows(connection, _FOLDER))
    _require_unnamed(name, kinds, recorded, folders)
    called = [str(schema) for (schema,) in owner_rows(connection, _CALLED_QUERY, [name])]
    others = {schema for other in recorded if other != name for schema in recorded[other]}
    given = [[*recorded[name], *called], [*discover.schema_names(), *others]]
    schemas = [str(schema) for (schema,) in owner_rows(connection, _OURS_QUERY, given)]
    require_no_dependents(connection, schemas)
    registered: defaultdict[str, list[str]] = defaultdict(list)
    for what, each in owner_rows(connection, _REGISTERED_QUERY, [name]):
        registered[what].append(each)
    return KindRemoval(
        connection.info.dbname,
        name,
        [row for row in kinds if row["folder"] == name],
        counted_rows(connection, schemas),
        registered["jobs"],
        registered["settings"],
        registered["migrations"],
        dump_options(connection, our_schemas(connection)),
    )


def _kinds(connection: Connection) -> list[dict[str, Any]]:
    names = ("kind", "folder", "hidden", "cards", "items")
    return [dict(zip(names, row, strict=True)) for row in owner_rows(connection, _KINDS)]


def _require_unnamed(
    name: str,
    kinds: Sequence[dict[str, Any]],
    recorded: dict[str, list[str]],
    folders: Sequence[KindFolder],
) -> None:
    if name in {folder.name for folder in [*discover.kinds(), *folders]}:
        raise QmError(
            409,
            "kind_folder_in_use",
            f"the setting kinds.folders, or an installed package, names the kind folder {name}",
            "Take it out of the setting, or uninstall the package (pip list shows it), and run qm"
            " install; then try again.",
        )
    if name in recorded:
        return
    folder = next((row["folder"] for row in kinds if row["kind"] == name), None)
    if folder == "":
        raise QmError(
            409,
            "kind_folder_in_use",
            f"the kind {name} is built in, and cannot be removed",
            "qm kind list lists the kinds with their folders.",
        )
    raise QmError(
        404,
        "kind_folder_not_found",
        f"no kind folder called {name} has been installed",
        f"Name the folder of the kind: qm kind remove {folder}."
        if folder
        else "qm kind list lists the kinds with their folders.",
    )
