"""Builds statements that call the functions in the schemas api and service for a principal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from quartermaster.db.principal import Principal

API_FUNCTIONS: Final = """
select p.pronamespace::regnamespace::text as schema, p.proname as name,
    p.provolatile = 'v' as is_writing,
    p.prosecdef and exists (
        select from aclexplode(p.proacl) as a where a.grantee = to_regrole('qm_service')
    ) as is_own,
    p.pronamespace = 'api'::regnamespace and p.provolatile <> 'v'
        and has_function_privilege('qm_admin', p.oid, 'execute')
        and strpos(p.prosrc, 'policy.require_service()') = 0 as is_read,
    p.pronargs - p.pronargdefaults as required,
    array(
        select a.name || ' => ${}::' || format_type(t.type, null)
        from unnest(p.proargnames[:p.pronargs]) with ordinality as a (name, position)
        inner join unnest(p.proargtypes::oid[]) with ordinality as t (type, position)
            using (position)
        order by position
    ) as arguments
from pg_proc as p where p.pronamespace in ('api'::regnamespace, 'service'::regnamespace)
"""
"""Query for the functions that the two schemas contain now."""


@dataclass(frozen=True)
class Operation:
    """A function in the schema api or service.

    Attributes:
        schema, name: its schema, and its name, which no other function of the two schemas has.
        is_writing: whether the function may write.
        is_own: whether the service's login may run the function directly, without taking a role.
        is_read: whether the function changes nothing, and people who log in to the database may
            also call it.
        required: number of the first arguments that have no default.
        arguments: maps the name of each argument to ``name => ${}::type``, which is formatted with
            the number of its parameter.
    """

    schema: str
    name: str
    is_writing: bool
    is_own: bool
    is_read: bool
    required: int
    arguments: dict[str, str]

    def statement(self, given: Iterable[str]) -> str:
        """Returns the statement that calls the function with parameters for these arguments, in
        this order.
        """
        listed = [self.arguments[name].format(i) for i, name in enumerate(given, start=1)]
        return f"select * from {self.schema}.{self.name}({', '.join(listed)})"  # noqa: S608

    def reading(self, given: Iterable[str]) -> str:
        """Returns the statement that calls the function with the members of a JSON object, which is
        its only parameter. PostgreSQL converts the members to the types of the arguments.
        """
        names, called = list(given), f"{self.schema}.{self.name}"
        if not names:
            # The parameter must be used, and it has no members.
            return f"select {self.name}.* from {called}() where $1::jsonb is not null"  # noqa: S608
        types = (self.arguments[name].partition("::")[2] for name in names)
        columns = ", ".join(f"{name} {kind}" for name, kind in zip(names, types, strict=True))
        listed = ", ".join(f"{name} => given.{name}" for name in names)
        return (
            f"select {self.name}.* from jsonb_to_record($1::jsonb) as given ({columns})"  # noqa: S608
            f" cross join lateral {called}({listed})"
        )

    def begin(self, principal: Principal | None, timeout_ms: int) -> str:
        """Returns the statements that begin the function's transaction for a principal. A limit of
        0 ms means no limit.
        """
        # A database that was set to read only must stay so: `read write` would override that.
        access = "" if self.is_writing else " read only"
        statements = f"begin{access}; set local statement_timeout = {timeout_ms}"
        return statements if principal is None else f"{statements}; {_acting_as(principal)}"


def operations_of(functions: Iterable[Mapping[str, Any]]) -> dict[str, Operation]:
    """Builds operations, by name, from rows of `API_FUNCTIONS`."""
    return {
        f["name"]: Operation(
            f["schema"],
            f["name"],
            f["is_writing"],
            f["is_own"],
            f["is_read"],
            f["required"],
            {a.split(" => ")[0]: a for a in f["arguments"]},
        )
        for f in functions
    }


def _acting_as(principal: Principal) -> str:
    """Returns statements after which the rest of a transaction runs on behalf of a principal."""
    acting = (
        f"set local role qm_{principal.role};"
        f" select set_config('qm.principal', '{principal.id:d}', true)"
    )
    if principal.toolset is not None:
        acting += f", set_config('qm.toolset', {_quoted(principal.toolset)}, true)"
    if principal.goal_model is not None:
        acting += f", set_config('qm.goal_model', {_quoted(principal.goal_model)}, true)"
    return acting


def acting_for(principal: Principal, arguments: int) -> tuple[str, tuple[object, ...]]:
    """Returns an SQL condition that sets the principal, and the parameters of this condition. The
    condition is appended to a statement that calls one function.

    The condition does not depend on the function, so PostgreSQL evaluates it once, before the
    function. (Without a principal, the function would refuse to run.) If the key is unchecked and
    not valid, the condition raises QM401 key_invalid.

    Args:
        principal: the principal on whose behalf the function runs.
        arguments: number of parameters that the statement already has.
    """
    who, toolset = f"${arguments + 1}", f"${arguments + 2}"
    asked: object = str(principal.id)
    if (shown := principal.unchecked_key) is not None:
        who = f"(select k.principal_id::text from service.authenticate({who}) as k)"  # noqa: S608
        asked = shown.digest
    return (
        f" where (select set_config('qm.principal', {who}, true)"
        f" || set_config('qm.toolset', {toolset}, true)) is not null"
    ), (asked, principal.toolset or "")


def _quoted(text: str) -> str:
    """Quotes a text as an SQL literal, for statements that cannot have parameters."""
    return "'" + text.replace("'", "''") + "'"
