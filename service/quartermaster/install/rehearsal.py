"""Finds the changes that an installation makes outside its own schemas. It compares the database's
catalog before and after the installation.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, LiteralString

from quartermaster.install.connection import Connection

State = dict[str, set[tuple[Any, ...]]]

_QUERIES: Final[dict[str, LiteralString]] = {
    "roles": "select r.rolname from pg_roles as r",
    "memberships": """
        select r.rolname, m.rolname
        from pg_auth_members as g
        inner join pg_roles as r on r.oid = g.roleid
        inner join pg_roles as m on m.oid = g.member
    """,
    "schemas": "select n.nspname from pg_namespace as n where n.nspname !~ '^pg_'",
    "extensions": "select e.extname, e.extversion from pg_extension as e",
    "settings": """
        select r.rolname, d.datname, s.setting
        from pg_db_role_setting as c
        left join pg_roles as r on r.oid = c.setrole
        left join pg_database as d on d.oid = c.setdatabase
        cross join lateral unnest(c.setconfig) as s (setting)
    """,
    # What belongs to an extension has the rights that the extension gives.
    "rights": """
        with object (kind, name, schema, acl, owner, classid, objid) as (
            select
                'database', quote_ident(d.datname), null::oid,
                coalesce(d.datacl, acldefault('d', d.datdba)), d.datdba, 'pg_database'::regclass,
                d.oid
            from pg_database as d
            union all
            select
                'schema', quote_ident(n.nspname), n.oid,
                coalesce(n.nspacl, acldefault('n', n.nspowner)), n.nspowner, 'pg_namespace', n.oid
            from pg_namespace as n
            where n.nspname !~ '^pg_(toast|temp)'
            union all
            select
                'table', c.oid::regclass::text, c.relnamespace,
                coalesce(
                    c.relacl,
                    acldefault(case when c.relkind = 'S' then 's' else 'r' end::"char", c.relowner)
                ),
                c.relowner, 'pg_class', c.oid
            from pg_class as c
            where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
            union all
            select
                'columns of', c.oid::regclass::text || ': ' || quote_ident(a.attname),
                c.relnamespace, a.attacl, c.relowner, 'pg_class', c.oid
            from pg_attribute as a
            inner join pg_class as c on c.oid = a.attrelid
            where a.attacl is not null
            union all
            select
                'function', p.oid::regprocedure::text, p.pronamespace,
                coalesce(p.proacl, acldefault('f', p.proowner)), p.proowner, 'pg_proc', p.oid
            from pg_proc as p
        )

        select
            coalesce(n.nspowner = to_regrole('qm_owner'), false), lower(a.privilege_type), o.kind,
            o.name, coalesce(r.rolname, 'public')
        from object as o
        left join pg_namespace as n on n.oid = o.schema
        cross join lateral aclexplode(o.acl) as a
        left join pg_roles as r on r.oid = a.grantee
        where a.grantee <> o.owner and coalesce(n.nspname !~ '^pg_temp', true) and not exists (
            select from pg_depend as d
            where d.classid = o.classid and d.objid = o.objid and d.deptype = 'e'
        )
    """,
}


@dataclass(frozen=True)
class InstallationChanges:
    """The changes that an installation makes outside its own schemas.

    Attributes:
        roles: names of new roles.
        memberships: pairs of a role and its new member.
        schemas: names of new schemas.
        extensions: names and versions of new extensions.
        settings: changed settings, each with its role and database; None means all roles or all
            databases.
        grants: granted rights on objects outside our schemas: privilege, kind and name of the
            object, and role.
        revokes: revoked rights on such objects, in the same form.
        own_grants: number of new rights in our own schemas.
        seconds: duration of the installation.
    """

    roles: list[tuple[Any, ...]]
    memberships: list[tuple[Any, ...]]
    schemas: list[tuple[Any, ...]]
    extensions: list[tuple[Any, ...]]
    settings: list[tuple[Any, ...]]
    grants: list[list[Any]]
    revokes: list[list[Any]]
    own_grants: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Returns the changes as a dict for JSON."""
        return asdict(self)


def state(connection: Connection) -> State:
    """Returns the current state of everything that an installation may change: roles, schemas,
    extensions, settings, and all rights.
    """
    return {name: set(connection.execute(query)) for name, query in _QUERIES.items()}


def changes_since(before: State, connection: Connection, seconds: float) -> InstallationChanges:
    """Returns the changes since `before`.

    Args:
        before: an earlier result of `state`.
        connection: connection of the administrator, in the transaction of the installation.
        seconds: duration of the installation.
    """
    after = state(connection)
    new = {name: sorted(after[name] - before[name], key=repr) for name in after}
    gone = sorted(before["rights"] - after["rights"], key=repr)
    rights = new.pop("rights")
    return InstallationChanges(
        **new,
        grants=[right for is_own, *right in rights if not is_own],
        revokes=[right for is_own, *right in gone if not is_own],
        own_grants=sum(is_own for is_own, *_ in rights),
        seconds=round(seconds, 1),
    )
