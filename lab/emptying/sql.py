"""Empties each SQL function in turn, and runs the pgTAP files until one fails.

    python -m lab.emptying.sql RESULTS.jsonl [--own] [NAME ...]

An emptied function has its signature and returns null, no row, or the row that a trigger got. Its
own tests run first, then those of the functions that call it, then all others; with `--own`, only
its own tests run. A function that no file notices survives. Each result is a line of the file;
functions that stand in it already are not tried again.

No pgTAP file can notice `policy.blocking_sessions`, which needs sessions that wait for each other.
`tests/attack/test_make_others_wait.py` notices it.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, LiteralString, cast

from psycopg.rows import dict_row

from tests.support.database import Database, embedded
from tests.support.pgtap import files_below
from tests.support.sql_files import FUNCTION_FILES, PLACES, FunctionFile, place_of
from tests.support.tap import TapSession, let_create_temporary

FUNCTIONS: LiteralString = """
select
    p.oid, p.oid::regprocedure::text as signature, n.nspname || '.' || p.proname as name,
    l.lanname as language, p.proretset as many, format_type(p.prorettype, null) as type,
    pg_get_functiondef(p.oid) as definition, p.prosrc as body,
    (
        select array_agg(format_type(a.type, null) order by a.place)
        from unnest(p.proallargtypes, p.proargmodes) with ordinality as a (type, mode, place)
        where a.mode in ('o', 'b', 't')
    ) as columns
from pg_proc as p
inner join pg_namespace as n on p.pronamespace = n.oid
inner join pg_language as l on p.prolang = l.oid
where n.nspname || '.' || p.proname = any(%s) and p.prokind = 'f'
order by 3, 2
"""


def empty_body(function: Mapping[str, Any]) -> str:
    """Returns a body that does nothing, for a function of `FUNCTIONS`."""
    kind, many = function["language"], function["many"]
    if kind == "plpython3u":
        return "return None"
    if kind == "plpgsql":
        if function["type"] == "trigger":
            return "begin return coalesce(new, old); end"
        returns_nothing = many or function["columns"] or function["type"] == "void"
        return "begin return; end" if returns_nothing else "begin return null; end"
    columns = function["columns"] or [function["type"]]
    nulls = ", ".join(f"null::{'text' if each == 'void' else each}" for each in columns)
    return f"select {nulls}{' where false' if many else ''}"


def emptied(function: Mapping[str, Any]) -> str:
    """Returns the statement that replaces a function by an empty one."""
    definition, body = function["definition"], empty_body(function)
    if "$function$" not in definition:
        # A body that is parsed when the function is made.
        before = re.split(r"\n(?=RETURN |BEGIN ATOMIC)", definition, maxsplit=1)[0]
        return f"{before}\nbegin atomic {body}; end"
    before, _, rest = definition.partition("$function$")
    return f"{before}$function$ {body} $function${rest.rpartition('$function$')[2]}"


def test_folders() -> list[Path]:
    """Returns the folders with pgTAP files, of the core and of each kind."""
    return [folder for place in PLACES if (folder := place / "tests" / "sql").is_dir()]


def own_tests(file: FunctionFile) -> Path:
    """Returns the folder of the tests of a function."""
    return place_of(file.path).joinpath("tests", "sql", *file.parts)


def in_order(
    file: FunctionFile, tests: Sequence[Path], bodies: Mapping[str, str]
) -> Iterator[Path]:
    """Yields all pgTAP files, those first that probably notice the function of a file."""
    own = own_tests(file)
    named = re.compile(rf"\b{re.escape(file.name)}\b")
    callers = {name for name, body in bodies.items() if named.search(body)}
    folders = {
        own_tests(each) for each in map(FunctionFile, FUNCTION_FILES) if each.name in callers
    }
    ranks = {
        path: 0
        if path.parent == own
        else 1
        if path.parent in folders
        else 2
        if path.parent.parent == own.parent
        else 3
        for path in tests
        # These notice any other definition, and so say nothing about what a function does.
        if path.parent == own or path.parent.name != "changed_objects"
    }
    yield from sorted(ranks, key=lambda path: (ranks[path], path))


def tried(database: Database, function: Mapping[str, Any], order: Iterator[Path]) -> dict[str, Any]:
    """Empties a function, runs tests until one fails, and puts the function back."""
    with database.connect() as connection:
        connection.execute("set check_function_bodies = off")
        connection.execute(cast(LiteralString, emptied(function)))
    begun, noticed, count = time.monotonic(), None, 0
    try:
        with closing(TapSession(database)) as session:
            for path in order:
                count += 1
                if session.run(path.read_text(encoding="utf-8")):
                    noticed = path.parent.name + "/" + path.stem
                    break
    finally:
        with database.connect() as connection:
            connection.execute(cast(LiteralString, function["definition"]))
    return {"noticed_by": noticed, "files": count, "seconds": round(time.monotonic() - begun, 2)}


def main() -> None:
    """Tries the functions that are named, or all; see the module."""
    results = Path(sys.argv[1])
    only_own = "--own" in sys.argv
    wanted = {each for each in sys.argv[2:] if each != "--own"}
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    done = {json.loads(line)["signature"] for line in lines}
    files = {file.name: file for file in map(FunctionFile, FUNCTION_FILES)}
    with embedded() as server, server.clone() as database:
        let_create_temporary(database)
        with database.connect() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            functions = cursor.execute(FUNCTIONS, [list(wanted or files)]).fetchall()
        tests = [path for folder in test_folders() for path in files_below(folder)]
        if only_own:
            folders = {own_tests(files[each["name"]]) for each in functions}
            tests = [path for path in tests if path.parent in folders]
        bodies = {each["name"]: each["body"] for each in functions}
        with closing(TapSession(database)) as session:
            failing = [path for path in tests if session.run(path.read_text(encoding="utf-8"))]
        tests = [path for path in tests if path not in failing]
        print(
            f"{len(functions)} functions; {len(tests)} files, without {len(failing)} that need more"
        )
        for number, function in enumerate(functions, 1):
            if function["signature"] in done:
                continue
            file = files[function["name"]]
            order = in_order(file, tests, bodies)
            if only_own:
                order = (path for path in tests if path.parent == own_tests(file))
            found = tried(database, function, order)
            with results.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"signature": function["signature"]} | found) + "\n")
            if found["noticed_by"] is None or number % 50 == 0:
                print(f"{number}: {function['signature']} {found}", flush=True)


if __name__ == "__main__":
    main()
