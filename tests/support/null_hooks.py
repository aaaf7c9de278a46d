"""Checks in every test that rows of api functions have no null where their types have none."""

from __future__ import annotations

import ast
from collections.abc import Generator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import pytest

from quartermaster.cli.session import AdminSession
from quartermaster.core.api_call import ApiCall
from quartermaster.db import Database
from tests.support.database import ROOT

BROKEN: Final = set[str]()
_MODULES: Final = ("service/quartermaster/api.py", "kinds/*/quartermaster_*/api.py")


@cache
def never_null() -> Mapping[str, frozenset[str]]:
    """Returns the columns that are never null, by the name of the type of a row."""
    return {
        node.name: frozenset(
            ast.unparse(column.target)
            for column in node.body
            if isinstance(column, ast.AnnAssign)
            and not {"None", "Any"} & set(ast.unparse(column.annotation).split(" | "))
        )
        for pattern in _MODULES
        for path in ROOT.glob(pattern)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }


def note_nulls(asked: ApiCall[Any], rows: Sequence[Mapping[str, Any]]) -> None:
    row_type = f"{asked.operation.title().replace('_', '')}Row"
    for row in rows:
        nulls = {name for name, value in row.items() if value is None}
        for name in nulls & never_null().get(row_type, frozenset()):
            BROKEN.add(f"the comment on api.{asked.operation} must say: Can be null: {name}")


@pytest.fixture(autouse=True, scope="session")
def calls_are_watched() -> Generator[None]:
    """Watches the api functions that a test calls in its own process."""
    call, call_session = Database.call, AdminSession.call

    async def watched(self: Database, asked: ApiCall[Any], *principal: Any) -> list[Any]:
        rows = await call(self, asked, *principal)
        note_nulls(asked, rows)
        return rows

    def watched_session(self: AdminSession, asked: ApiCall[Any]) -> list[Any]:
        rows = call_session(self, asked)
        note_nulls(asked, rows)
        return rows

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "call", watched)
        patch.setattr(AdminSession, "call", watched_session)
        yield


@pytest.fixture(autouse=True)
def no_null_is_unexpected(calls_are_watched: None) -> Generator[None]:
    yield
    broken = sorted(BROKEN)
    BROKEN.clear()
    assert not broken, "; ".join(broken)
