"""A psql login names a folder of its own, so that the server loads a foreign model."""

from __future__ import annotations

import psycopg
import pytest

from tests.support.database import Database, Server
from tests.support.mallory import mallory

_LONG = "array_fill(repeat('x', 100000), array[100])"


@pytest.mark.parametrize("role", ["qm_user", "qm_operator", "qm_admin"])
@pytest.mark.parametrize(
    "statement",
    [
        "select search.embed('a goal', '/tmp/evil', true)",
        "select search.rerank('a goal', array['a text'], '/tmp/evil')",
    ],
)
def test_no_login_chooses_the_folder(debian_server: Server, role: str, statement: str) -> None:
    with (
        debian_server.clone() as database,
        mallory(database, role) as dsn,
        psycopg.connect(dsn) as attacker,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        attacker.execute(statement.encode())


@pytest.mark.parametrize(
    "statement",
    [
        "select * from api.select_tools(repeat('x', 10000000))",
        f"select api.rerank('a goal', {_LONG})",
    ],
)
def test_a_text_is_measured_before_the_model_reads_it(database: Database, statement: str) -> None:
    with database.connect() as connection:
        connection.execute(
            "select core.report_capability('rerank', true, '', '', null),"
            " core.report_capability('embed', true, '', '', null)"
        )
    with (
        mallory(database) as dsn,
        psycopg.connect(dsn) as attacker,
        pytest.raises(psycopg.DatabaseError) as caught,
    ):
        attacker.execute(statement.encode())
    assert caught.value.diag.constraint_name == "goal_too_long"
