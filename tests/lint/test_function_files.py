"""How the text of a function file looks: the rules of sql_layout.py, and a test of each rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support import sql_layout
from tests.support.each import for_each
from tests.support.sql_files import FUNCTION_FILES, FunctionFile

pytestmark = pytest.mark.lint

FUNCTION = """create or replace function core.f(p_a text)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
{}
$function$;
comment on function core.f is 'Returns a text.';
"""
NESTED = """begin
    <<outer>>
    for v_a in 1 .. 2 loop
        for v_b in 1 .. 2 loop
            {};
        end loop;
    end loop;
end"""
# For each rule, what breaks it and what does not.
EXAMPLES: dict[Callable[[str], list[str]], tuple[list[str], list[str]]] = {
    sql_layout.long_lines: (
        [f"-- {'x' * 118}", f"    select '{'x' * 120}';"],
        [f"-- {'x' * 117}"],
    ),
    sql_layout.blanks: (
        ["select 1; ", "  select 1;", "select\t1;"],
        ["    select 1;", "select 'a\n  b';"],
    ),
    sql_layout.capitals: (
        ["SELECT 1;", "select a.Name from a;", FUNCTION.format("BEGIN\nend")],
        ["select 'A', \"B\" from a;"],
    ),
    sql_layout.crowded_queries: (
        [
            "select a from b\nwhere c;",
            "select a\nfrom b where c;",
            "select a\nfrom b\norder by c limit 1;",
            "update a\nset b = 1 where c;",
            "select (\n    select a from b\n    where c\n);",
        ],
        [
            "select a from b where c;",
            "select a\nfrom b\nwhere c;",
            "select from a\nwhere b;",
            "select a\nfrom b\nwhere a is distinct from c;",
            "select array_agg(a order by b)\nfrom c;",
            "insert into a (b) values (1)\non conflict (b) do update set b = 2;",
            "insert into a (b) values (1)\nreturning a into v;",
            "select a from b;\nselect c from d;",
        ],
    ),
    sql_layout.crowded_conditions: (
        ["select a where b and c\n    and d;", "select a where b\n    or c or d;"],
        [
            "select a where b and c and d;",
            "select a\nwhere b\n    and c between 1 and 2\n    and d;",
            "select a where b and c\n    or d and e;",
            "select (\n    a\n    and b\n) and c;",
        ],
    ),
    sql_layout.crowded_arguments: (
        [
            "select f(\n    a, b,\n    c\n);",
            "select f(\n    (\n        select 1\n    ), 2\n);",
            "select jsonb_build_object(\n    'a',\n    1\n);",
            "create function f(\n    a text, b text,\n    c text\n) returns text return a;",
        ],
        [
            "select f(a, b);",
            "select f(\n    a, b, c\n);",
            "select f(\n    a,\n    b\n);",
            "select jsonb_build_object(\n    'a', 1,\n    'b', 2\n);",
            "select array_agg(\n    a\n    order by b, c\n);",
            "insert into a (\n    b, c,\n    d\n) select 1, 2, 3;",
        ],
    ),
    sql_layout.other_quotes: (
        ["as $$\nselect 1;\n$$;", "as $body$\nselect 1;\n$body$;"],
        [FUNCTION.format("begin\nend"), "as $python$\npass\n$python$;"],
    ),
    sql_layout.unnamed_loops: (
        [
            FUNCTION.format(NESTED.format("exit when v_a = v_b")),
            FUNCTION.format(NESTED.format("continue")),
        ],
        [
            FUNCTION.format(NESTED.format("exit outer when v_a = v_b")),
            FUNCTION.format("begin\n    loop\n        exit when true;\n    end loop;\nend"),
        ],
    ),
    sql_layout.disorder: (
        [
            FUNCTION.format("begin\nend") + "-- Why.\ncreate table a (b text);",
            "grant execute on function core.f to qm_reader;\n" + FUNCTION.format("begin\nend"),
            "\n" + FUNCTION.format("begin\nend"),
            "create function f() returns text return 'a';",
        ],
        [
            "-- Why.\n" + FUNCTION.format("begin\nend"),
            FUNCTION.format("begin\nend") + "alter function core.f owner to qm_reader;\n"
            "grant execute on function core.f to qm_user;",
        ],
    ),
}


@pytest.mark.parametrize("rule", sql_layout.RULES, ids=lambda rule: rule.__name__)
def test_each_rule_finds_what_breaks_it_and_nothing_else(rule: Callable[[str], list[str]]):
    bad, good = EXAMPLES[rule]
    assert not [text for text in bad if not rule(text)]
    assert not [(text, rule(text)) for text in good if rule(text)]


@for_each([FunctionFile(path) for path in FUNCTION_FILES], lambda file: file.name)
def test_function_files_keep_the_rules(file: FunctionFile):
    assert not [sentence for rule in sql_layout.RULES for sentence in rule(file.text)]
