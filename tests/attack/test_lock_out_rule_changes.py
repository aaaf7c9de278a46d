"""A login takes every lock that it can get and keeps it: rules, imports and installs go on.

The login may take advisory locks, as on a server whose administrator has not limited the logins.
"""

from __future__ import annotations

import psycopg

from quartermaster.install import apply
from tests.support.database import Database
from tests.support.mallory import mallory

_MAY = """
grant execute on function pg_advisory_lock(bigint), pg_advisory_lock(integer, integer) to public
"""
_DENY = """
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "*"}]}')
"""
# Every number that a lock could have, and names of tables and kinds that locks were derived from.
_TAKE = """
select
    pg_advisory_lock(7141883), pg_advisory_lock(7141884), pg_advisory_lock(7141885),
    pg_advisory_lock(hashtextextended('calls.call', 0)),
    pg_advisory_lock(c.oid::integer, hashtext('tool')),
    pg_advisory_lock(c.oid::integer, hashtext('resource'))
from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
where n.nspname = 'catalog' and c.relname = 'item'
"""
_SEEN = """
select count(*)
from catalog.item as i
inner join policy.principal as p
    on p.name = 'mallory' and policy.is_visible(i.rights_class, policy.rights_of(p.id))
"""
_OPEN = """
select format('%I.%I', n.nspname, c.relname)
from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and n.nspname = any(
    '{policy,catalog,search,core,calls,audit,selection,jobs,lookup,snapshots,stats}'
)
"""


def test_locks_that_a_login_keeps_stop_nobody(database: Database) -> None:
    with (
        mallory(database) as dsn,
        psycopg.connect(dsn) as attacker,
        database.connect() as administrator,
    ):
        administrator.execute(_MAY)
        assert attacker.execute(_TAKE).rowcount == 1
        for (table,) in attacker.execute(_OPEN).fetchall():
            for mode in ("access share", "row share"):
                try:
                    with attacker.transaction():
                        attacker.execute(f"lock table {table} in {mode} mode".encode())
                except psycopg.errors.InsufficientPrivilege:
                    pass
        administrator.execute("set statement_timeout = '20s'")
        administrator.execute("select t.make_catalog()")
        administrator.execute(_DENY)
        [(seen,)] = administrator.execute(_SEEN).fetchall()
        assert seen == 0


def test_an_advisory_lock_does_not_stop_an_installation(database: Database) -> None:
    with mallory(database) as dsn, psycopg.connect(dsn, autocommit=True) as attacker:
        with database.connect() as administrator:
            administrator.execute(_MAY)
        assert attacker.execute(_TAKE).rowcount == 1
        limited = psycopg.conninfo.make_conninfo(database.dsn, options="-c lock_timeout=20s")
        assert apply.install(limited).version
        with database.connect() as administrator:
            [(added,)] = administrator.execute(
                "select calls.add_partition('2031-05-06')"
            ).fetchall()
            assert added
