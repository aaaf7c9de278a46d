"""Somebody with a login has the database load a model from a folder of his: a model is a program.

Review of 23 November, finding 11.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import psycopg
import pytest

from tests.support.database import Database, Server
from tests.support.psql_login import psql_login

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def database(sql_server: Server) -> Generator[Database]:
    with sql_server.clone() as database:
        with database.connect() as connection:
            row = connection.execute("select core.has_capability('plpython3u')").fetchone()
            if not (row and row[0]):
                pytest.skip("this server has no PL/Python (libpython3.11 is missing)")
            connection.execute("select t.make_principal('mallory', 'operator')")
        yield database


@pytest.fixture
def login(database: Database) -> Generator[Connection]:
    with (
        psql_login(database, "qm_operator", "mallory") as dsn,
        psycopg.connect(dsn, autocommit=True) as connection,
    ):
        yield connection


@pytest.mark.parametrize(
    "statement",
    [
        "select search.embed('text', '/var/tmp/mine')",
        "select search.embed('text')",
        "select search.rerank('text', array['text'], '/var/tmp/mine')",
        "select search.rerank('text', array['text'])",
        "select search.embed_goal('text')",
        "update core.setting set value = '\"/var/tmp/mine\"' where name = 'embedding.directory'",
    ],
)
def test_the_folder_is_not_the_callers(login: Connection, statement: str):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        login.execute(statement.encode())


def test_no_function_takes_a_folder(database: Database):
    with database.connect() as connection:
        takes = connection.execute(
            "select p.oid::regprocedure::text from pg_proc as p"
            " inner join pg_language as l on l.oid = p.prolang and l.lanname = 'plpython3u'"
            " where p.proargnames::text like '%directory%'"
        ).fetchall()
    assert takes == []


def test_the_number_of_texts_is_limited(login: Connection):
    with pytest.raises(psycopg.Error) as caught:
        login.execute("select api.rerank('text', array_fill('text'::text, array[100000]))")
    assert caught.value.diag.constraint_name == "argument_invalid"
