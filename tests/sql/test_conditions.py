"""No query decides by its rows whether a function of ours raises or writes.

PostgreSQL calls a function in a condition when a row has passed the conditions before it. With an
index, that is once; where a row policy lets no row through first, it is never. So what does not
depend on a row is called before the query: into a variable, or by `perform`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, Final

import psycopg
import pytest

from tests.support.database import Database, run_script
from tests.support.parse_trees import Node, Tree, listed, nodes, trees_of

pytestmark = pytest.mark.sql

_OURS: Final = """
select p.oid::text, p.oid::regprocedure::text, p.oid = 'core.fail'::regproc, p.provolatile = 'v'
from pg_proc as p
where p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole)
"""
# Entries of a range table.
_SUBQUERY: Final = "1"
_FUNCTION: Final = "3"


def findings(
    connection: psycopg.Connection[tuple[object, ...]], names: Collection[str] | None = None
) -> list[str]:
    """Returns what is called in a query, though it may raise or write and depends on no row.

    Args:
        connection: the database has plpgsql_check in schema `ext`.
        names: of the functions that are read, without their schemas; None: all of ours.
    """
    trees = trees_of(connection, names)
    ours = {str(row[0]): row for row in connection.execute(_OURS).fetchall()}
    wanted = _raising(trees, ours) | {number for number, row in ours.items() if row[3]}
    return sorted(
        {
            f"{tree.function}: {ours[call['funcid']][1]}"
            for tree in trees
            for call in _calls_in_queries(tree.root)
            if call["funcid"] in wanted
        }
    )


def _raising(trees: list[Tree], ours: dict[str, tuple[object, ...]]) -> set[str]:
    """core.fail, and what calls it, directly or not."""
    numbers = {row[1]: number for number, row in ours.items()}
    callers = defaultdict[str, set[str]](set)
    for tree in trees:
        for call in nodes(tree.root):
            if call["_"] == "FUNCEXPR":
                callers[call["funcid"]].add(numbers[tree.function])
    raising = set[str]()
    new = {number for number, row in ours.items() if row[2]}
    while new:
        raising |= new
        new = {caller for number in new for caller in callers[number]} - raising
    return raising


def _calls_in_queries(root: Node) -> Iterator[Node]:
    for query in nodes(root):
        if query["_"] == "QUERY" and query["rtable"]:
            for part in _parts(query):
                yield from (call for call in nodes(part) if _is_of_no_row(call))


def _parts(query: Node) -> Iterator[Any]:
    """Yields what is evaluated as often as the rows of a query demand, though it does not
    look so.
    """
    for node in nodes(query["jointree"]):
        if node["_"] in {"FROMEXPR", "JOINEXPR"}:
            # A condition without any column is checked once, before the first row is read.
            yield from (each for each in _conditions(node["quals"]) if _has_column(each))
    tables = listed(query["rtable"])
    for table in tables:
        if table["rtekind"] == _FUNCTION and len(tables) > 1:
            yield table["functions"]
        if table["rtekind"] == _SUBQUERY and not table["subquery"]["rtable"]:
            yield table["subquery"]["targetList"]
    for named in listed(query["cteList"]):
        if not named["ctequery"].get("rtable"):
            yield named["ctequery"].get("targetList")


def _conditions(quals: Any) -> Iterator[Any]:
    for each in listed(quals):
        if each["_"] == "BOOLEXPR" and each["boolop"] == "and":
            yield from _conditions(each["args"])
        else:
            yield each


def _has_column(part: Any) -> bool:
    return any(node["_"] == "VAR" for node in nodes(part))


def _is_of_no_row(node: Node) -> bool:
    """Returns whether it calls a function, with arguments that are the same for all rows.

    A function that returns rows is read like a table.
    """
    is_call = node["_"] == "FUNCEXPR" and node["funcretset"] == "false"
    return is_call and not _has_column(node["args"])


def test_what_may_raise_or_write_is_called_before_a_query(checked: Database):
    with checked.connect() as connection:
        found = findings(connection)
    assert found == [], "\n".join(found)


def test_queries_that_call_it_are_found(checked: Database):
    bodies = {
        "compares": "return (select s.name from core.setting as s where s.name = api.fails(p));",
        "nests": "return (select s.name from core.setting as s"
        " where s.name = (select api.fails(p)));",
        "joins": "return (select s.name from core.setting as s"
        " inner join core.version as v on v.name = api.fails(p) limit 1);",
        "reads": "return (select s.name from api.fails(p) as f (name)"
        " inner join core.setting as s on s.name = f.name);",
        "reads_below": "return (select s.name from (select api.fails(p) as name) as f"
        " inner join core.setting as s on s.name = f.name);",
        "names": "return (with f as (select api.fails(p) as name)"
        " select s.name from f inner join core.setting as s on s.name = f.name);",
        "writes": "return (select s.name from core.setting as s where s.name = api.writes_it(p));",
        "is_first": "p := api.fails(p);"
        " return (select s.name from core.setting as s where s.name = p);",
        "is_of_a_row": "return (select s.name from core.setting as s"
        " where s.value = 'x' and s.name = api.fails(s.name));",
        "is_checked_once": "return (select s.name from core.setting as s"
        " where api.fails(p) is not null limit 1);",
    }
    helpers = {
        "fails": "perform core.fail(p, p); return p;",
        "writes_it": "delete from core.setting as s where s.name = p; return p;",
    }
    made = {**helpers, **bodies}
    with psycopg.connect(checked.dsn) as connection:
        for name, body in made.items():
            volatility = "volatile" if name == "writes_it" else "stable"
            run_script(
                connection,
                f"create function api.{name}(p text) returns text language plpgsql {volatility}"
                f" as $f$ begin {body} end $f$; alter function api.{name} owner to qm_owner",
            )
        found = findings(connection, made)
        connection.rollback()
    report = {line.partition("(")[0].removeprefix("api.") for line in found}
    assert report == {name for name in bodies if not name.startswith("is_")}
