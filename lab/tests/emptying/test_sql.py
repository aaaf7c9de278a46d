"""Functions are emptied, the tests that notice it are found, and the functions are put back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, LiteralString, cast

import pytest
from psycopg.rows import dict_row

from lab.emptying.sql import FUNCTIONS, emptied, in_order, tried
from tests.support.database import Database
from tests.support.sql_files import FUNCTION_FILES, ROOT, FunctionFile
from tests.support.tap import let_create_temporary

pytestmark = pytest.mark.sql


def functions(database: Database, *names: str) -> list[Mapping[str, Any]]:
    """Returns the functions with these names."""
    with database.connect() as connection:
        cursor = connection.cursor(row_factory=dict_row)
        return cursor.execute(FUNCTIONS, [list(names)]).fetchall()


def test_every_function_can_be_emptied(database: Database):
    names = [FunctionFile(path).name for path in FUNCTION_FILES]
    with database.connect() as connection:
        connection.execute("begin")
        for function in functions(database, *names):
            connection.execute(cast(LiteralString, emptied(function)))
        connection.execute("rollback")


def test_the_tests_of_a_function_come_first():
    file = FunctionFile(ROOT / "functions" / "catalog" / "brief.sql")
    folder = ROOT / "tests" / "sql"
    own = sorted(folder.glob("catalog/brief/*.sql"))
    other = sorted(folder.glob("core/fail/*.sql"))
    assert list(in_order(file, [*other, *own], {})) == [*own, *other]


def test_a_test_notices_an_empty_function_which_is_put_back(database: Database, tmp_path: Path):
    other, own = tmp_path / "other.sql", tmp_path / "own.sql"
    other.write_text("begin; select '1..1'; select 'ok 1'; rollback;")
    right = "catalog.brief('Does it.') = 'Does it.'"
    own.write_text(
        f"begin; select '1..1'; select case when {right} then 'ok 1' else 'not ok 1' end; rollback;"
    )
    let_create_temporary(database)
    [function] = functions(database, "catalog.brief")
    found = tried(database, function, iter([other, own]))
    assert (found["files"], found["noticed_by"]) == (2, f"{tmp_path.name}/own")
    assert tried(database, function, iter([other]))["noticed_by"] is None
    assert functions(database, "catalog.brief") == [function]
