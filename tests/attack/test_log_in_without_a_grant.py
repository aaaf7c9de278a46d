"""A login of the server that Quartermaster did not admit: it does not even connect."""

from __future__ import annotations

import psycopg
import pytest

from tests.support.database import Database
from tests.support.mallory import mallory


def test_a_login_without_a_role_of_quartermaster_cannot_connect(database: Database) -> None:
    with (
        mallory(database, None) as dsn,
        pytest.raises(psycopg.OperationalError, match="CONNECT privilege"),
    ):
        psycopg.connect(dsn)


@pytest.mark.parametrize(
    "statement",
    [
        "create temporary table t (a integer)",
        "select lo_create(0)",
        "select lo_creat(-1)",
        "select lo_from_bytea(0, 'x')",
        "create schema evil",
        "create table public.evil (a integer)",
    ],
)
def test_a_login_creates_nothing_in_the_database(database: Database, statement: str) -> None:
    with (
        mallory(database) as dsn,
        psycopg.connect(dsn) as attacker,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        attacker.execute(statement.encode())
