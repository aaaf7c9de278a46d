"""What PostgreSQL makes of the statements in the bodies of functions: their parse trees."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, LiteralString, cast

import psycopg

_TOKEN = re.compile(r"\s*([{}()]|\[[^\]]*\]|<>|(?:\\.|[^\s{}()\\])+)")
_BODIES = """
select
    p.oid::regprocedure::text,
    case
        when l.lanname = 'sql' then format('select pg_catalog.fmgr_sql_validator(%s)', p.oid)
        when p.prorettype <> 'trigger'::regtype then format(
            'select ext.plpgsql_check_function(%s::oid, fatal_errors => false)', p.oid
        )
        else format(
            'select ext.plpgsql_check_function(%s::oid, %s::oid, fatal_errors => false,'
            ' oldtable => %L, newtable => %L)', p.oid, t.tgrelid, t.tgoldtable, t.tgnewtable
        )
    end
from pg_proc as p
inner join pg_language as l on l.oid = p.prolang and l.lanname in ('sql', 'plpgsql')
left join lateral (
    select x.* from pg_trigger as x where x.tgfoid = p.oid
    order by x.tgnewtable desc nulls last limit 1
) as t on true
where p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole) and p.prosqlbody is null
    -- Triggers of the user's own tables are made when somebody asks for them.
    and (p.prorettype <> 'trigger'::regtype or t.oid is not null)
order by 1
"""
_RULES_QUERY = (
    "set search_path = pg_catalog, pg_temp; set check_function_bodies = on;"
    " set debug_print_parse = on; set debug_pretty_print = off; set client_min_messages = log"
)

Node = dict[str, Any]


@dataclass(frozen=True)
class Tree:
    """A statement in a function.

    Attributes:
        function: signature of the function.
        root: the query; each node is a dict, with its type as `_`.
    """

    function: str
    root: Node


def trees_of(
    connection: psycopg.Connection[tuple[object, ...]], names: Collection[str] | None = None
) -> list[Tree]:
    """Returns the parse trees of functions of ours.

    Args:
        connection: the database has plpgsql_check in schema `ext`.
        names: of the functions, without their schemas; None: all of ours.
    """
    bodies = connection.execute(_BODIES).fetchall()
    report: list[str] = []

    def listen(notice: psycopg.errors.Diagnostic) -> None:
        if notice.message_primary == "parse tree:":
            report.append(notice.message_detail or "")

    connection.add_notice_handler(listen)
    found: list[Tree] = []
    try:
        connection.execute(_RULES_QUERY)
        for function, check in bodies:
            name = str(function).partition("(")[0].rpartition(".")[2]
            if names is not None and name not in names:
                continue
            report.clear()
            connection.execute(cast(LiteralString, check))
            # The first is that of the check itself.
            found += [Tree(str(function), read(text)) for text in report[1:]]
    finally:
        connection.remove_notice_handler(listen)
        connection.execute("reset all")
    return found


def read(text: str) -> Node:
    """Returns a node in the notation of PostgreSQL's `nodeToString`."""
    tokens = _TOKEN.findall(text)
    place = 0

    def value() -> Any:
        nonlocal place
        token = tokens[place]
        place += 1
        if token == "{":
            node: Node = {"_": tokens[place]}
            place += 1
            while tokens[place] != "}":
                member = tokens[place][1:]
                place += 1
                values: list[Any] = []
                while tokens[place] != "}" and not tokens[place].startswith(":"):
                    values.append(value())
                node[member] = values[0] if len(values) == 1 else values
            place += 1
            return node
        if token == "(":
            listed: list[Any] = []
            while tokens[place] != ")":
                listed.append(value())
            place += 1
            return listed
        return None if token == "<>" else token

    return value()


def nodes(part: Any) -> Iterator[Node]:
    """Yields all nodes of a tree, each before those inside it."""
    if isinstance(part, dict):
        node = cast(Node, part)
        yield node
        for inner in node.values():
            yield from nodes(inner)
    elif isinstance(part, list):
        for inner in cast(list[Any], part):
            yield from nodes(inner)


def listed(part: Any) -> list[Node]:
    """Returns the nodes of a list: a list of one is read as its node, and none as None."""
    return cast(list[Node], part if isinstance(part, list) else [part] if part else [])


def constant(node: Any) -> str | None:
    """Returns the text of a constant; None for everything else."""
    if not isinstance(node, dict):
        return None
    found = cast(Node, node)
    if found["_"] != "CONST" or found["constisnull"] == "true" or found["constlen"] != "-1":
        return None
    stored = [int(byte) & 255 for byte in found["constvalue"][1].strip("[] ").split()]
    return bytes(stored[4:]).decode(errors="replace")
