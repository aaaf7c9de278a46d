"""Databases for the tests of SQL, on each server in turn."""

from __future__ import annotations

from collections.abc import Generator

import psycopg
import pytest

from tests.support.database import Database, Server
from tests.support.tap import TapSession, let_create_temporary, tap_session


@pytest.fixture(scope="module")
def schema(sql_server: Server) -> Generator[Database]:
    """A database for the tests of one module, on each server in turn."""
    with sql_server.clone() as database:
        let_create_temporary(database)
        yield database


@pytest.fixture(scope="module")
def checked(debian_server: Server) -> Generator[Database]:
    """A database in which plpgsql_check reads the functions, for the tests of one module."""
    with debian_server.clone() as database:
        with database.connect() as connection:
            connection.execute("create extension plpgsql_check schema ext")
        yield database


@pytest.fixture(scope="module")
def session(sql_server: Server) -> Generator[TapSession]:
    """One database for the pgTAP tests of one module: each leaves it as it was."""
    with tap_session(sql_server) as session:
        yield session


@pytest.fixture
def rolled_back(schema: Database) -> Generator[psycopg.Connection[tuple[object, ...]]]:
    """A superuser's transaction that leaves nothing behind."""
    with psycopg.connect(schema.dsn) as connection:
        yield connection
        connection.rollback()
