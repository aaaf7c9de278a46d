"""Repeats work that other sessions block, and names a blocking session if the work still fails."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, Final, ParamSpec, TypeVar

import stamina

from quartermaster.core.errors import QmError
from quartermaster.install.connection import connected
from quartermaster.install.execute import in_conflict

_P = ParamSpec("_P")
_R = TypeVar("_R")

_HOLDERS: Final = """
select h.name, h.remedy
from (
    select distinct
        coalesce(a.xact_start, p.prepared) as since,
        case
            when l.pid is null then format('the prepared transaction %L', p.gid)
            else format(
                '%s (process %s%s)', a.usename, a.pid, ', ' || nullif(a.application_name, '')
            )
        end as name,
        case
            when l.pid is null then format('rollback prepared %L;', p.gid)
            else format('select pg_terminate_backend(%s);', a.pid)
        end as remedy
    from pg_locks as l
    inner join pg_database as d on d.oid = l.database and d.datname = current_database()
    inner join pg_class as c on c.oid = l.relation
    inner join pg_namespace as n on n.oid = c.relnamespace
    left join pg_stat_activity as a on a.pid = l.pid
    -- A prepared transaction has no process, and a lock on its own number.
    left join pg_locks as t
        on l.pid is null and t.pid is null and t.locktype = 'transactionid'
        and t.virtualtransaction = l.virtualtransaction
    left join pg_prepared_xacts as p on p.transaction = t.transactionid
    where l.granted and n.nspowner = to_regrole('qm_owner')
) as h
order by h.since
limit 3
"""


def again_in_conflict(
    function: Callable[Concatenate[str, _P], _R],
) -> Callable[Concatenate[str, _P], _R]:
    """Returns a function that runs the given function up to five times. The function's first
    argument must be the DSN.
    """

    @functools.wraps(function)
    def explained(dsn: str, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        # The running service or autovacuum may hold a table in another order than the installation
        # needs. As a decorator, stamina would log the DSN with its password.
        tries = stamina.retry_context(on=in_conflict, attempts=5, wait_initial=0.2, timeout=None)
        try:
            for attempt in tries:
                with attempt:
                    return function(dsn, *args, **kwargs)
        except QmError as error:
            if in_conflict(error) and (found := _held(dsn)):
                raise found from error
            raise
        raise AssertionError("the last attempt returns or raises")

    return explained


def _held(dsn: str) -> QmError | None:
    """Returns the error that names a blocking session: the session that has locked our tables for
    the longest time. Returns None if no session has locked them any more.
    """
    with connected(dsn) as connection:
        holders = connection.execute(_HOLDERS).fetchall()
    if not holders:
        return None
    return QmError(
        503,
        "retryable",
        f"others keep tables of Quartermaster locked: {', '.join(name for name, _ in holders)}",
        "Let them end, or end them as a superuser:"
        f" {' '.join(remedy for _, remedy in holders)} Then try again. Nothing was changed.",
    )
