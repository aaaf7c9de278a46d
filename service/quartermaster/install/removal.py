"""Determines the objects that an uninstallation removes or restores, and the objects that prevent
it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, LiteralString, cast

from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import kind_packages
from quartermaster.install import discover
from quartermaster.install.connection import Connection
from quartermaster.install.discover import ROLES
from quartermaster.install.execute import execute_step, owner_rows
from quartermaster.install.installed import require_installer

EXTENSIONS: Final = ("vector", "pg_trgm", "unaccent", "plpython3u", "pg_cron")
"""The extensions that an installation creates."""

_SCHEMAS: Final = """
select n.nspname::text from pg_namespace as n
where n.nspowner = to_regrole('qm_owner') order by n.nspname
"""
_TABLES: Final = """
select n.nspname::text as schema, array_agg(c.relname::text order by c.relname) as tables
from pg_class as c inner join pg_namespace as n on n.oid = c.relnamespace
where n.nspname = any(%s) and c.relkind in ('r', 'p') and not c.relispartition
group by n.nspname order by n.nspname
"""
# The tables whose rows people have made. Packages of kinds name theirs. In other schemas, all.
_TABLES_OF_PEOPLE: Final = {
    "api": (),
    "audit": ("record",),
    "calls": ("call",),
    "catalog": ("origin", "item"),
    "core": (),
    "jobs": (),
    "policy": ("principal", "api_key", "rule"),
    "projects": ("project",),
    "search": (),
    "selection": ("receipt",),
    "service": (),
    "snapshots": ("snapshot",),
    "stats": (),
}
# What belongs to the roots, as a column belongs to its table, and what else depends on any of it.
# A view depends on something through its rule.
_DEPENDENTS: Final = """
with recursive part (classid, objid) as (
    {roots}
    union
    select d.classid, d.objid
    from pg_depend as d
    inner join part as p on p.classid = d.refclassid and p.objid = d.refobjid
    where d.deptype in ('a', 'i', 'P', 'S', 'e')
),

dependent as (
    select distinct d.classid, d.objid, d.objsubid
    from pg_depend as d
    inner join part as p on p.classid = d.refclassid and p.objid = d.refobjid
    where d.deptype = 'n' and (d.classid, d.objid) not in (select p.classid, p.objid from part as p)
)

select distinct replace(pg_describe_object(d.classid, d.objid, d.objsubid), 'rule _RETURN on ', '')
from dependent as d
cross join lateral pg_identify_object(d.classid, d.objid, d.objsubid) as i
cross join lateral pg_identify_object_as_address(d.classid, d.objid, d.objsubid) as a
where
    coalesce(coalesce(i.schema, a.object_names[1]) <> all(%(schemas)s), true)
    -- A column of a view has our collation if the view reads ours, so the view is named.
    and not (d.objsubid > 0 and i.type = 'view column')
order by 1
"""
_IN_SCHEMAS: Final = """
select d.classid, d.objid from pg_depend as d
where
    d.refclassid = 'pg_namespace'::regclass
    and d.refobjid in (select n.oid from pg_namespace as n where n.nspname = any(%(schemas)s))
"""
_IN_EXTENSION: Final = """
select 'pg_extension'::regclass, e.oid from pg_extension as e where e.extname = %(extension)s
"""
# What belongs to our roles in other schemas, and what belongs to others in ours. What an
# installation has made is ours, whoever owns it now.
_MISPLACED_QUERY: Final = """
select pg_describe_object(d.classid, d.objid, d.objsubid) || ', which belongs to ' || r.rolname
from pg_shdepend as d
inner join pg_database as b on b.oid = d.dbid and b.datname = current_database()
inner join pg_roles as r on d.refclassid = 'pg_authid'::regclass and r.oid = d.refobjid
cross join lateral pg_identify_object(d.classid, d.objid, d.objsubid) as i
where
    d.deptype = 'o' and r.rolname = any(%(roles)s) and d.classid <> 'pg_default_acl'::regclass
    and coalesce(coalesce(i.schema, i.name) <> all(%(schemas)s), true)
    and coalesce(i.schema, '') !~ '^pg_(toast|temp)'
union all
select pg_describe_object('pg_class'::regclass, c.oid, 0) || ', which belongs to ' || r.rolname
from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
inner join pg_roles as r on r.oid = c.relowner
where
    n.nspname = any(%(schemas)s) and r.rolname <> all(%(roles)s)
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and pg_describe_object('pg_class'::regclass, c.oid, 0) <> all(%(made)s)
union all
select pg_describe_object('pg_proc'::regclass, p.oid, 0) || ', which belongs to ' || r.rolname
from pg_proc as p
inner join pg_namespace as n on n.oid = p.pronamespace
inner join pg_roles as r on r.oid = p.proowner
where
    n.nspname = any(%(schemas)s) and r.rolname <> all(%(roles)s)
    and pg_describe_object('pg_proc'::regclass, p.oid, 0) <> all(%(made)s)
order by 1
"""
# In its own database, a role may have rights, which go, except those on schemas and languages of
# others: only their owners can take them away. In another database, a role is used.
_USED_ROLES: Final = """
select
    r.rolname::text as role,
    array(
        select distinct coalesce(b.datname, o.datname)::text
        from pg_shdepend as d
        left join pg_database as b on b.oid = d.dbid
        left join pg_database as o on d.classid = 'pg_database'::regclass and o.oid = d.objid
        where
            d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid
            and (
                b.datname <> current_database()
                or o.datname <> current_database()
                or o.datname = current_database() and d.deptype = 'o'
            )
    ) as databases,
    array(
        select pg_describe_object(d.classid, d.objid, 0)
        from pg_shdepend as d
        inner join pg_database as b on b.oid = d.dbid and b.datname = current_database()
        left join pg_namespace as n on d.classid = 'pg_namespace'::regclass and n.oid = d.objid
        left join pg_language as l on d.classid = 'pg_language'::regclass and l.oid = d.objid
        where
            d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid and d.deptype = 'a'
            and (
                n.nspowner <> 'qm_owner'::regrole
                and not has_schema_privilege(n.oid, 'usage with grant option')
                or not has_language_privilege(l.oid, 'usage with grant option')
            )
    ) as closed_objects,
    a.rolsuper
    or current_setting('server_version_num')::integer < 160000 and a.rolcreaterole
    or a.rolcreaterole and pg_has_role(r.oid, 'member with admin option') as may_drop
from pg_roles as r, pg_roles as a
where r.rolname = any(%s) and a.rolname = current_user
order by array_position(%s::text[], r.rolname::text) desc
"""
_MEMBERS: Final = """
select distinct m.rolname::text
from pg_auth_members as a
inner join pg_roles as r on r.oid = a.roleid
inner join pg_roles as m on m.oid = a.member
where r.rolname = any(%(roles)s) and m.rolname <> all(%(ours)s) and m.rolname <> current_user
order by 1
"""
_EXTENSIONS: Final = """
select
    e.extname::text, pg_get_userbyid(e.extowner)::text, pg_has_role(e.extowner, 'usage'),
    n.nspname = 'ext' or e.extname in ('plpython3u', 'pg_cron')
from pg_extension as e inner join pg_namespace as n on n.oid = e.extnamespace
where e.extname = any(%s) order by e.extname
"""
# The schema of the extensions, if nothing stays in it.
_EXTENSION_SCHEMA: Final = """
select n.nspname::text from pg_namespace as n
where
    n.nspname = 'ext' and pg_has_role(n.nspowner, 'usage')
    and not exists (
        select from pg_depend as d
        where
            d.refclassid = 'pg_namespace'::regclass and d.refobjid = n.oid
            and not exists (
                select from pg_extension as e
                where
                    e.extname = any(%s)
                    and (
                        d.classid = 'pg_extension'::regclass and d.objid = e.oid
                        or (d.classid, d.objid) in (
                            select m.classid, m.objid from pg_depend as m
                            where m.refclassid = 'pg_extension'::regclass and m.refobjid = e.oid
                        )
                    )
            )
    )
"""
_OTHER_JOBS: Final = """
select 'job ' || coalesce(j.jobname, j.jobid::text) from cron.job as j
where j.jobname <> 'quartermaster' or j.jobname is null or j.database <> current_database()
order by 1
"""
# Superusers may do something else here, unless they keep something of ours.
_SESSIONS: Final = """
select a.pid, a.usename::text as login
from pg_stat_activity as a
inner join pg_roles as r on r.oid = a.usesysid
where
    a.datname = current_database() and a.pid <> pg_backend_pid()
    and (
        not r.rolsuper and exists (
            select from pg_roles as o
            where o.rolname = any(%(roles)s) and pg_has_role(r.oid, o.oid, 'member')
        ) and r.rolname <> current_user
        or a.pid in (
            select l.pid from pg_locks as l
            inner join pg_class as c on c.oid = l.relation
            inner join pg_namespace as n on n.oid = c.relnamespace
            where l.granted and l.database = a.datid and n.nspname = any(%(schemas)s)
        )
    )
order by a.usename, a.pid
"""
# Whether there is an installation, whether the login may act for its owner, and whether rights were
# taken that only a superuser can take and give back.
_STANDING_QUERY: Final = """
select
    exists (
        select from pg_class as c inner join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = 'core' and c.relname = 'release' and n.nspowner = to_regrole('qm_owner')
    ),
    coalesce(pg_has_role(to_regrole('qm_owner'), 'usage'), false),
    not r.rolsuper and exists (
        select from pg_proc as p, aclexplode(p.proacl) as a
        where p.pronamespace = 'pg_catalog'::regnamespace and a.grantee = to_regrole('qm_owner')
    )
from pg_roles as r where r.rolname = current_user
"""

_IN_EXT: Final = """
select quote_ident(e.extname) from pg_extension as e
inner join pg_namespace as n on n.oid = e.extnamespace
where n.nspname = 'ext' and e.extname = any(%s) order by e.extname
"""
# What sql/prior_state.sql has noted. What qm_owner could have written is not believed.
_PRIOR_STATE: Final = """
select obj_description(n.oid, 'pg_namespace')::jsonb
from pg_namespace as n
inner join pg_roles as r on r.oid = n.nspowner
inner join pg_database as d on d.datname = current_database()
where n.nspname = 'qm_prior_state' and (r.rolsuper or r.oid = d.datdba or r.rolname = current_user)
"""
_IS_SHARED: Final = """
select from core.capability as c where c.name = 'own_database' and not c.installed
"""
_THERE_BEFORE: Final = "it was there before"
_IS_SUPERUSER: Final = "select r.rolsuper from pg_roles as r where r.rolname = current_user"


@dataclass(frozen=True)
class Removal:
    """The effects of uninstalling Quartermaster from a database.

    Attributes:
        database: name of the database.
        schemas: schemas to drop, each with the number of its tables and, by table, the number of
            rows that people have made. The schema of the extensions has no tables or rows.
        extensions: extensions that are dropped.
        retained_extensions: extensions that stay, with the reason.
        roles: roles that are dropped.
        retained_roles: roles that stay, with the reason.
        members: logins that are members of a role that is dropped.
        statements: SQL that restores rights and settings.
        sessions: number of sessions to end, by login.
        is_recorded: whether the installation recorded the earlier state of the database.
        administrator_statements: SQL that drops the extensions that somebody created in the schema
            ext before the installation. Their creator can run it if nothing else needs the
            extensions.
        dump_options: options of pg_dump with which this login can dump all our rows.
    """

    database: str
    schemas: list[dict[str, Any]]
    extensions: list[str]
    retained_extensions: dict[str, str]
    roles: list[str]
    retained_roles: dict[str, str]
    members: list[str]
    statements: list[str]
    sessions: dict[str, int]
    is_recorded: bool
    administrator_statements: list[str]
    dump_options: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Returns the removal as a dict for JSON."""
        return asdict(self)


def require_administrator(connection: Connection) -> None:
    """Refuses a login that cannot remove the installation.

    Raises:
        QmError: QM404 not_installed, QM403 not_permitted, QM409 owner_renamed.
    """
    require_installer(connection)
    [[is_installed, acts, lacks]] = connection.execute(_STANDING_QUERY).fetchall()
    if not is_installed:
        raise QmError(
            404,
            "not_installed",
            f"Quartermaster is not installed in the database {connection.info.dbname}.",
            "Name its database with --dsn.",
        )
    if lacks or not acts:
        raise QmError(
            403,
            "not_permitted",
            f"the login {connection.info.user} cannot take away what another login has installed",
            "Use the DSN of the login that installed Quartermaster, or of a superuser.",
        )


def require_own(connection: Connection) -> None:
    """Refuses to remove objects that others have created.

    Raises:
        QmError: QM409 installation_in_use.
    """
    schemas = our_schemas(connection)
    made = _made(connection)
    given = {"schemas": schemas, "roles": list(ROLES), "made": made}
    used = _texts(connection, _MISPLACED_QUERY, given)
    if used:
        raise _in_use(connection, used)
    require_no_dependents(connection, schemas)


def require_no_dependents(connection: Connection, schemas: Sequence[str]) -> None:
    """Refuses to drop schemas on which objects in other schemas depend.

    Raises:
        QmError: QM409 installation_in_use.
    """
    used = _dependents(connection, _IN_SCHEMAS, schemas)
    if used:
        raise _in_use(connection, used)


def _in_use(connection: Connection, used: Sequence[str]) -> QmError:
    return QmError(
        409,
        "installation_in_use",
        f"in the database {connection.info.dbname}, this would go, too: {', '.join(used)}",
        "Drop it, move it to another schema, or give it to another role; then try again.",
    )


def removal_of(connection: Connection) -> Removal:
    """Returns the effects that an uninstallation would have now. The settings that this function
    changes are valid only until the end of the transaction.

    Args:
        connection: connection of an administrator, in a transaction after `execute.begin` and
            `execute.let_owner_act`.
    """
    schemas = our_schemas(connection)
    prior = _prior_state(connection)
    extensions, retained_extensions = _extensions(connection, schemas, prior.get("extensions", {}))
    dropped = _texts(connection, _EXTENSION_SCHEMA, [extensions])
    opened = prior.get("extensions", {}).get("schema_is_open")
    roles, retained_roles = _roles(connection)
    ours = {"roles": roles, "ours": list(ROLES)}
    return Removal(
        connection.info.dbname,
        counted_rows(connection, schemas)
        + [{"schema": name, "tables": 0, "rows": {}} for name in dropped if opened is None],
        extensions,
        retained_extensions,
        roles,
        retained_roles,
        _texts(connection, _MEMBERS, ours),
        _statements(connection, prior)
        + ["revoke usage on schema ext from public"] * (opened is False),
        Counter(login for _, login in sessions(connection, schemas)),
        bool(prior),
        _administrator_statements(connection, retained_extensions),
        dump_options(connection, schemas),
    )


def _administrator_statements(connection: Connection, retained: Mapping[str, str]) -> list[str]:
    there_before = [name for name, reason in retained.items() if reason == _THERE_BEFORE]
    names = _texts(connection, _IN_EXT, [there_before])
    return [f"drop extension {', '.join(names)};", "drop schema ext;"] if names else []


def dump_options(connection: Connection, schemas: Sequence[str]) -> list[str]:
    """Returns the options of pg_dump. A superuser needs none. For other logins, the options let
    pg_dump act as the owner, and read all rows of our schemas and nothing else.
    """
    if connection.execute(_IS_SUPERUSER).fetchone() == (True,):
        return []
    return ["--role=qm_owner", "--enable-row-security", f"--schema={'|'.join(schemas)}"]


def our_schemas(connection: Connection) -> list[str]:
    """Returns the schemas that qm_owner owns, including the schemas of kind folders."""
    return _texts(connection, _SCHEMAS)


def sessions(connection: Connection, schemas: Sequence[str]) -> list[tuple[int, str]]:
    """Returns the process id and login of each session that belongs to one of our roles or its
    members, or has locked one of our objects.
    """
    given = {"roles": list(ROLES), "schemas": schemas}
    return [(int(pid), str(login)) for pid, login in connection.execute(_SESSIONS, given)]


def _dependents(
    connection: Connection, roots: LiteralString, schemas: Sequence[str], **given: object
) -> list[str]:
    query = _DEPENDENTS.format(roots=roots)
    return _texts(connection, query, {"schemas": schemas, **given})


def _made(connection: Connection) -> list[str]:
    """Returns the objects that installations have recorded, as PostgreSQL describes them; none if
    an older release kept no records.
    """
    if connection.execute("select to_regclass('core.installed_object')").fetchone() == (None,):
        return []
    made = owner_rows(connection, "select kind || ' ' || name as made from core.installed_object")
    return [str(name) for (name,) in made]


def _prior_state(connection: Connection) -> dict[str, Any]:
    row = connection.execute(_PRIOR_STATE).fetchone()
    return dict(row[0]) if row and row[0] else {}


def counted_rows(connection: Connection, schemas: Sequence[str]) -> list[dict[str, Any]]:
    """Returns the given schemas, each with the number of its tables and, by table, the number of
    rows that people have made.
    """
    found: dict[str, list[str]] = dict(connection.execute(_TABLES, [schemas]).fetchall())
    missed = _missed_of_kinds() | _TABLES_OF_PEOPLE
    return [
        {
            "schema": schema,
            "tables": len(tables := found.get(schema, [])),
            "rows": {
                table: _count(connection, schema, table)
                for table in missed.get(schema, tables)
                if table in tables
            },
        }
        for schema in schemas
    ]


def _missed_of_kinds() -> dict[str, tuple[str, ...]]:
    try:
        packages = kind_packages()
    except QmError:
        # A broken package must not keep the database from being cleaned up.
        return {}
    return {schema: tables for each in packages for schema, tables in each.missed.items()}


def _count(connection: Connection, schema: str, table: str) -> int:
    query = sql.SQL("select count(*) as number from {}").format(sql.Identifier(schema, table))
    [(number,)] = owner_rows(connection, query.as_string(connection))
    return int(number)


def _extensions(
    connection: Connection, schemas: Sequence[str], prior: Mapping[str, Any]
) -> tuple[list[str], dict[str, str]]:
    gone: list[str] = []
    retained: dict[str, str] = {}
    found = connection.execute(_EXTENSIONS, [list(EXTENSIONS)]).fetchall()
    for name, owner, may_drop, is_in_place in found:
        used = _dependents(connection, _IN_EXTENSION, schemas, extension=name)
        if name == "pg_cron" and may_drop:
            used += _texts(connection, _OTHER_JOBS)
        if name in prior.get("names", ()):
            retained[name] = _THERE_BEFORE
        elif not is_in_place:
            retained[name] = "an installation would have created it in the schema ext"
        elif used:
            retained[name] = f"used by {', '.join(used)}"
        elif not may_drop:
            retained[name] = f"it belongs to {owner}"
        else:
            gone.append(name)
    return gone, retained


def _roles(connection: Connection) -> tuple[list[str], dict[str, str]]:
    gone: list[str] = []
    retained: dict[str, str] = {}
    for role, databases, closed, may_drop in connection.execute(
        _USED_ROLES, [list(ROLES), list(ROLES)]
    ).fetchall():
        if databases:
            retained[role] = f"used in {', '.join(databases)}"
        elif closed:
            retained[role] = f"only its owner can take away the rights on {', '.join(closed)}"
        elif not may_drop:
            retained[role] = "another role has made it, and can drop it"
        else:
            gone.append(role)
    return gone, retained


def _statements(connection: Connection, prior: Mapping[str, Any]) -> list[str]:
    is_shared = "on" if owner_rows(connection, _IS_SHARED) else "off"
    connection.execute(
        "select set_config('qm.prior_state', %s, true), set_config('qm.shared', %s, true)",
        [json.dumps(prior), is_shared],
    )
    with connection.transaction(force_rollback=True):
        execute_step(connection, discover.withheld_functions())
        found = execute_step(connection, discover.returned_rights()).fetchall()
    return [str(statement) for (statement,) in found]


def _texts(
    connection: Connection, query: str, given: Sequence[object] | Mapping[str, object] = ()
) -> list[str]:
    rows = connection.execute(cast(LiteralString, query), given or None).fetchall()
    return [str(text) for (text,) in rows]
