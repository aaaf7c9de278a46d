"""Runs pgTAP tests and reads their answers."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import closing, contextmanager
from typing import LiteralString, cast

import psycopg
import pytest
from psycopg import sql

from tests.support.database import Database, Server

_RESULT = re.compile(r"^(not )?ok (\d+)(?: - (.*))?$")
_PLAN = re.compile(r"^1\.\.(\d+)$")
# What `discard all` does but for plans, which hold as long as what they are made from.
_AS_NEW: LiteralString = """
close all; set session authorization default; reset all; deallocate all; unlisten *;
select pg_advisory_unlock_all(); discard temp; discard sequences
"""


def let_create_temporary(database: Database) -> None:
    """Tests keep values in temporary tables under every role; Quartermaster refuses that."""
    with database.connect() as connection:
        connection.execute(
            sql.SQL("grant temporary on database {} to public").format(
                sql.Identifier(database.name)
            )
        )


class TapSession:
    """Runs many tests in a database; each takes back its own transaction.

    50 of them share a session: to compile and plan every function for each test would be most of
    the work. In a longer session the server would look through ever more plans at each change of a
    table.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection = self._connected()
        self._number = 0

    def run(self, text: str) -> str | None:
        """Runs a test that begins and rolls back its own transaction.

        Returns:
            None when every planned test passed, else what went wrong, for people.
        """
        self._number += 1
        if self._number % 50 == 0:
            self.close()
            self._connection = self._connected()
        self._connection.execute("rollback")
        self._connection.execute(_AS_NEW)
        self._connection.execute("set search_path = tap, public")
        self._connection.execute("set plpgsql.extra_errors = 'all'")
        try:
            lines = _answers(self._connection.execute(cast(LiteralString, text)))
        except psycopg.Error as error:
            return _describe(error, text)
        return judge(lines)

    def close(self) -> None:
        """Ends the session."""
        self._connection.close()

    def _connected(self) -> psycopg.Connection[tuple[object, ...]]:
        connection = self._database.connect()
        # "deallocate all" forgets prepared statements, of which the driver would not know.
        connection.prepare_threshold = None
        # The schema of temporary tables stays: for a new one, all plans would be forgotten.
        connection.execute("create temporary table first (); drop table first")
        return connection


@contextmanager
def tap_session(
    server: Server, original: Database | None = None, first: LiteralString = ""
) -> Generator[TapSession]:
    """Runs tests in a database of its own, as superuser. Skips the test if there is no pgTAP.

    Args:
        server: where the database is.
        original: what is copied; None: the template.
        first: SQL that all tests find done.
    """
    if server.pgtap is None:
        pytest.skip("pgTAP is not there: run scripts/test-prerequisites.sh")
    with server.clone(original) as database:
        let_create_temporary(database)
        if first:
            with database.connect() as connection:
                connection.execute(first)
        with closing(TapSession(database)) as session:
            yield session


def judge(lines: list[str]) -> str | None:
    """None when TAP lines report the planned number of tests, all passed; else the complaint."""
    planned = [int(found[1]) for line in lines if (found := _PLAN.match(line))]
    results = [found for line in lines if (found := _RESULT.match(line))]
    complaints: list[str] = []
    if len(planned) != 1 or planned[0] != len(results):
        complaints.append(f"planned {planned}, ran {len(results)} tests")
    reported = False
    for line in lines:
        if found := _RESULT.match(line):
            reported = found[1] is not None
        if reported:
            complaints.append(line)
    return "\n".join(complaints) or None


def _answers(cursor: psycopg.Cursor[tuple[object, ...]]) -> list[str]:
    lines: list[str] = []
    while True:
        if cursor.description:
            for row in cursor.fetchall():
                lines += str(row[0] if row else "").splitlines()
        if not cursor.nextset():
            return lines


def _describe(error: psycopg.Error, text: str) -> str:
    diag = error.diag
    position = int(diag.statement_position or 0)
    line = text.count("\n", 0, position) + 1 if position else "?"
    parts = [f"line {line}: {diag.sqlstate} {diag.message_primary}"]
    parts += [part for part in (diag.message_detail, diag.message_hint, diag.context) if part]
    return "\n".join(parts)
