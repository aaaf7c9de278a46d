"""No function of ours folds, classifies, compares or sorts text as the database happens to do.

The default collation differs from database to database; `core.c_utf8` does not.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any, Final, LiteralString, cast

import psycopg
import pytest

from tests.support.database import Database, run_script
from tests.support.parse_trees import Node, Tree, constant, nodes, trees_of

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[object, ...]]

# Collations: that of the database, and the one of code points.
_DEFAULT, _C = "100", "950"
_COLUMNS = """
select format('%s.%I', a.attrelid::regclass, a.attname)
from pg_attribute as a
inner join pg_class as c on c.oid = a.attrelid
inner join pg_namespace as n on n.oid = c.relnamespace
where n.nspowner = 'qm_owner'::regrole and c.relkind in ('r', 'p') and a.attnum > 0
    and a.attcollation not in (0, (select x.oid from pg_collation as x where x.collname = 'c_utf8'))
    and c.relname <> 'alembic_version' and not a.attisdropped
"""
_SENSITIVE = """
select p.oid::text, p.proname
from pg_proc as p
where p.pronamespace = 'pg_catalog'::regnamespace and (
    p.proname ~ '^(regexp_|text(ic)?(regex|like|nlike)|text_(lt|le|gt|ge|larger|smaller)$)'
    or p.proname ~ '^array_(lt|le|gt|ge|larger|smaller)$'
    or p.proname = any(
        '{lower,upper,initcap,casefold,texticregexeq,texticregexne,substring,similar_to_escape,min,'
        'max,mode,percentile_disc}'
    )
) and p.proname not in ('textlike', 'textnlike')
"""
_OPERATORS = "select o.oid::text, o.oprcode::oid::text from pg_operator as o"
_OURS = """
select p.oid::text from pg_proc as p
where p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole)
"""
# Of text and of arrays of text: <, > and theirs.
_ORDERS: Final = {"664", "666", "1072", "1073"}
_CALLS: Final = {"FUNCEXPR", "OPEXPR", "SCALARARRAYOPEXPR", "DISTINCTEXPR", "AGGREF", "WINDOWFUNC"}
_COLLATION = re.compile(r"collid$|^collOid$")
# What a pattern holds that depends on the collation: classes of letters, words and blanks.
_CLASS = re.compile(r"\\[sSwWdDmMyY]|\[:|\(\?i")


class Rules:
    """What is looked for in the tree of each statement."""

    def __init__(self, connection: Connection) -> None:
        def pairs(query: str) -> dict[str, str]:
            rows = connection.execute(cast(LiteralString, query)).fetchall()
            return dict(cast(list[tuple[str, str]], rows))

        self._sensitive = pairs(_SENSITIVE)
        self._code = pairs(_OPERATORS)
        self._ours = {str(row[0]) for row in connection.execute(_OURS)}

    def findings(self, trees: list[Tree]) -> list[str]:
        return sorted(
            {f"{tree.function}: {report}" for tree in trees for report in self._found(tree.root)}
        )

    def _found(self, root: Node) -> Generator[str]:
        for node in nodes(root):
            if node["_"] == "QUERY":
                yield from self._sorted(node)
            elif node["_"] == "AGGREF":
                distinct = None if self._name(node) is None else node["aggdistinct"]
                yield from _sorts(node["aggorder"] or distinct, node["args"])
            if node["_"] in _CALLS:
                yield from self._called(node)

    def _sorted(self, query: Any) -> Generator[str]:
        # The columns of `distinct on` are sorted so that equal ones are neighbours.
        grouped = set[str]()
        if query["hasDistinctOn"] == "true":
            grouped = {clause["tleSortGroupRef"] for clause in query["distinctClause"]}
        order = cast(list[Node], query["sortClause"] or [])
        order = [clause for clause in order if clause["tleSortGroupRef"] not in grouped]
        yield from _sorts(order, query["targetList"])
        for window in cast(list[Node], query["windowClause"] or []):
            yield from _sorts(window["orderClause"], query["targetList"])

    def _name(self, node: Node) -> str | None:
        number = node.get("funcid") or node.get("aggfnoid") or node.get("winfnoid")
        return self._sensitive.get(number or self._code.get(node.get("opno", ""), ""))

    def _called(self, node: Node) -> Generator[str]:
        collation, arguments = node.get("inputcollid"), _arguments(node)
        name = self._name(node)
        if name and collation == _DEFAULT and not _is_plain(name, arguments):
            yield f"{name} in the collation of the database"
        given = {_collation(argument) for argument in arguments} - {None, "0", _DEFAULT}
        is_ours = node.get("funcid") in self._ours
        compares = name is not None or is_ours or node["_"] != "FUNCEXPR"
        if collation == "0" and len(given) > 1 and compares:
            yield f"{name or node['_']} of texts of two collations"
        if collation == _C and is_ours:
            yield "a name of the system catalog is handed to a function of ours"


def _sorts(clauses: list[Node] | None, targets: list[Node] | None) -> Generator[str]:
    by_number = {target["ressortgroupref"]: target["expr"] for target in targets or []}
    for clause in clauses or []:
        expression = by_number[clause["tleSortGroupRef"]]
        is_default = _collation(expression) == _DEFAULT
        # The separator of string_agg is a constant.
        if clause["sortop"] in _ORDERS and is_default and expression["_"] != "CONST":
            yield f"sorted in the collation of the database ({expression['_']})"


def _arguments(node: Node) -> list[Node]:
    given = cast(list[Node], node.get("args") or [])
    return [each["expr"] if each["_"] == "TARGETENTRY" else each for each in given if each]


def _collation(node: Node) -> str | None:
    if node["_"] == "SUBLINK":
        return _collation(node["subselect"]["targetList"][0]["expr"])
    named = [key for key in node if _COLLATION.search(key) and key != "inputcollid"]
    return cast(str, node[named[0]]) if named else None


def _is_plain(name: str, arguments: list[Node]) -> bool:
    """Returns whether it is a regular expression that means the same everywhere."""
    if not (name.startswith(("regexp_", "textregex")) or name == "substring"):
        return False
    texts = [constant(argument) for argument in arguments]
    flags = texts[3:] if name == "regexp_replace" else texts[2:]
    pattern = texts[1] if len(texts) > 1 else None
    return (
        pattern is not None
        and not _CLASS.search(pattern)
        and not any(flag is not None and "i" in flag for flag in flags)
    )


def test_every_column_of_text_has_a_collation_of_its_own(checked: Database):
    with checked.connect() as connection:
        assert connection.execute(_COLUMNS).fetchall() == []


def test_no_function_handles_text_as_the_database_does(checked: Database):
    with checked.connect() as connection:
        found = Rules(connection).findings(trees_of(connection))
    assert found == [], "\n".join(found)


def test_functions_that_do_are_found(checked: Database):
    bodies = {
        "folds": "return lower(p);",
        "classifies": r"return p ~ '\w';",
        "compares": "return p < 'a';",
        "sorts": "return array(select x from unnest(array[p]) as x order by x);",
        "aggregates": "return (select string_agg(x, '' order by x) from unnest(array[p]) as x);",
        "picks": "return (select min(x) from unnest(array[p]) as x);",
        "mixes": "return exists (select from pg_class as c, core.setting as s"
        " where s.name = c.relname);",
        "hands_over": "perform core.fail(c.relname, '') from pg_class as c; return p;",
        "is_plain": "return p ~ '^[a-z]+$' and p = 'x' and lower(p collate core.c_utf8) = 'x';",
    }
    with psycopg.connect(checked.dsn) as connection:
        for name, body in bodies.items():
            run_script(
                connection,
                f"create function api.{name}(p text) returns text language plpgsql as"
                f" $f$ begin {body} end $f$; alter function api.{name} owner to qm_owner",
            )
        found = Rules(connection).findings(trees_of(connection, bodies))
        connection.rollback()
    report = {line.partition("(")[0].removeprefix("api.") for line in found}
    assert report == bodies.keys() - {"is_plain"}
