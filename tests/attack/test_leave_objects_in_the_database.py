"""Somebody with a login fills the database with objects of his own.

Review of 23 November, finding 15.
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
            connection.execute("select t.make_principal('mallory', 'operator')")
        yield database


@pytest.fixture(scope="module", params=["qm_user", "qm_operator"])
def login(database: Database, request: pytest.FixtureRequest) -> Generator[Connection]:
    with (
        psql_login(database, request.param, "mallory") as dsn,
        psycopg.connect(dsn, autocommit=True) as connection,
    ):
        yield connection


@pytest.mark.parametrize(
    "statement",
    [
        "create schema mine",
        "create table public.mine ()",
        "create table api.mine ()",
        "create table service.mine ()",
        "create table ext.mine ()",
        "create function api.mine() returns void language sql as ''",
        "create function service.mine() returns void language sql as ''",
        "alter function api.status() reset all",
        "drop function api.status()",
    ],
)
def test_it_is_refused(login: Connection, statement: str):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        login.execute(statement.encode())
