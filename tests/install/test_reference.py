"""What is generated from the database's catalog is what the installed database says.

Write it again with `make docs`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from quartermaster import api
from quartermaster.install import discover
from quartermaster.install.reference import reference
from quartermaster.install.typed_api import typed_api
from tests.support.database import ROOT, Database
from tests.support.sql_files import OPERATION_SCHEMAS

REFERENCE = ROOT / "docs" / "reference.md"


def operations_in(folder: Path) -> set[str]:
    """Returns the names of the functions in the schemas api and service."""
    found = (folder.glob(f"functions/{schema}/**/*.sql") for schema in OPERATION_SCHEMAS)
    return {path.stem for paths in found for path in paths}


def modules() -> Iterator[tuple[Path, Path]]:
    """Yields the folder with SQL and the module of operations, of the core and of each kind."""
    yield ROOT, ROOT / "service" / "quartermaster" / "api.py"
    for kind in discover.kinds():
        if not operations_in(kind.path):
            continue
        yield kind.path, ROOT / f"kinds/{kind.name}/quartermaster_{kind.name}/api.py"


def require_written(path: Path, text: str) -> None:
    if os.environ.get("QM_WRITE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "run: make docs"


def test_the_reference_is_rendered_from_the_installed_comments(database: Database):
    require_written(REFERENCE, reference(database.dsn))


@pytest.mark.parametrize(
    ("folder", "module"), [pytest.param(*each, id=each[1].parent.name) for each in modules()]
)
def test_the_calls_of_api_functions_are_those_of_the_database(
    database: Database, folder: Path, module: Path
):
    names = operations_in(folder)
    require_written(module, typed_api(database.dsn, names, with_channels=folder == ROOT))


def test_null_is_passed_where_it_has_a_meaning_of_its_own():
    assert api.list_items(kind="tool").arguments["maximum"] == 1000
    assert api.list_items(kind="tool", maximum=None).arguments["maximum"] is None
    assert api.search_tools(goal="ring", mode=None).arguments.keys() >= {"goal", "top"}
    assert "mode" not in api.search_tools(goal="ring", mode=None).arguments


def test_a_changed_comment_changes_the_reference_and_the_calls(database: Database):
    with database.connect() as connection:
        connection.execute("comment on function api.status() is 'something else'")
        connection.execute("comment on function api.find_origin(text) is 'Can be null: result.'")
    assert "something else" in reference(database.dsn)
    assert ") -> ApiValue[int | None]:" in typed_api(database.dsn, ["find_origin"])


def test_a_table_of_one_column_is_a_row_with_this_column(database: Database):
    with database.connect() as connection:
        connection.execute(
            "create function api.list_zebras() returns table (stripes text) language sql "
            "as $$select 'a'$$"
        )
        connection.execute("comment on function api.list_zebras() is 'Lists zebras.'")
    calls = typed_api(database.dsn, ["list_zebras"])
    assert "stripes: str" in calls
    assert "list_zebras: str" not in calls
